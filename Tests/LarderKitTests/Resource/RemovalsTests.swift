import LarderTestKit
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(1))) struct RemovalsTests {
    private let removals = Removals()

    private func place(_ key: String, _ storage: String = "database") -> Removals.Place {
        Removals.Place(key: StoreKey(key: key), storage: storage)
    }

    @Test func `a removal concerns those that asked before, for that place alone`() {
        let tickets = [place("a"), place("a"), place("b"), place("a", "files")].map { removals.ticket(for: $0) }
        removals.note(place("a"))
        #expect(tickets.map(\.isOutdated) == [true, true, false, false])
        #expect(!removals.ticket(for: place("a")).isOutdated)
    }

    @Test func `nothing is kept of a request that has ended`() async throws {
        for number in 0..<100 {
            let ticket = removals.ticket(for: place("\(number)"))
            removals.note(place("\(number)"))
            #expect(ticket.isOutdated)
        }
        #expect(removals.count == 0)

        let gate = LarderTestKit.Gate()
        let larder = Larder.inMemory(environment: TestWorld().environment)
        let origin = ScriptedFetch<Void, Int>(.gated(gate, 1))
        let resource = larder.common.resource("k") { try await origin() }
        let reader = Task { try await resource.read() }
        await gate.reached()
        #expect(larder.core.removals.count == 1)
        try await resource.remove()
        gate.open()
        _ = try await reader.value
        while larder.core.removals.count > 0, !Task.isCancelled { await Task.yield() }
    }

    @Test func `many tasks take tickets and remove at once`() async {
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    for round in 0..<500 {
                        let place = place("\(round % 3)")
                        guard number.isMultiple(of: 2) else {
                            removals.note(place)
                            continue
                        }
                        let ticket = removals.ticket(for: place)
                        removals.note(place)
                        #expect(ticket.isOutdated)
                    }
                }
            }
        }
        #expect(removals.count == 0)
    }
}

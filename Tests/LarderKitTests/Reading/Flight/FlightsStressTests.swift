import LarderTestKit
import Synchronization
import Testing

@testable import LarderKit

/// Many tasks that ask, wait, lose patience, are cancelled, read within each other and lose their partition, all at once.
@Suite(.timeLimit(.minutes(5)))
struct FlightsStressTests {
    private let flights = Flights(FlightMachine(budget: 2, sharedBudget: 3))
    private let clock = ManualClock()

    /// What operations see of each other.
    private final class Traffic: Sendable {
        private struct State {
            var underWay: [String: Int] = [:]
            var isDouble = false
        }

        private let state = Mutex(State())

        var isDouble: Bool { state.withLock { $0.isDouble } }

        func begin(_ lane: String) {
            state.withLock { state in
                state.underWay[lane, default: 0] += 1
                if state.underWay[lane, default: 0] > 1 { state.isDouble = true }
            }
        }

        func end(_ lane: String) { state.withLock { $0.underWay[lane, default: 0] -= 1 } }
    }

    private func plan(_ name: Int) -> FlightMachine.Plan {
        FlightMachine.Plan(
            key: Flights.Key(
                place: StoreKey(partition: "\(name % 3)", key: "\(name)"), kind: "test", request: nil,
                type: ObjectIdentifier(Int.self)),
            lane: name % 4 == 0 ? StoreKey(key: "lane \(name % 8)") : nil, origin: name % 2 == 0 ? "host" : nil)
    }

    /// What a flight of this name does: waits a little, and may read another.
    private func operation(
        _ name: Int, _ random: SplitMix64, depth: Int, _ traffic: Traffic
    ) -> @Sendable () async -> Int {
        { [self] in
            var random = random
            let lane = plan(name).lane?.key
            if let lane { traffic.begin(lane) }
            for _ in 0..<random.next() % 4 { await Task.yield() }
            if depth < 3, random.next() % 2 == 0 {
                let other = Int(random.next() % 12)
                _ = try? await read(other, &random, depth: depth + 1, traffic)
            }
            if let lane { traffic.end(lane) }
            return name
        }
    }

    private func read(
        _ name: Int, _ random: inout SplitMix64, depth: Int, _ traffic: Traffic
    ) async throws -> Flights.Outcome<Int> {
        let patience: Duration? = random.next() % 4 == 0 ? .seconds(Int(random.next() % 3)) : nil
        let inner = SplitMix64(seed: random.next())
        return try await flights.value(
            for: plan(name), patience: patience, clock: clock, operation: operation(name, inner, depth: depth, traffic))
    }

    @Test(arguments: 0..<8)
    func `everybody gets an answer, his own, and nothing stays behind`(seed: UInt64) async throws {
        let traffic = Traffic()
        let over = Gate()
        // Time passes, so that patience runs out.
        let time = Task {
            while !over.isOpen {
                await clock.advance(by: .seconds(1))
                await Task.yield()
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                var random = SplitMix64(seed: seed << 32 | UInt64(number))
                let name = Int(random.next() % 12)
                if number % 25 == 0 {
                    group.addTask { flights.cancel(partition: "\(number % 3)") }
                } else if number % 10 == 0 {
                    group.addTask { [random] in
                        flights.start(plan(name), operation: operation(name, random, depth: 0, traffic))
                        flights.detach { $0.key.place.key == "\(name)" }
                    }
                } else {
                    group.addTask { [random] in
                        let reader = Task { [random] in
                            var random = random
                            return try await read(name, &random, depth: 0, traffic)
                        }
                        if number % 7 == 0 { reader.cancel() }
                        switch await reader.result {
                        case .success(.landed(let value)): #expect(value == name)
                        case .success(.late): break
                        case .failure(let error): #expect(error as? Flights.Trouble == .cancelled)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        await flights.settle()
        over.open()
        await time.value
        #expect(!traffic.isDouble)
        #expect(flights.waiterCount == 0)
        for name in 0..<12 { #expect(!flights.isUnderWay(plan(name).key)) }
    }
}

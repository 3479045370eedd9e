import Synchronization

/// What went on in a run, counted by name.
struct Tally: Sendable {
    private(set) var counts: [String: Int] = [:]

    mutating func count(_ name: String, _ number: Int = 1) { counts[name, default: 0] += number }

    mutating func add(_ other: Tally) { counts.merge(other.counts) { $0 + $1 } }

    subscript(name: String) -> Int { counts[name] ?? 0 }
}

/// What is wrong, and what was counted. What happens often is counted by those who do it, and brought here at their end.
final class Ledger: Sendable {
    private struct State {
        var tally = Tally()
        var violations: [String] = []
        var violationCount = 0
    }

    private let state = Mutex(State())
    private let reads = Atomic(0)
    private let requests = Atomic(0)
    private let announced = Atomic(0)
    private let joined = Atomic(0)
    private let violationLimit = 20
    let ticks = Ticks()

    func add(_ tally: Tally) { state.withLock { $0.tally.add(tally) } }

    func count(_ name: String, _ number: Int = 1) { state.withLock { $0.tally.count(name, number) } }

    /// Something is wrong; the first few times with what it is.
    func violate(_ text: @autoclosure () -> String) {
        let text = text()
        state.withLock { state in
            state.violationCount += 1
            if state.violations.count < violationLimit { state.violations.append(text) }
        }
    }

    func check(_ holds: Bool, _ text: @autoclosure () -> String) {
        if !holds { violate(text()) }
    }

    func noteRead() { reads.wrappingAdd(1, ordering: .relaxed) }
    func noteRequest() { requests.wrappingAdd(1, ordering: .relaxed) }

    /// The library says that it sends a request, or that a read joins one.
    func noteAnnounced() { announced.wrappingAdd(1, ordering: .relaxed) }
    func noteJoined() { joined.wrappingAdd(1, ordering: .relaxed) }

    var readCount: Int { reads.load(ordering: .relaxed) }
    var requestCount: Int { requests.load(ordering: .relaxed) }
    var announcedCount: Int { announced.load(ordering: .relaxed) }
    var joinedCount: Int { joined.load(ordering: .relaxed) }
    var tally: Tally { state.withLock { $0.tally } }
    var violations: (count: Int, first: [String]) { state.withLock { ($0.violationCount, $0.violations) } }
}

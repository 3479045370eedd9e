import Testing

@testable import LarderKit

/// The planner as a table: every policy, with every kind of stored value, in every state of the network.
@Suite struct PlannerTests {
    /// A value with a lifetime of a minute.
    enum Stored: CaseIterable {
        case nothing, fresh, stale, inTheFuture, incomplete

        var facts: StoredFacts? {
            switch self {
            case .nothing: nil
            case .fresh: StoredFacts(age: .seconds(59), lifetime: .seconds(60))
            case .stale: StoredFacts(age: .seconds(90), lifetime: .seconds(60))
            case .inTheFuture: StoredFacts(age: .seconds(-1), lifetime: .seconds(60))
            case .incomplete: StoredFacts(age: .seconds(1), lifetime: .seconds(60), isComplete: false)
            }
        }
    }

    private func plan(
        _ policy: ReadPolicy, _ stored: StoredFacts?, _ connectivity: Connectivity, staleIfError: Duration? = nil
    ) -> Plan {
        let patience = (policy.patience ?? .standard).duration(latencies: [])
        return Planner(policy: policy, staleIfError: staleIfError).plan(
            stored: stored,
            network: NetworkFacts(isDead: connectivity == .offline || connectivity == .suspect, patience: patience))
    }

    /// A request that is waited for so long when something else can be shown, and why not for longer.
    private func asking(_ connectivity: Connectivity, _ patience: Duration = .seconds(3)) -> Plan {
        switch connectivity {
        case .unknown, .online: .fetch(patience: patience, fallback: .stored, impatience: .patienceRanOut)
        case .suspect, .offline: .fetch(patience: .zero, fallback: .stored, impatience: .presumedOffline)
        }
    }

    @Test(arguments: Stored.allCases, Connectivity.allCases)
    func `cache only never asks`(stored: Stored, connectivity: Connectivity) {
        let expected: Plan = stored == .nothing ? .notStored : .serve(.cacheOnly)
        #expect(plan(.cacheOnly, stored.facts, connectivity) == expected)
    }

    @Test(arguments: Stored.allCases, Connectivity.allCases)
    func `network only asks, waits, and falls back on nothing`(stored: Stored, connectivity: Connectivity) {
        #expect(plan(.networkOnly, stored.facts, connectivity) == .fetch(patience: nil, fallback: .none))
    }

    @Test(arguments: Stored.allCases, Connectivity.allCases)
    func `network first asks whatever is stored`(stored: Stored, connectivity: Connectivity) {
        for (policy, limit) in [(ReadPolicy.networkFirst, 3), (.networkFirst(patience: .seconds(7)), 7)] {
            let expected: Plan =
                stored == .nothing
                ? .fetch(patience: nil, fallback: .none) : asking(connectivity, .seconds(limit))
            #expect(plan(policy, stored.facts, connectivity) == expected)
        }
    }

    @Test(arguments: Stored.allCases, Connectivity.allCases)
    func `cache first asks unless what is stored is fresh`(stored: Stored, connectivity: Connectivity) {
        let expected: Plan =
            switch stored {
            case .nothing: .fetch(patience: nil, fallback: .none)
            case .fresh: .serve(.fresh)
            case .stale, .inTheFuture, .incomplete: asking(connectivity)
            }
        #expect(plan(.cacheFirst, stored.facts, connectivity) == expected)
    }

    @Test(arguments: Stored.allCases, Connectivity.allCases)
    func `stale while revalidate shows a whole value and asks behind it`(stored: Stored, connectivity: Connectivity) {
        let expected: Plan =
            switch stored {
            case .nothing: .fetch(patience: nil, fallback: .none)
            case .fresh: .serve(.fresh)
            case .stale, .inTheFuture: .serveAndFetch
            case .incomplete: asking(connectivity)
            }
        #expect(plan(.staleWhileRevalidate, stored.facts, connectivity) == expected)
        #expect(plan(.staleWhileRevalidate(within: .seconds(30)), stored.facts, connectivity) == expected)
    }

    @Test(arguments: [(0, true), (29, true), (30, true), (31, false), (3600, false)])
    func `the window of stale while revalidate counts from when a value became stale`(overdue: Int, isWithin: Bool) {
        let stored = StoredFacts(age: .seconds(60 + overdue), lifetime: .seconds(60))
        let expected: Plan = isWithin ? .serveAndFetch : .fetch(patience: .seconds(3), fallback: .stored)
        #expect(plan(.staleWhileRevalidate(within: .seconds(30)), stored, .online) == expected)
        #expect(plan(.staleWhileRevalidate, stored, .online) == .serveAndFetch)
    }

    @Test(arguments: [(0, true), (30, true), (31, false)], [ReadPolicy.cacheFirst, ReadPolicy.networkFirst])
    func `beyond the ceiling for errors nothing stands in, so the network is waited for`(
        overdue: (seconds: Int, mayStandIn: Bool), policy: ReadPolicy
    ) {
        let stored = StoredFacts(age: .seconds(60 + overdue.seconds), lifetime: .seconds(60))
        for connectivity in Connectivity.allCases {
            let expected: Plan =
                overdue.mayStandIn ? asking(connectivity) : .fetch(patience: nil, fallback: .none)
            #expect(plan(policy, stored, connectivity, staleIfError: .seconds(30)) == expected)
        }
    }

    @Test func `a ceiling of zero still lets a fresh value stand in`() {
        #expect(
            plan(.networkFirst, Stored.fresh.facts, .online, staleIfError: .zero)
                == .fetch(patience: .seconds(3), fallback: .stored))
    }

    @Test(arguments: [
        (age: 0, lifetime: 0, isFresh: false, staleFor: 0), (0, 1, true, 0), (59, 60, true, 0), (60, 60, false, 0),
        (61, 60, false, 1), (-1, 60, false, 0), (-1, 0, false, 0), (-172_800, 60, false, 0),
        (31_536_000, 60, false, 31_535_940),
    ])
    func `freshness ends with the lifetime, and does not begin before the value`(
        age: Int, lifetime: Int, isFresh: Bool, staleFor: Int
    ) {
        let facts = StoredFacts(age: .seconds(age), lifetime: .seconds(lifetime))
        #expect(facts.isFresh == isFresh)
        #expect(facts.staleFor == .seconds(staleFor))
        #expect(!StoredFacts(age: .seconds(age), lifetime: .seconds(lifetime), isComplete: false).isFresh)
    }
}

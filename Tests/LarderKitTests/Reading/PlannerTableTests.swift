import Testing

@testable import LarderKit

/// Every policy, with everything that may be stored, in every state of the network, as tables.
///
/// | | |
/// |---|---|
/// | `ask` | the network, for as long as it takes; nothing stands in for it |
/// | `P` | the network, for as long as patience lasts; then what is stored |
/// | `0` | the network, and what is stored without waiting |
/// | `fresh`, `cache` | what is stored, and no request |
/// | `behind` | what is stored, and a request behind it |
/// | `held` | what is stored, and no request, since those before have failed |
/// | `wait` | what is stored, and no request, since the server wants to be left alone |
/// | `refuse` | nothing, since the server wants to be left alone |
/// | `none` | nothing, since the network is not to be asked |
@Suite struct PlannerTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let policy: ReadPolicy
        let table: String
        let patience: Duration

        init(_ name: String, _ policy: ReadPolicy, _ table: String, _ patience: Duration = .seconds(3)) {
            (testDescription, self.policy, self.table, self.patience) = (name, policy, table, patience)
        }
    }

    /// What is stored has a lifetime of a minute, may be shown stale for half a minute while it is asked for again, and for ten
    /// minutes when that fails.
    private static let stored: [String: StoredFacts?] = [
        "nothing": nil,
        "fresh": StoredFacts(age: .seconds(59), lifetime: .seconds(60)),
        "stale": StoredFacts(age: .seconds(90), lifetime: .seconds(60)),
        "past window": StoredFacts(age: .milliseconds(90_001), lifetime: .seconds(60)),
        "ceiling": StoredFacts(age: .seconds(660), lifetime: .seconds(60)),
        "past ceiling": StoredFacts(age: .milliseconds(660_001), lifetime: .seconds(60)),
        "incomplete": StoredFacts(age: .seconds(1), lifetime: .seconds(60), isComplete: false),
        "in future": StoredFacts(age: .seconds(-1), lifetime: .seconds(60)),
        "changed": StoredFacts(age: .seconds(1), lifetime: .seconds(60), isInvalidated: true),
    ]

    private static let quick = FetchFailure.http(status: 500)
    private static let slow = FetchFailure(.timedOut, "it did not answer")
    private static let busy = FetchFailure.http(status: 503, retryAfter: .seconds(100))

    private static let networks: [String: NetworkFacts] = [
        "online": NetworkFacts(),
        "dead": NetworkFacts(isDead: true),
        "failing": NetworkFacts(standing: .heldBack(remaining: .seconds(1), failure: quick)),
        "busy": NetworkFacts(standing: .heldBack(remaining: .seconds(40), failure: busy)),
        "quick probe": NetworkFacts(standing: .probeDue(failure: quick)),
        "slow probe": NetworkFacts(standing: .probeDue(failure: slow)),
        "dead probe": NetworkFacts(isDead: true, standing: .probeDue(failure: quick)),
        "dead failing": NetworkFacts(isDead: true, standing: .heldBack(remaining: .seconds(1), failure: quick)),
    ]

    private static let cacheFirst = """
                     | online | dead   | failing | busy   | quick probe | slow probe | dead probe | dead failing
        nothing      | ask    | ask    | ask     | refuse | ask         | ask        | ask        | ask
        fresh        | fresh  | fresh  | fresh   | fresh  | fresh       | fresh      | fresh      | fresh
        stale        | P      | 0      | held    | wait   | P           | 0          | 0          | held
        past window  | P      | 0      | held    | wait   | P           | 0          | 0          | held
        ceiling      | P      | 0      | held    | wait   | P           | 0          | 0          | held
        past ceiling | ask    | ask    | ask     | refuse | ask         | ask        | ask        | ask
        incomplete   | P      | 0      | held    | wait   | P           | 0          | 0          | held
        in future    | P      | 0      | held    | wait   | P           | 0          | 0          | held
        changed      | P      | 0      | held    | wait   | P           | 0          | 0          | held
        """

    private static let staleWhileRevalidate = """
                     | online | dead   | failing | busy   | quick probe | slow probe | dead probe | dead failing
        nothing      | ask    | ask    | ask     | refuse | ask         | ask        | ask        | ask
        fresh        | fresh  | fresh  | fresh   | fresh  | fresh       | fresh      | fresh      | fresh
        stale        | behind | behind | held    | wait   | behind      | behind     | behind     | held
        past window  | behind | behind | held    | wait   | behind      | behind     | behind     | held
        ceiling      | behind | behind | held    | wait   | behind      | behind     | behind     | held
        past ceiling | behind | behind | held    | wait   | behind      | behind     | behind     | held
        incomplete   | P      | 0      | held    | wait   | P           | 0          | 0          | held
        in future    | behind | behind | held    | wait   | behind      | behind     | behind     | held
        changed      | P      | 0      | held    | wait   | P           | 0          | 0          | held
        """

    private static let staleWhileRevalidateWithin = """
                     | online | dead   | failing | busy   | quick probe | slow probe | dead probe | dead failing
        nothing      | ask    | ask    | ask     | refuse | ask         | ask        | ask        | ask
        fresh        | fresh  | fresh  | fresh   | fresh  | fresh       | fresh      | fresh      | fresh
        stale        | behind | behind | held    | wait   | behind      | behind     | behind     | held
        past window  | P      | 0      | held    | wait   | P           | 0          | 0          | held
        ceiling      | P      | 0      | held    | wait   | P           | 0          | 0          | held
        past ceiling | ask    | ask    | ask     | refuse | ask         | ask        | ask        | ask
        incomplete   | P      | 0      | held    | wait   | P           | 0          | 0          | held
        in future    | behind | behind | held    | wait   | behind      | behind     | behind     | held
        changed      | P      | 0      | held    | wait   | P           | 0          | 0          | held
        """

    private static let networkFirst = """
                     | online | dead   | failing | busy   | quick probe | slow probe | dead probe | dead failing
        nothing      | ask    | ask    | ask     | refuse | ask         | ask        | ask        | ask
        fresh        | P      | 0      | held    | wait   | P           | 0          | 0          | held
        stale        | P      | 0      | held    | wait   | P           | 0          | 0          | held
        past window  | P      | 0      | held    | wait   | P           | 0          | 0          | held
        ceiling      | P      | 0      | held    | wait   | P           | 0          | 0          | held
        past ceiling | ask    | ask    | ask     | refuse | ask         | ask        | ask        | ask
        incomplete   | P      | 0      | held    | wait   | P           | 0          | 0          | held
        in future    | P      | 0      | held    | wait   | P           | 0          | 0          | held
        changed      | P      | 0      | held    | wait   | P           | 0          | 0          | held
        """

    private static let cacheOnly = """
                     | online | dead   | failing | busy   | quick probe | slow probe | dead probe | dead failing
        nothing      | none   | none   | none    | none   | none        | none       | none       | none
        fresh        | cache  | cache  | cache   | cache  | cache       | cache      | cache      | cache
        stale        | cache  | cache  | cache   | cache  | cache       | cache      | cache      | cache
        past window  | cache  | cache  | cache   | cache  | cache       | cache      | cache      | cache
        ceiling      | cache  | cache  | cache   | cache  | cache       | cache      | cache      | cache
        past ceiling | cache  | cache  | cache   | cache  | cache       | cache      | cache      | cache
        incomplete   | cache  | cache  | cache   | cache  | cache       | cache      | cache      | cache
        in future    | cache  | cache  | cache   | cache  | cache       | cache      | cache      | cache
        changed      | cache  | cache  | cache   | cache  | cache       | cache      | cache      | cache
        """

    private static let networkOnly = """
                     | online | dead   | failing | busy   | quick probe | slow probe | dead probe | dead failing
        nothing      | ask    | ask    | ask     | ask    | ask         | ask        | ask        | ask
        fresh        | ask    | ask    | ask     | ask    | ask         | ask        | ask        | ask
        stale        | ask    | ask    | ask     | ask    | ask         | ask        | ask        | ask
        past window  | ask    | ask    | ask     | ask    | ask         | ask        | ask        | ask
        ceiling      | ask    | ask    | ask     | ask    | ask         | ask        | ask        | ask
        past ceiling | ask    | ask    | ask     | ask    | ask         | ask        | ask        | ask
        incomplete   | ask    | ask    | ask     | ask    | ask         | ask        | ask        | ask
        in future    | ask    | ask    | ask     | ask    | ask         | ask        | ask        | ask
        changed      | ask    | ask    | ask     | ask    | ask         | ask        | ask        | ask
        """

    private static let answers = [Duration](repeating: .milliseconds(400), count: 5)

    @Test(
        arguments: [
            Row("cache first", .cacheFirst, cacheFirst),
            Row("stale while revalidate", .staleWhileRevalidate, staleWhileRevalidate),
            Row(
                "stale while revalidate within half a minute", .staleWhileRevalidate(within: .seconds(30)),
                staleWhileRevalidateWithin),
            Row("network first", .networkFirst, networkFirst),
            Row("network first, patient", .networkFirst(patience: .seconds(7)), networkFirst, .seconds(7)),
            Row("network first, learned", .networkFirst(patience: .learned), networkFirst, .milliseconds(800)),
            Row(
                "network first, learned with a limit", .networkFirst(patience: .learned(atMost: .milliseconds(500))),
                networkFirst, .milliseconds(500)),
            Row("cache only", .cacheOnly, cacheOnly),
            Row("network only", .networkOnly, networkOnly),
        ])
    func `what a read does, by policy, by what is stored, and by the state of the network`(
        row: Row
    ) throws {
        let policy = row.policy
        let rows = row.table.split(separator: "\n").map { line in
            line.split(separator: "|", omittingEmptySubsequences: false)
                .map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
        }
        let networks = try #require(rows.first).dropFirst()
        #expect(Set(networks) == Set(Self.networks.keys))
        #expect(Set(rows.dropFirst().compactMap(\.first)) == Set(Self.stored.keys))
        for cells in rows.dropFirst() {
            let stored = try #require(Self.stored[cells[0]])
            for (name, expected) in zip(networks, cells.dropFirst()) {
                var network = try #require(Self.networks[name])
                network.patience = (policy.patience ?? .standard).duration(latencies: Self.answers)
                let plan = Planner(policy: policy, staleIfError: .seconds(600)).plan(stored: stored, network: network)
                #expect(plan == Self.plan(expected, row.patience, network), "\(cells[0]), \(name)")
            }
        }
    }

    private static func plan(_ word: String, _ patience: Duration, _ network: NetworkFacts) -> Plan? {
        let failure: FetchFailure? =
            if case .heldBack(_, let failure) = network.standing { failure } else { nil }
        return switch word {
        case "ask": .fetch(patience: nil, fallback: .none)
        case "P": .fetch(patience: patience, fallback: .stored, impatience: .patienceRanOut)
        case "0": .fetch(patience: .zero, fallback: .stored, impatience: .presumedOffline)
        case "fresh": .serve(.fresh)
        case "cache": .serve(.cacheOnly)
        case "behind": .serveAndFetch
        case "held": .serve(.heldBack, failure)
        // How long it is still to be left alone, not for how long it said so at first.
        case "wait": .serve(.heldBack, .http(status: 503, retryAfter: .seconds(40)))
        case "refuse": .refuse(.http(status: 503, retryAfter: .seconds(40)))
        case "none": .notStored
        default: nil
        }
    }
}

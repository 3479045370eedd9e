import Foundation
import LarderTestKit
import Synchronization
import Testing

@testable import LarderKit

/// The policies' tables through real reads: what is given and why, whether it is stale, what failed, how many requests were
/// sent, and how much time has passed.
///
/// `old`, the value of the first request, or `new`, that of the next one, with `*` when it is stale; why, and `!` when there
/// is a failure beside it; or what was thrown. Then the requests sent, and the seconds that passed before the read returned.
@Suite(.timeLimit(.minutes(5)))
struct ResourcePolicyTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let policy: ReadPolicy
        let table: String

        var testDescription: String { name }
    }

    private static let networks = ["online", "offline", "slow", "failing", "held", "busy"]

    // What is stored is a value with a lifetime of a minute; it may stand in for a failure for ten more.
    private static let cacheFirst = """
                     | online          | offline                  | slow                    | failing                 | held               | busy
        nothing      | new fetched 1 0 | offline 1 0              | new fetched 1 10        | server 1 0              | server 1 0         | server 0 0
        fresh        | old fresh 0 0   | old fresh 0 0            | old fresh 0 0           | old fresh 0 0           | old fresh 0 0      | old fresh 0 0
        stale        | new fetched 1 0 | old* presumedOffline 1 0 | old* patienceRanOut 1 3 | old* networkFailed! 1 0 | old* heldBack! 0 0 | old* heldBack! 0 0
        past ceiling | new fetched 1 0 | offline 1 0              | new fetched 1 10        | server 1 0              | server 1 0         | server 0 0
        in future    | new fetched 1 0 | old* presumedOffline 1 0 | old* patienceRanOut 1 3 | old* networkFailed! 1 0 | old* heldBack! 0 0 | old* heldBack! 0 0
        changed      | new fetched 1 0 | app* presumedOffline 1 0 | app* patienceRanOut 1 3 | app* networkFailed! 1 0 | app* heldBack! 0 0 | app* heldBack! 0 0
        """

    private static let staleWhileRevalidate = """
                     | online                        | offline                       | slow                          | failing                       | held               | busy
        nothing      | new fetched 1 0               | offline 1 0                   | new fetched 1 10              | server 1 0                    | server 1 0         | server 0 0
        fresh        | old fresh 0 0                 | old fresh 0 0                 | old fresh 0 0                 | old fresh 0 0                 | old fresh 0 0      | old fresh 0 0
        stale        | old* staleWhileRevalidate 1 0 | old* staleWhileRevalidate 1 0 | old* staleWhileRevalidate 1 0 | old* staleWhileRevalidate 1 0 | old* heldBack! 0 0 | old* heldBack! 0 0
        past ceiling | old* staleWhileRevalidate 1 0 | old* staleWhileRevalidate 1 0 | old* staleWhileRevalidate 1 0 | old* staleWhileRevalidate 1 0 | old* heldBack! 0 0 | old* heldBack! 0 0
        in future    | old* staleWhileRevalidate 1 0 | old* staleWhileRevalidate 1 0 | old* staleWhileRevalidate 1 0 | old* staleWhileRevalidate 1 0 | old* heldBack! 0 0 | old* heldBack! 0 0
        changed      | new fetched 1 0               | app* presumedOffline 1 0      | app* patienceRanOut 1 3       | app* networkFailed! 1 0       | app* heldBack! 0 0 | app* heldBack! 0 0
        """

    // The window is half a minute.
    private static let staleWhileRevalidateWithin = """
                     | online                        | offline                       | slow                          | failing                       | held               | busy
        nothing      | new fetched 1 0               | offline 1 0                   | new fetched 1 10              | server 1 0                    | server 1 0         | server 0 0
        fresh        | old fresh 0 0                 | old fresh 0 0                 | old fresh 0 0                 | old fresh 0 0                 | old fresh 0 0      | old fresh 0 0
        stale        | old* staleWhileRevalidate 1 0 | old* staleWhileRevalidate 1 0 | old* staleWhileRevalidate 1 0 | old* staleWhileRevalidate 1 0 | old* heldBack! 0 0 | old* heldBack! 0 0
        past window  | new fetched 1 0               | old* presumedOffline 1 0      | old* patienceRanOut 1 3       | old* networkFailed! 1 0       | old* heldBack! 0 0 | old* heldBack! 0 0
        past ceiling | new fetched 1 0               | offline 1 0                   | new fetched 1 10              | server 1 0                    | server 1 0         | server 0 0
        in future    | old* staleWhileRevalidate 1 0 | old* staleWhileRevalidate 1 0 | old* staleWhileRevalidate 1 0 | old* staleWhileRevalidate 1 0 | old* heldBack! 0 0 | old* heldBack! 0 0
        """

    private static let networkFirst = """
                     | online          | offline                  | slow                    | failing                 | held               | busy
        nothing      | new fetched 1 0 | offline 1 0              | new fetched 1 10        | server 1 0              | server 1 0         | server 0 0
        fresh        | new fetched 1 0 | old presumedOffline 1 0  | old patienceRanOut 1 3  | old networkFailed! 1 0  | old heldBack! 0 0  | old heldBack! 0 0
        stale        | new fetched 1 0 | old* presumedOffline 1 0 | old* patienceRanOut 1 3 | old* networkFailed! 1 0 | old* heldBack! 0 0 | old* heldBack! 0 0
        past ceiling | new fetched 1 0 | offline 1 0              | new fetched 1 10        | server 1 0              | server 1 0         | server 0 0
        in future    | new fetched 1 0 | old* presumedOffline 1 0 | old* patienceRanOut 1 3 | old* networkFailed! 1 0 | old* heldBack! 0 0 | old* heldBack! 0 0
        changed      | new fetched 1 0 | app* presumedOffline 1 0 | app* patienceRanOut 1 3 | app* networkFailed! 1 0 | app* heldBack! 0 0 | app* heldBack! 0 0
        """

    // With a patience of seven seconds.
    private static let networkFirstPatient = """
                | online          | offline                  | slow                    | failing                 | held               | busy
        nothing | new fetched 1 0 | offline 1 0              | new fetched 1 10        | server 1 0              | server 1 0         | server 0 0
        fresh   | new fetched 1 0 | old presumedOffline 1 0  | old patienceRanOut 1 7  | old networkFailed! 1 0  | old heldBack! 0 0  | old heldBack! 0 0
        stale   | new fetched 1 0 | old* presumedOffline 1 0 | old* patienceRanOut 1 7 | old* networkFailed! 1 0 | old* heldBack! 0 0 | old* heldBack! 0 0
        """

    private static let cacheOnly = """
                     | online             | offline            | slow               | failing            | held               | busy
        nothing      | notStored 0 0      | notStored 0 0      | notStored 0 0      | notStored 0 0      | notStored 0 0      | notStored 0 0
        fresh        | old cacheOnly 0 0  | old cacheOnly 0 0  | old cacheOnly 0 0  | old cacheOnly 0 0  | old cacheOnly 0 0  | old cacheOnly 0 0
        stale        | old* cacheOnly 0 0 | old* cacheOnly 0 0 | old* cacheOnly 0 0 | old* cacheOnly 0 0 | old* cacheOnly 0 0 | old* cacheOnly 0 0
        past ceiling | old* cacheOnly 0 0 | old* cacheOnly 0 0 | old* cacheOnly 0 0 | old* cacheOnly 0 0 | old* cacheOnly 0 0 | old* cacheOnly 0 0
        in future    | old* cacheOnly 0 0 | old* cacheOnly 0 0 | old* cacheOnly 0 0 | old* cacheOnly 0 0 | old* cacheOnly 0 0 | old* cacheOnly 0 0
        changed      | app* cacheOnly 0 0 | app* cacheOnly 0 0 | app* cacheOnly 0 0 | app* cacheOnly 0 0 | app* cacheOnly 0 0 | app* cacheOnly 0 0
        """

    private static let networkOnly = """
                | online          | offline     | slow             | failing    | held       | busy
        nothing | new fetched 1 0 | offline 1 0 | new fetched 1 10 | server 1 0 | server 1 0 | server 1 0
        fresh   | new fetched 1 0 | offline 1 0 | new fetched 1 10 | server 1 0 | server 1 0 | server 1 0
        stale   | new fetched 1 0 | offline 1 0 | new fetched 1 10 | server 1 0 | server 1 0 | server 1 0
        changed | new fetched 1 0 | offline 1 0 | new fetched 1 10 | server 1 0 | server 1 0 | server 1 0
        """

    @Test(
        arguments: [
            Row(name: "cache first", policy: .cacheFirst, table: cacheFirst),
            Row(name: "stale while revalidate", policy: .staleWhileRevalidate, table: staleWhileRevalidate),
            Row(
                name: "stale while revalidate within half a minute",
                policy: .staleWhileRevalidate(within: .seconds(30)), table: staleWhileRevalidateWithin),
            Row(name: "network first", policy: .networkFirst, table: networkFirst),
            Row(
                name: "network first, patient", policy: .networkFirst(patience: .seconds(7)), table: networkFirstPatient
            ),
            Row(name: "cache only", policy: .cacheOnly, table: cacheOnly),
            Row(name: "network only", policy: .networkOnly, table: networkOnly),
        ], [ResourceOptions.Storage.database, .files])
    func `what a read gives, by policy, by what is stored, and by the network`(
        row: Row, storage: ResourceOptions.Storage
    ) async throws {
        let rows = row.table.split(separator: "\n").map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).map { cell in
                cell.split(separator: " ").joined(separator: " ")
            }
        }
        #expect(rows.first.map { $0.dropFirst() } == Self.networks[...])
        for cells in rows.dropFirst() {
            for (network, expected) in zip(Self.networks, cells.dropFirst()) {
                let world = try await ReadWorld(stored: cells[0], network: network, storage: storage)
                let outcome = await world.read(row.policy, expecting: expected)
                #expect(outcome == expected, "\(cells[0]), \(network)")
            }
        }
    }
}

/// A resource with something stored, on a network in some state, for one read.
private struct ReadWorld {
    let world = TestWorld()
    let larder: Larder
    let network: SimulatedNetwork
    let resource: Resource<String>

    init(stored: String, network state: String, storage: ResourceOptions.Storage) async throws {
        larder = .inMemory(environment: world.environment)
        network = SimulatedNetwork(clock: world.clock)
        let options = ResourceOptions(storage: storage, staleIfError: .seconds(600))
        let answers = Answers()
        resource = larder.common.resource("k", maxAge: .seconds(60), options: options) { [network] in
            try await network.answer { answers.next }
        }
        if stored == "nothing" {
            answers.skip()
        } else {
            _ = try await resource.read(.networkOnly)
        }
        switch stored {
        case "nothing": break
        case "fresh": await world.advance(by: .seconds(30))
        case "stale": await world.advance(by: .seconds(90))
        case "past window": await world.advance(by: .milliseconds(90_001))
        case "past ceiling": await world.advance(by: .milliseconds(660_001))
        case "in future": world.clock.set(wall: world.clock.now().addingTimeInterval(-172_800))
        case "changed": try await resource.store("app")
        default: Issue.record("\(stored)")
        }
        switch state {
        case "online": break
        case "offline":
            world.connectivity.set(.offline)
            network.set(.offline)
        case "slow": network.set(.slow(latency: .seconds(10)))
        case "failing": network.set(.status(500))
        case "held":
            network.set(.status(500))
            for _ in 0..<OriginCircuit.failuresThatOpen { _ = try? await resource.read(.networkOnly) }
        case "busy":
            network.set(.status(503, retryAfter: .seconds(100)))
            _ = try? await resource.read(.networkOnly)
        default: Issue.record("\(state)")
        }
    }

    /// Reads, and lets as much time pass as is expected.
    func read(_ policy: ReadPolicy, expecting expected: String) async -> String {
        let (clock, sent) = (world.clock, network.requestCount)
        let start = clock.elapsed
        let over = Gate()
        let reader = Task { [resource] in
            let said: String
            do throws(LarderError) { said = Self.words(try await resource.read(policy)) } catch {
                said = Self.words(error)
            }
            let time = clock.elapsed - start
            over.open()
            return (said, time)
        }
        let words = expected.split(separator: " ")
        let (count, seconds) = (Int(words.dropLast().last ?? "") ?? 0, Int(words.last ?? "") ?? 0)
        if seconds > 0 {
            // The answer on its way, the request's limit, and the patience of one who will not wait to the end.
            await turns { over.isOpen || clock.sleeperCount >= (seconds < 10 ? 3 : 2) }
            await clock.advance(by: .seconds(seconds))
        }
        await turns { over.isOpen }
        if !over.isOpen { await clock.advance(by: .seconds(60)) }
        let (said, time) = await reader.value
        await turns { network.requestCount >= sent + count }
        // What goes on alone comes to its end.
        if network.waitingCount > 0 { await turns { clock.sleeperCount >= 2 } }
        await clock.advance(by: .seconds(60))
        await larder.settle()
        return "\(said) \(network.requestCount - sent) \(time.components.seconds)"
    }

    /// Waits, though not for ever: then what comes next tells what is wrong.
    private func turns(until isDone: () -> Bool) async {
        for _ in 0..<100_000 where !isDone() { await Task.yield() }
    }

    private static func words(_ reading: Reading<String>) -> String {
        "\(reading.value)\(reading.isStale ? "*" : "") \(reading.reason)\(reading.failure == nil ? "" : "!")"
    }

    private static func words(_ error: LarderError) -> String {
        switch error {
        case .fetch(let failure):
            if case .server = failure.kind { "server" } else { "\(failure.kind)" }
        case .notStored: "notStored"
        default: "\(error)"
        }
    }

    /// What the server says, one after the other.
    private final class Answers: Sendable {
        private let asked = Mutex(0)

        func skip() { asked.withLock { $0 += 1 } }

        var next: String {
            asked.withLock { asked in
                asked += 1
                return asked == 1 ? "old" : "new"
            }
        }
    }
}

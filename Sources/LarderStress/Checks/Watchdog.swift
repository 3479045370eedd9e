import Foundation
import Synchronization

/// Knows what has not returned yet, and says so when something takes longer than anything may.
///
/// It looks from a thread of its own, since what it looks for may hold all others.
final class Watchdog: Sendable {
    private struct Operation {
        let name: String
        let since: ContinuousClock.Instant
    }

    private struct State {
        var operations: [Int: Operation] = [:]
        var next = 0
        var isOver = false
    }

    /// In shards, so that operations do not wait for each other here.
    private let shards = (0..<16).map { _ in Shard() }
    private final class Shard: Sendable {
        let state = Mutex(State())
    }

    let limit: Duration

    init(limit: Duration) {
        self.limit = limit
    }

    /// Runs what is to return in time.
    func watching<R>(
        _ name: @autoclosure () -> String, as number: Int, _ body: () async throws -> R
    ) async rethrows -> R {
        let shard = shards[abs(number) % shards.count]
        let operation = Operation(name: name(), since: .now)
        let id = shard.state.withLock { state in
            state.next += 1
            state.operations[state.next] = operation
            return state.next
        }
        defer { shard.state.withLock { _ = $0.operations.removeValue(forKey: id) } }
        return try await body()
    }

    /// What has been under way for longer than the limit, with how long.
    func overdue(at now: ContinuousClock.Instant = .now) -> [String] {
        shards.flatMap { shard in
            shard.state.withLock { state in
                state.operations.values.filter { $0.since.duration(to: now) > limit }
                    .map { "\($0.name), for \($0.since.duration(to: now).components.seconds) s" }
            }
        }.sorted()
    }

    /// Looks twice a second until ``end()``, and reports once.
    func begin(_ report: @escaping @Sendable ([String]) -> Void) {
        let thread = Thread { [self] in
            while !isOver {
                let overdue = overdue()
                guard overdue.isEmpty else { return report(overdue) }
                Thread.sleep(forTimeInterval: 0.5)
            }
        }
        thread.name = "larder-stress watchdog"
        thread.start()
    }

    func end() { shards[0].state.withLock { $0.isOver = true } }

    private var isOver: Bool { shards[0].state.withLock { $0.isOver } }
}

import Synchronization

/// What the handles of one feed share in memory: whose turn it is to ask the server, and the feed's row.
final class FeedState: Sendable {
    let gate = Gate()
    /// The feed's row in the tables, as long as its proofs belong to the declaration with this fingerprint. A row's number is
    /// never given to another feed.
    private let row = Mutex<(id: Int64, paging: String)?>(nil)

    func rowID(for paging: Paging) -> Int64? {
        row.withLock { row in row.flatMap { $0.paging == paging.fingerprint ? $0.id : nil } }
    }

    func remember(row id: Int64, for paging: Paging) {
        row.withLock { $0 = (id, paging.fingerprint) }
    }
}

/// Lets one task through at a time, in the order they came.
final class Gate: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func pass<R: Sendable>(_ body: () async throws -> R) async rethrows -> R {
        await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async {
        // A continuation would send the task around through the pool even when nobody is inside.
        let isFree = state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
        if isFree { return }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}

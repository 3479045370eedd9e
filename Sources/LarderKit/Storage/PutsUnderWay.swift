import Synchronization

/// What is being put into other stores than the database. Those of an app's own know nothing of signing out, so a value may
/// land there after its partition has ended: whoever empties them waits for that.
final class PutsUnderWay: Sendable {
    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let states = Mutex<[Scope: State]>([:])

    /// All of a partition, or one key of it.
    private struct Scope: Hashable {
        let partition: StoreKey
        let key: StoreKey?

        init(_ partition: String) {
            self.partition = StoreKey(partition: partition, key: "")
            key = nil
        }

        init(_ key: StoreKey) {
            partition = StoreKey(partition: key.partition, key: "")
            self.key = key
        }
    }

    /// Puts something, and takes it back where it may not stay, before ``settle(in:)`` returns.
    func tracking<R, Failure: Error>(
        _ key: StoreKey, _ body: () async throws(Failure) -> R
    ) async throws(Failure) -> R {
        let scopes = [Scope(key.partition), Scope(key)]
        states.withLock { states in
            for scope in scopes { states[scope, default: State()].count += 1 }
        }
        defer { for scope in scopes { end(scope) } }
        return try await body()
    }

    private func end(_ key: Scope) {
        let waiting = states.withLock { states -> [CheckedContinuation<Void, Never>] in
            guard var state = states[key] else { return [] }
            state.count -= 1
            guard state.count == 0 else {
                states[key] = state
                return []
            }
            states[key] = nil
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// How many wait for a partition's to end.
    func waitingCount(in partition: String) -> Int {
        states.withLock { $0[Scope(partition)]?.waiting.count ?? 0 }
    }

    /// Waits for a moment at which nothing is being put in a partition.
    func settle(in partition: String) async { await settle(Scope(partition)) }

    /// Waits for a moment at which nothing is being put under a key.
    func settle(_ key: StoreKey) async { await settle(Scope(key)) }

    private func settle(_ key: Scope) async {
        await withCheckedContinuation { continuation in
            let isIdle = states.withLock { states in
                guard states[key] != nil else { return true }
                states[key]?.waiting.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }
}

import Synchronization

/// The partitions in use in this process.
final class Partitions: Sendable {
    private let states = Mutex<[StoreKey: PartitionState]>([:])
    private let generation: @Sendable (String) -> Int64?

    /// - Parameter generation: Looks a partition's generation up in the cache file; `nil` where that cannot be read.
    init(generation: @escaping @Sendable (String) -> Int64?) {
        self.generation = generation
    }

    /// The state that new handles of a partition share.
    ///
    /// - Parameter end: Ends one that was signed out of in another process, before there is a new one.
    func state(of name: String, ending end: (PartitionState) -> Void) -> PartitionState {
        let key = StoreKey(partition: name, key: "")
        let generation = generation(name)
        return states.withLock { states in
            if let state = states[key] {
                // Signing out that is under way, or has failed, is not passed over by a new handle.
                guard !state.isSignedOut, let generation, generation > state.generation else { return state }
                end(state)
            }
            let state = PartitionState(name: name, generation: generation ?? 0)
            states[key] = state
            return state
        }
    }

    /// Lets new handles begin anew after a sign-out is complete.
    func forget(_ state: PartitionState) {
        states.withLock { states in
            let key = StoreKey(partition: state.name, key: "")
            if states[key] === state { states[key] = nil }
        }
    }
}

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
    /// - Parameter end: Ends what is in memory of a state that another process has signed out of, before another begins.
    func state(of name: String, ending end: (PartitionState) -> Void) -> PartitionState {
        let key = StoreKey(partition: name, key: "")
        let generation = generation(name)
        let known = states.withLock { $0[key] }
        if let known, isOver(known, at: generation) { end(known) }
        return states.withLock { states in
            // Signing out that is under way, or has failed, is not passed over by a new handle.
            if let state = states[key], !(state.isSignedOut && isOver(state, at: generation)) { return state }
            let state = PartitionState(name: name, generation: generation ?? 0)
            states[key] = state
            return state
        }
    }

    /// Whether a state was signed out of, and nothing of it is left to be removed by this process.
    private func isOver(_ state: PartitionState, at generation: Int64?) -> Bool {
        guard let generation else { return false }
        return generation > state.generation && !state.isBeingEmptied.load(ordering: .acquiring)
    }

    /// Lets new handles begin anew after a sign-out is complete.
    func forget(_ state: PartitionState) {
        states.withLock { states in
            let key = StoreKey(partition: state.name, key: "")
            if states[key] === state { states[key] = nil }
        }
    }
}

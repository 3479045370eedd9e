import LarderSQLite
import Synchronization

/// The partitions in use in this process.
final class Partitions: Sendable {
    private struct Known {
        let state: PartitionState
        /// The cache file as it was when the generation was last looked up; `nil` when that could not be done.
        var mark: CommitMark?
    }

    private let known = Mutex<[StoreKey: Known]>([:])
    private let database: Database

    init(database: Database) {
        self.database = database
    }

    /// The state that new handles of a partition share. Looks into the cache file, if anything was committed there since
    /// the last time.
    ///
    /// - Parameter retire: Called for the state of earlier handles, if another process has signed out meanwhile. Says whether
    ///   nothing is left of it in this process; until then new handles are signed out too.
    func state(of name: String, retire: (PartitionState) -> Bool) -> PartitionState {
        let key = StoreKey(partition: name, key: "")
        // Taken before: what is looked up is of this moment or later.
        let mark = database.commitMark
        let generation: Int64?
        if let present = known.withLock({ $0[key] }) {
            // Signing out that is under way, or has failed, is not passed over by a new handle.
            if present.mark == mark || present.state.isSignedOut { return present.state }
            generation = lookUp(name)
            guard let generation, generation > present.state.generation else {
                if generation != nil { renew(present.state, mark) }
                return present.state
            }
            guard retire(present.state) else { return present.state }
            forget(present.state)
        } else {
            generation = lookUp(name)
        }
        return known.withLock { known in
            if let present = known[key] { return present.state }
            // Where the file cannot be read, nothing can be written either; it is looked up again by the next handle.
            let state = PartitionState(name: name, generation: generation ?? 0)
            known[key] = Known(state: state, mark: generation == nil ? nil : mark)
            return state
        }
    }

    private func lookUp(_ name: String) -> Int64? {
        try? database.withReader { db in try PartitionTable.generation(of: name, in: db) }
    }

    private func renew(_ state: PartitionState, _ mark: CommitMark) {
        let key = StoreKey(partition: state.name, key: "")
        known.withLock { known in
            if known[key]?.state === state { known[key]?.mark = mark }
        }
    }

    /// Whether new handles share this state, or would if it were not signed out of.
    func isKnown(_ state: PartitionState) -> Bool {
        known.withLock { $0[StoreKey(partition: state.name, key: "")]?.state === state }
    }

    /// Lets new handles begin anew after a sign-out is complete.
    func forget(_ state: PartitionState) {
        let key = StoreKey(partition: state.name, key: "")
        known.withLock { known in
            if known[key]?.state === state { known[key] = nil }
        }
    }
}

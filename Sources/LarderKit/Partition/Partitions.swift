import LarderSQLite
import Synchronization

/// The partitions in use in this process.
final class Partitions: Sendable {
    private struct Known {
        let state: PartitionState
        /// The cache file as it was when the generation was last looked up.
        var mark: CommitMark
    }

    private let known = Mutex<[StoreKey: Known]>([:])
    private let database: Database

    init(database: Database) {
        self.database = database
    }

    /// The state that new handles of a partition share. Looks into the cache file, if anything was committed there since
    /// the last time.
    func state(of name: String) -> PartitionState {
        let key = StoreKey(partition: name, key: "")
        // Taken before: what is looked up is of this moment or later.
        let mark = database.commitMark
        let present = known.withLock { $0[key] }
        if let present, present.mark == mark || present.state.isSignedOut { return present.state }
        let generation = try? database.withReader { db in try PartitionTable.generation(of: name, in: db) }
        return known.withLock { known in
            if let present = known[key] {
                // Signing out that is under way, or has failed, is not passed over by a new handle.
                let isOutdated = generation.map { $0 > present.state.generation } ?? false
                guard !present.state.isSignedOut, isOutdated else {
                    if generation != nil { known[key]?.mark = mark }
                    return present.state
                }
            }
            // What cannot be read now can neither be written, nor be anybody's.
            let state = PartitionState(name: name, generation: generation ?? 0)
            known[key] = Known(state: state, mark: mark)
            return state
        }
    }

    /// Lets new handles begin anew after a sign-out is complete.
    func forget(_ state: PartitionState) {
        let key = StoreKey(partition: state.name, key: "")
        known.withLock { known in
            if known[key]?.state === state { known[key] = nil }
        }
    }
}

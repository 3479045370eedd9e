import Synchronization

/// What the handles of one feed share in memory: the feed's row.
final class FeedState: Sendable {
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

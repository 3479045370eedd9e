import LarderSQLite

/// The least recently used values, as the index of their use has them.
struct EntryCandidates {
    /// A row that may go.
    struct Entry: Sendable, Hashable {
        let row: Int64
        /// `nil` where the row is damaged: then nobody can be told.
        let key: StoreKey?
        let size: Int
        let isBlob: Bool
    }

    /// Only of this partition.
    var partition: String?

    /// What a row and its places in the indexes take besides the bytes of the value, about.
    static let overhead = 256
    /// How many rows' bytes are written over in one transaction.
    static let chunkBytes = 8 << 20

    /// The first that may go, as many as the plan can need.
    ///
    /// - Complexity: O(what goes) for all of a cache; for one partition O(number of its values).
    func window(_ plan: EvictionPlan, in db: borrowing Connection) throws -> EvictionPlan.Window<Entry> {
        let sql = """
            SELECT entry.rowid, entry.partition, entry.key, entry.used_at, entry.size, entry.blob IS NOT NULL
            FROM larder_entry AS entry
            WHERE NOT EXISTS (
                SELECT 1 FROM larder_pin AS pin WHERE pin.partition = entry.partition AND pin.key = entry.key)
                \(partition == nil ? "" : "AND entry.partition = ?1")
            ORDER BY \(partition == nil ? "entry.used_at" : "+entry.used_at"), entry.rowid
            """
        return try db.withStatement(sql) { statement in
            if let partition { try statement.bind(partition, at: 1) }
            var window = EvictionPlan.Window<Entry>(candidates: [])
            var (bytes, rowBytes) = (0, 0)
            while try statement.step() {
                let usedAt = try statement.row.readableInt64(3) ?? 0
                guard bytes < plan.bytes || usedAt < plan.unusedSince else { break }
                guard window.candidates.count < plan.limit, rowBytes < Self.chunkBytes || plan.limit == .max else {
                    window.horizon = usedAt
                    break
                }
                let entry = try entry(statement.row)
                window.candidates.append(
                    EvictionPlan.Candidate(subject: entry, bytes: entry.size + Self.overhead, usedAt: usedAt))
                bytes += entry.size + Self.overhead
                if !entry.isBlob { rowBytes += entry.size }
            }
            return window
        }
    }

    private func entry(_ row: borrowing Row) throws -> Entry {
        var key: StoreKey?
        if let partition = try row.readableText(1), let name = try row.readableText(2) {
            key = StoreKey(partition: partition, key: name)
        }
        let size = try row.readableInt64(4) ?? 0
        return Entry(
            row: try row.int64(0), key: key, size: Int(clamping: min(max(size, 0), 1 << 40)), isBlob: try row.bool(5))
    }
}

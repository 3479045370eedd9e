import LarderSQLite

/// What happens to a feed when the app declares another paging or order: the items stay, the proofs go.
///
/// Each item becomes a stretch of its own, so that it can still be shown, with a gap on both sides.
struct FeedRekeying {
    let partition: String
    let name: String
    let row: FeedRow
    let paging: Paging

    /// The feed gets another number, so that whoever still holds the old one finds nothing under it rather than items whose
    /// keys mean something else.
    ///
    /// - Complexity: O(the feed), a few rows in memory at a time.
    func run(in db: borrowing Connection) throws {
        try SegmentTable(feed: row.id).removeAll(in: db)
        try EdgeTable(feed: row.id).removeAll(in: db)
        try EnvelopeTable(feed: row.id).removeAll(in: db)
        let number = try renumber(in: db)
        let segments = SegmentTable(feed: number)
        var next: Int64 = 0
        try ItemTable(feed: row.id, order: paging.order).rekey(into: number, in: db) { item in
            let key: SortKey
            switch paging.order {
            case .byID(let order):
                key = SortKey(item.id, order: order)
            case .byPosition:
                key = .integer(next)
                next += KeySpacing.standard.run
            }
            // Order 0: any answer is later than what is left of an older declaration.
            let stamp = Stamp(order: 0, at: item.storedAt, lifetime: 0)
            try segments.insert(Segment(span: Span(of: key), stamp: stamp), in: db)
            return key
        }
    }

    /// Puts a new row in the place of the feed's, under a number that no feed has had.
    private func renumber(in db: borrowing Connection) throws -> Int64 {
        let anchor = try ReadingAnchor.load(feed: row.id, in: db)
        try db.withStatement("DELETE FROM larder_feed WHERE id = ?1") { statement in
            try statement.bind(row.id, at: 1)
            try statement.run()
        }
        var fresh = try FeedRow.create(partition: partition, name: name, paging: paging, in: db)
        fresh.latest = row.latest
        fresh.largestPage = row.largestPage
        fresh.usedAt = row.usedAt
        try fresh.save(in: db)
        try fresh.setPinned(row.isPinned, in: db)
        // Its key means nothing any more; the item does.
        if let anchor { try ReadingAnchor(item: anchor.item, key: nil).save(feed: fresh.id, in: db) }
        return fresh.id
    }
}

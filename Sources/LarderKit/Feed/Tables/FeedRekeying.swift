import LarderSQLite

/// What happens to a feed when the app declares another paging or order: the items stay, the proofs go.
///
/// Each item becomes a stretch of its own, so that it can still be shown, with a gap on both sides.
struct FeedRekeying {
    let row: FeedRow
    let paging: Paging

    /// - Complexity: O(the feed), a few rows in memory at a time.
    func run(in db: borrowing Connection) throws {
        let segments = SegmentTable(feed: row.id)
        try segments.removeAll(in: db)
        var next: Int64 = 0
        try ItemTable(feed: row.id, order: paging.order).rekey(in: db) { item in
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
        let sql = """
            UPDATE larder_feed SET paging = ?2, empty_low = NULL, empty_high = NULL, empty_stamp = NULL WHERE id = ?1
            """
        try db.withStatement(sql) { statement in
            try statement.bind(row.id, at: 1)
            try statement.bind(paging.fingerprint, at: 2)
            try statement.run()
        }
    }
}

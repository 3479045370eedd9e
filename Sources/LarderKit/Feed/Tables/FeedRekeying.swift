import LarderSQLite

/// What happens to a feed when the app declares another paging or order: the items stay, the proofs go.
///
/// Each item becomes a stretch of its own, so that it can still be shown, with a gap on both sides.
struct FeedRekeying {
    let row: FeedRow
    let paging: Paging

    func run(in db: borrowing Connection) throws {
        let segments = SegmentTable(feed: row.id)
        let rows = try storedRows(in: db)
        try segments.removeAll(in: db)
        try db.withStatement("DELETE FROM larder_feed_item WHERE feed = ?1") { statement in
            try statement.bind(row.id, at: 1)
            try statement.run()
        }
        for (index, stored) in rows.enumerated() {
            let key =
                switch paging.order {
                case .byID(let order): SortKey(stored.id, order: order)
                case .byPosition: SortKey.integer(Int64(index) * PositionPlacement.runStep)
                }
            try insert(stored, at: key, in: db)
            // Order 0: any answer is later than what is left of an older declaration.
            let stamp = Stamp(order: 0, at: stored.storedAt, lifetime: 0)
            try segments.insert(Segment(span: Span(of: key), stamp: stamp), in: db)
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

    private struct StoredRow {
        let id: ItemID
        let body: [UInt8]
        let codec: Int64
        let storedAt: Int64
    }

    /// All rows in their old order, oldest first.
    private func storedRows(in db: borrowing Connection) throws -> [StoredRow] {
        let items = ItemTable(feed: row.id, order: paging.order)
        let sql = "SELECT key, id, body, codec, stored_at FROM larder_feed_item WHERE feed = ?1 ORDER BY key"
        return try db.withStatement(sql) { statement in
            try statement.bind(row.id, at: 1)
            var rows: [StoredRow] = []
            while try statement.step() {
                let id = items.itemID(
                    try statement.row.sortKey(0), stored: statement.row.isNull(1) ? nil : try statement.row.text(1))
                rows.append(
                    StoredRow(
                        id: id, body: try statement.row.withBytes(2) { Array($0) }, codec: try statement.row.int64(3),
                        storedAt: try statement.row.int64(4)))
            }
            return rows
        }
    }

    private func insert(_ stored: StoredRow, at key: SortKey, in db: borrowing Connection) throws {
        let items = ItemTable(feed: row.id, order: paging.order)
        _ = try stored.body.withUnsafeBytes { body in
            try items.upsert(
                PagePlacement.Item(index: 0, id: stored.id, key: key), body: body, codec: stored.codec,
                storedAt: stored.storedAt, in: db)
        }
    }
}

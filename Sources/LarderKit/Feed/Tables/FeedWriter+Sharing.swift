import LarderSQLite

/// What an answer to one feed has changed in another that shows the same items.
struct SharedChange: Sendable {
    let feedName: String
    let feed: Int64
    let updated: [ItemID]
    let touched: [Span]
}

extension FeedWriter {
    /// Brings the items of a page up to date in the other feeds of the partition that share them: those that stand there as of
    /// an earlier answer, under the same codec.
    ///
    /// - Complexity: O(items whose bytes were written × feeds of that kind): nothing for what has not changed.
    func share(
        _ written: [PagePlacement.Item], of page: IncomingPage, codec: Int64, row: FeedRow, in db: borrowing Connection
    ) throws -> [SharedChange] {
        guard let sharing, !written.isEmpty else { return [] }
        var changes: [SharedChange] = []
        for feed in try StoredFeed.sharing(sharing, partition: partition, except: row.id, in: db) {
            let items = ItemTable(feed: feed.id, order: feed.order)
            let segments = SegmentTable(feed: feed.id)
            var updated: [ItemID] = []
            var touched: [Span] = []
            for item in written {
                guard let key = try items.key(of: item.id, in: db) else { continue }
                let place = Span(of: key)
                let isLater = try segments.segments(touching: place, in: db)
                    .contains { $0.span.contains(key) && $0.stamp > page.stamp }
                guard !isLater else { continue }
                let isNew = try page.bodies.withBytes(at: item.index) { body in
                    try items.replace(key, of: item.id, body: body, codec: codec, storedAt: page.storedAt, in: db)
                }
                guard isNew else { continue }
                updated.append(item.id)
                touched.append(place)
            }
            guard !updated.isEmpty else { continue }
            changes.append(SharedChange(feedName: feed.name, feed: feed.id, updated: updated, touched: touched))
        }
        return changes
    }
}

extension ItemTable {
    /// Gives a stored item other bytes, if they are other ones and the codec is the same.
    fileprivate func replace(
        _ key: SortKey, of id: ItemID, body: UnsafeRawBufferPointer, codec: Int64, storedAt: Int64,
        in db: borrowing Connection
    ) throws -> Bool {
        let sql = """
            UPDATE larder_feed_item SET body = ?3, stored_at = ?5, checksum = ?6
            WHERE feed = ?1 AND key = ?2 AND codec = ?4 AND body IS NOT ?3
            """
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(key, at: 2)
            try statement.bind(body, at: 3)
            try statement.bind(codec, at: 4)
            try statement.bind(storedAt, at: 5)
            let place = checksum(key, id: storesID(at: key) ? id.rawValue : nil, codec: codec)
            try statement.bind(place ^ RowChecksum.ofBody(body), at: 6)
            try statement.run()
            return db.changes > 0
        }
    }
}

extension StoredFeed {
    /// The feeds of a partition that share items of a kind. One whose declaration cannot be read is passed over: it shows
    /// nothing, and must not hinder what others keep.
    fileprivate static func sharing(
        _ kind: String, partition: String, except feed: Int64, in db: borrowing Connection
    ) throws -> [StoredFeed] {
        let sql = "SELECT id, name, paging FROM larder_feed WHERE partition = ?1 AND kind = ?2 AND id <> ?3"
        return try db.withStatement(sql) { statement in
            try statement.bind(partition, at: 1)
            try statement.bind(kind, at: 2)
            try statement.bind(feed, at: 3)
            return try statement.collect { row in
                try (id: row.int64(0), name: row.text(1), paging: row.text(2))
            }.compactMap { row in
                guard let paging = try? Paging(fingerprint: row.paging) else { return nil }
                return StoredFeed(id: row.id, partition: partition, name: row.name, paging: paging)
            }
        }
    }
}

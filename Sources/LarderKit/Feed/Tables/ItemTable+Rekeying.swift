import LarderSQLite

extension ItemTable {
    /// An item whose key changes.
    struct Rekeyed {
        fileprivate let row: Int64
        let key: SortKey
        let id: ItemID
        let storedAt: Int64
        fileprivate let codec: Int64
        fileprivate let checksum: Int64
        fileprivate let storedID: String?
    }

    /// Gives every item another key, lowest first, in place: a few rows are in memory at a time, and no bytes of items.
    ///
    /// Keys are unique within a feed, so the rows stand under a number that no feed has until each has its new one.
    /// - Complexity: O(the feed).
    /// - Parameter target: The number of the feed that the items belong to from then on.
    func rekey(
        into target: Int64, in db: borrowing Connection, _ newKey: (Rekeyed) throws -> SortKey
    ) throws {
        try db.withStatement("UPDATE larder_feed_item SET feed = -feed WHERE feed = ?1") { statement in
            try statement.bind(feed, at: 1)
            try statement.run()
        }
        while true {
            let parked = try parkedItems(limit: 256, in: db)
            guard !parked.isEmpty else { return }
            for item in parked {
                let key = try newKey(item)
                let id = storesID(at: key) ? item.id.rawValue : nil
                // Only the part of the sum that changes: a row that is damaged stays so.
                let place = checksum(item.key, id: item.storedID, codec: item.codec)
                let table = ItemTable(feed: target, order: order)
                let sum = item.checksum ^ place ^ table.checksum(key, id: id, codec: item.codec)
                let sql = "UPDATE larder_feed_item SET feed = ?2, key = ?3, id = ?4, checksum = ?5 WHERE rowid = ?1"
                try db.withStatement(sql) { statement in
                    try statement.bind(item.row, at: 1)
                    try statement.bind(target, at: 2)
                    try statement.bind(key, at: 3)
                    try statement.bind(id, at: 4)
                    try statement.bind(sum, at: 5)
                    try statement.run()
                }
            }
        }
    }

    private func parkedItems(limit: Int, in db: borrowing Connection) throws -> [Rekeyed] {
        let sql = """
            SELECT rowid, key, id, stored_at, codec, checksum FROM larder_feed_item WHERE feed = ?1 ORDER BY key LIMIT ?2
            """
        return try db.withStatement(sql) { statement in
            try statement.bind(-feed, at: 1)
            try statement.bind(limit, at: 2)
            var items: [Rekeyed] = []
            while try statement.step() {
                let key = try statement.row.sortKey(1)
                let stored = try statement.row.optionalText(2)
                items.append(
                    Rekeyed(
                        row: try statement.row.int64(0), key: key, id: itemID(key, stored: stored),
                        storedAt: try statement.row.int64(3), codec: try statement.row.int64(4),
                        checksum: try statement.row.int64(5), storedID: stored))
            }
            return items
        }
    }
}

import LarderSQLite

/// Which items a damaged database had, by the indexes of their keys and ids: what is there and has no row is lost.
struct ItemIndex {
    let image: DatabaseImage?

    struct Knowledge {
        /// Every entry of the index was read.
        var isComplete = false
        /// Items that have no row.
        var lost = 0
        /// Feeds that had an item of which the id alone is known, and so not its place.
        var misses: Set<Int64> = []
    }

    /// Leaves what is known in a temporary table, for ``differences(of:in:)``.
    func compare(in db: borrowing Connection) throws -> Knowledge {
        try db.executeScript(
            "CREATE TEMP TABLE larder_known_item (feed INTEGER, key, PRIMARY KEY (feed, key)) WITHOUT ROWID")
        var knowledge = Knowledge()
        let name = "sqlite_autoindex_larder_feed_item_1"
        guard let image, let root = image.schema.first(where: { $0.name == name })?.rootPage else { return knowledge }
        var areReadable = true
        var rows: Set<SQLValue> = []
        let verdict = try image.entries(ofIndexRootedAt: root) { row in
            guard row.values.count == 3, case .integer(let feed) = row.values[0] else {
                areReadable = false
                return
            }
            rows.insert(row.values[2])
            switch row.values[1] {
            case .integer, .blob:
                try db.execute("INSERT OR IGNORE INTO temp.larder_known_item VALUES (\(feed), \(row.values[1]))")
            case .null, .real, .text: areReadable = false
            }
        }
        knowledge.isComplete = verdict.isComplete && areReadable
        let sql: SQL = """
            SELECT count(*) FROM temp.larder_known_item AS known WHERE NOT EXISTS (
                SELECT 1 FROM larder_feed_item AS item WHERE item.feed = known.feed AND item.key = known.key)
            """
        knowledge.lost = try db.first(sql) { try $0.int(0) } ?? 0
        knowledge.misses = try misses(besides: rows, in: db)
        return knowledge
    }

    /// - Parameter rows: The numbers of rows that the other index has: where one of them is lost, its key is known.
    private func misses(besides rows: Set<SQLValue>, in db: borrowing Connection) throws -> Set<Int64> {
        var misses: Set<Int64> = []
        guard let image, let root = image.schema.first(where: { $0.name == "larder_feed_item_id" })?.rootPage else {
            return misses
        }
        _ = try image.entries(ofIndexRootedAt: root) { row in
            guard row.values.count == 3, case .integer(let feed) = row.values[0], case .text(let id) = row.values[1],
                !rows.contains(row.values[2])
            else { return }
            let sql: SQL = "SELECT 1 FROM larder_feed_item WHERE feed = \(feed) AND id = \(id)"
            if try db.first(sql, { _ in true }) == nil { misses.insert(feed) }
        }
        return misses
    }

    /// The keys at which the index and the rows of a feed do not agree: of items that are lost, and of items that may have
    /// been removed.
    static func differences(of feed: Int64, in db: borrowing Connection) throws -> [SortKey] {
        let sql: SQL = """
            SELECT key FROM temp.larder_known_item AS known WHERE feed = \(feed) AND NOT EXISTS (
                SELECT 1 FROM larder_feed_item AS item WHERE item.feed = known.feed AND item.key = known.key)
            UNION ALL
            SELECT key FROM larder_feed_item AS item WHERE feed = \(feed) AND NOT EXISTS (
                SELECT 1 FROM temp.larder_known_item AS known WHERE known.feed = item.feed AND known.key = item.key)
            """
        return try db.query(sql) { row in try row.sortKey(0) }
    }
}

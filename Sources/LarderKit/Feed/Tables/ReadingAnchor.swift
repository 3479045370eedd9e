import LarderSQLite

/// The item at which someone was reading a feed, with its place, so that the place is found when the item has gone.
struct ReadingAnchor: Sendable, Hashable {
    let item: ItemID
    let key: SortKey?

    static func load(feed: Int64, in db: borrowing Connection) throws -> ReadingAnchor? {
        let sql = "SELECT anchor_id, anchor_key FROM larder_feed WHERE id = ?1 AND anchor_id IS NOT NULL"
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            guard try statement.step(), statement.row.type(0) == .text else { return nil }
            let key = statement.row.isNull(1) ? nil : try statement.row.sortKey(1)
            return ReadingAnchor(item: ItemID(try statement.row.text(0)), key: key)
        }
    }

    func save(feed: Int64, in db: borrowing Connection) throws {
        try Self.update(feed, self, in: db)
    }

    static func clear(feed: Int64, in db: borrowing Connection) throws {
        try update(feed, nil, in: db)
    }

    private static func update(_ feed: Int64, _ anchor: ReadingAnchor?, in db: borrowing Connection) throws {
        try db.withStatement("UPDATE larder_feed SET anchor_id = ?2, anchor_key = ?3 WHERE id = ?1") { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(anchor?.item.rawValue, at: 2)
            if let key = anchor?.key { try statement.bind(key, at: 3) } else { try statement.bindNull(at: 3) }
            try statement.run()
        }
    }

    /// The item itself, or where it has gone the one next below its place, or above it.
    func nearest(in items: ItemTable, _ db: borrowing Connection) throws -> ItemID? {
        if try items.key(of: item, in: db) != nil { return item }
        guard let key else { return nil }
        let below = try items.neighbour(.below, of: .below(key), in: db)
        return try below?.id ?? items.neighbour(.above, of: .below(key), in: db)?.id
    }
}

import LarderSQLite

/// The items of a partition that were said to be gone, for as long as an answer may arrive that was asked for before.
struct GoneItems {
    let partition: String

    /// No request lasts longer than this, in the units of a stamp's order (microseconds).
    private static let memory: Int64 = 24 * 3600 * 1_000_000

    /// Removes the item from every feed of the partition. Its neighbours stay neighbours.
    func insert(_ id: ItemID, stamp: Stamp, in db: borrowing Connection) throws {
        try db.withStatement("DELETE FROM larder_gone WHERE partition = ?1 AND stamp < ?2") { statement in
            try statement.bind(partition, at: 1)
            try statement.bind(stamp.order - Self.memory, at: 2)
            try statement.run()
        }
        try db.withStatement("INSERT INTO larder_gone (partition, stamp, id) VALUES (?1, ?2, ?3)") { statement in
            try statement.bind(partition, at: 1)
            try statement.bind(stamp.order, at: 2)
            try statement.bind(id.rawValue, at: 3)
            try statement.run()
        }
        for feed in try StoredFeed.all(in: db) where feed.partition.utf8.elementsEqual(partition.utf8) {
            let items = ItemTable(feed: feed.id, order: feed.order)
            guard let key = try items.key(of: id, in: db) else { continue }
            try items.remove(key, in: db)
            try SupposedEnd.clear(feed: feed.id, item: id, in: db)
        }
    }

    /// The order of the latest word on a single item; a request that starts now is later.
    func latest(in db: borrowing Connection) throws -> Int64 {
        try db.withStatement("SELECT max(stamp) FROM larder_gone WHERE partition = ?1") { statement in
            try statement.bind(partition, at: 1)
            return try statement.step() ? try statement.row.optionalInt64(0) ?? 0 : 0
        }
    }

    /// The items that were said to be gone later than `stamp`.
    func since(_ stamp: Stamp, in db: borrowing Connection) throws -> Set<ItemID> {
        try db.withStatement("SELECT id FROM larder_gone WHERE partition = ?1 AND stamp > ?2") { statement in
            try statement.bind(partition, at: 1)
            try statement.bind(stamp.order, at: 2)
            return Set(try statement.collect { row in ItemID(try row.text(0)) })
        }
    }
}

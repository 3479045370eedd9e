import LarderSQLite

/// The keys of values that are never trimmed, whether they are stored now or not. Feeds say so in their own rows.
enum PinTable {
    static func set(_ key: StoreKey, _ isPinned: Bool, in db: borrowing Connection) throws {
        let sql =
            isPinned
            ? "INSERT INTO larder_pin (partition, key) VALUES (?1, ?2) ON CONFLICT DO NOTHING"
            : "DELETE FROM larder_pin WHERE partition = ?1 AND key = ?2"
        try db.withStatement(sql) { statement in
            try statement.bind(key.partition, at: 1)
            try statement.bind(key.key, at: 2)
            try statement.run()
        }
    }

    static func contains(_ key: StoreKey, in db: borrowing Connection) throws -> Bool {
        try db.withStatement("SELECT 1 FROM larder_pin WHERE partition = ?1 AND key = ?2") { statement in
            try statement.bind(key.partition, at: 1)
            try statement.bind(key.key, at: 2)
            return try statement.step()
        }
    }

    static func keys(in db: borrowing Connection) throws -> Set<StoreKey> {
        try db.withStatement("SELECT partition, key FROM larder_pin") { statement in
            Set(
                try statement.collect { row -> StoreKey? in
                    guard let partition = try row.readableText(0), let key = try row.readableText(1) else { return nil }
                    return StoreKey(partition: partition, key: key)
                }.compactMap { $0 })
        }
    }
}

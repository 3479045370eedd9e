import LarderSQLite

/// The size of a database, in pages.
struct DatabaseSize: Sendable, Hashable {
    let pageSize: Int
    let pages: Int
    let freePages: Int

    /// The bytes of the pages that hold something.
    var inUse: Int { (pages - freePages) * pageSize }
    /// The bytes of the pages that hold nothing any more and are still part of the file.
    var free: Int { freePages * pageSize }

    /// - Complexity: O(1).
    init(of db: borrowing Connection) throws {
        pageSize = try db.first("PRAGMA page_size") { try $0.int(0) } ?? 0
        pages = try db.first("PRAGMA page_count") { try $0.int(0) } ?? 0
        freePages = min(pages, try db.first("PRAGMA freelist_count") { try $0.int(0) } ?? 0)
    }
}

/// What the tables tell of the bytes that a cache takes.
enum UsageTable {
    /// A size that a damaged row tells is not taken for more than this.
    private static let largest = 1 << 40

    /// The bytes of the values whose bodies lie in files of their own, by the index that tells nothing else.
    ///
    /// - Parameter large: Of values of more bytes than this each row has to prove itself: what one that is damaged says of its
    ///   size is not to be made room for.
    static func blobs(_ table: EntryTable, large: Int, in db: borrowing Connection) throws -> Int {
        let rows = "FROM larder_entry INDEXED BY larder_entry_blob WHERE blob IS NOT NULL AND size"
        return try sum("SELECT total(max(size, 0)) \(rows) <= \(large)", in: db)
            + proven("SELECT partition, key \(rows) > \(large)", table, in: db)
    }

    /// The bytes of what is exempt from trimming, but for files, which the database knows nothing of.
    ///
    /// - Parameter large: As for ``blobs(_:large:in:)``.
    /// - Complexity: O(number of pinned values and of the items of pinned feeds).
    static func pinned(_ table: EntryTable, large: Int, in db: borrowing Connection) throws -> Int {
        let rows = """
            FROM larder_pin AS pin JOIN larder_entry AS entry ON entry.partition = pin.partition AND entry.key = pin.key
            WHERE entry.size
            """
        let values =
            try sum("SELECT total(max(entry.size, 0)) \(rows) <= \(large)", in: db)
            + proven("SELECT pin.partition, pin.key \(rows) > \(large)", table, in: db)
        let items = try sum(
            """
            SELECT total(length(item.body)) FROM larder_feed AS feed
            JOIN larder_feed_item AS item ON item.feed = feed.id WHERE feed.is_pinned
            """, in: db)
        return values + items
    }

    /// The bytes of the values at these places whose rows prove themselves.
    private static func proven(_ places: String, _ table: EntryTable, in db: borrowing Connection) throws -> Int {
        let keys = try db.withStatement(places) { statement in
            try statement.collect { row -> StoreKey? in
                guard let partition = try row.readableText(0), let key = try row.readableText(1) else { return nil }
                return StoreKey(partition: partition, key: key)
            }
        }
        return try keys.compactMap { $0 }.reduce(0) { sum, key in
            do { return sum + (try table.record(of: key, in: db)?.size ?? 0) } catch let error as StorageError {
                // It is forgotten with the next repair.
                guard error.kind == .corrupt else { throw error }
                return sum
            }
        }
    }

    /// The bytes that the database takes before anything is stored in it.
    static func empty(_ size: DatabaseSize, in db: borrowing Connection) throws -> Int {
        let roots = try db.first("SELECT count(*) FROM sqlite_master WHERE rootpage > 0") { try $0.int(0) } ?? 0
        // The schema's own page, and one that tells where pages belong.
        return (roots + 2) * size.pageSize
    }

    /// The bytes of values and items, by partition: a key without a name.
    ///
    /// - Complexity: O(number of values and items), without their bytes.
    static func partitions(in db: borrowing Connection) throws -> [StoreKey: Int] {
        let values = "SELECT partition, total(min(max(size, 0), \(largest))) FROM larder_entry GROUP BY partition"
        let items = """
            SELECT feed.partition, total(length(item.body)) FROM larder_feed AS feed
            JOIN larder_feed_item AS item ON item.feed = feed.id GROUP BY feed.partition
            """
        var sizes: [StoreKey: Int] = [:]
        for sql in [values, items] {
            try db.withStatement(sql) { statement in
                while try statement.step() {
                    guard let partition = try statement.row.readableText(0) else { continue }
                    sizes[StoreKey(partition: partition, key: ""), default: 0] += Int(
                        clamping: Int64(try statement.row.double(1)))
                }
            }
        }
        return sizes
    }

    private static func sum(_ sql: String, in db: borrowing Connection) throws -> Int {
        try db.withStatement(sql) { statement in
            try statement.step() ? Int(clamping: Int64(try statement.row.double(0))) : 0
        }
    }
}

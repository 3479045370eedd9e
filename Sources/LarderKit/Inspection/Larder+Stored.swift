package import Foundation
import LarderSQLite

/// What is stored, as bytes: for a program that knows no codecs and asks nobody.
extension Larder {
    package struct StoredValue: Sendable {
        package let body: Data
        package let summary: EntrySummary
        /// The file that holds the bytes, where they lie in one.
        package let file: URL?
    }

    /// The value of a key in the database, or in a file that its row names; `nil` is not stored.
    package func rowValue(of key: StoreKey) throws(StorageError) -> StoredValue? {
        let store = core.sqliteStore
        guard let entry = try store.entry(for: key) else { return nil }
        let found = try storing { try core.database.withReader { db in try store.table.summary(of: key, in: db) } }
        guard let (summary, blob) = found else { return nil }
        let file = blob.flatMap { name in store.blobs?.folder.appendingPathComponent(name) }
        return StoredValue(body: entry.body, summary: summary, file: file)
    }

    /// The value of a key among the files; `nil` is not stored.
    package func fileValue(of key: StoreKey) throws(StorageError) -> StoredValue? {
        guard let store = core.fileStore as? FileStore, let entry = try store.entry(for: key) else { return nil }
        var summary = EntrySummary(key: key, size: entry.body.count, metadata: entry.metadata)
        summary.place = .file
        summary.isPinned = try storing { try core.database.withReader { db in try PinTable.contains(key, in: db) } }
        return StoredValue(body: entry.body, summary: summary, file: store.url(of: key))
    }

    /// Whether a value or a feed is stored under a key, be it damaged or not.
    package func isStored(_ key: StoreKey) throws(StorageError) -> Bool {
        if let store = core.fileStore as? FileStore, FileManager.default.fileExists(atPath: store.url(of: key).path) {
            return true
        }
        return try storing {
            try core.database.withReader { db in
                try EntryTable.isStored(key, in: db) || StoredFeed.isKnown(key, in: db)
            }
        }
    }

    package struct FeedItem: Sendable {
        package let body: Data
        package let codec: CodecID
        /// When it was asked for, or last changed.
        package let storedAt: Date
    }

    /// An item of a feed; `nil` is not stored.
    package func item(_ id: ItemID, ofFeed name: String, in partition: String) throws(StorageError) -> FeedItem? {
        try storing {
            try core.database.withReader { db in
                guard let row = try FeedRow.load(partition: partition, name: name, in: db) else { return nil }
                let items = ItemTable(feed: row.id, order: try Paging.order(of: row.paging))
                guard let key = try items.key(of: id, in: db),
                    let item = try items.items(next: .above, to: .below(key), limit: 1, in: db).first, item.key == key
                else { return nil }
                guard let codec = item.codec else { throw StorageError.corrupt("an item's row is damaged") }
                return FeedItem(
                    body: item.body, codec: try core.codec(codec), storedAt: try items.storedAt(key, in: db))
            }
        }
    }
}

extension EntryTable {
    /// Whether there is a row, be it damaged or not.
    static func isStored(_ key: StoreKey, in db: borrowing Connection) throws -> Bool {
        try db.withStatement("SELECT 1 FROM larder_entry WHERE partition = ?1 AND key = ?2") { statement in
            try statement.bind(key.partition, at: 1)
            try statement.bind(key.key, at: 2)
            return try statement.step()
        }
    }

    /// What is known of a value besides its bytes, and the file that holds them.
    fileprivate func summary(
        of key: StoreKey, in db: borrowing Connection
    ) throws -> (summary: EntrySummary, blob: String?)? {
        guard let record = try record(of: key, in: db) else { return nil }
        var summary = EntrySummary(key: key, size: record.size, metadata: record.metadata)
        summary.place = record.blob == nil ? .database : .blob
        summary.isPinned = try PinTable.contains(key, in: db)
        let sql = "SELECT used_at FROM larder_entry WHERE partition = ?1 AND key = ?2"
        summary.usedAt = try db.withStatement(sql) { statement in
            try statement.bind(key.partition, at: 1)
            try statement.bind(key.key, at: 2)
            guard try statement.step() else { return nil }
            return try statement.row.readableInt64(0).map { Date(millisecondsSince1970: $0) }
        }
        return (summary, record.blob)
    }
}

extension StoredFeed {
    /// Whether anything is known of a feed. A row alone says nothing: it stays when all else was removed.
    fileprivate static func isKnown(_ key: StoreKey, in db: borrowing Connection) throws -> Bool {
        let sql = """
            SELECT 1 FROM larder_feed
            WHERE partition = ?1 AND name = ?2
                AND (is_pinned OR EXISTS (SELECT 1 FROM larder_feed_item WHERE feed = larder_feed.id)
                    OR EXISTS (SELECT 1 FROM larder_segment WHERE feed = larder_feed.id))
            """
        return try db.withStatement(sql) { statement in
            try statement.bind(key.partition, at: 1)
            try statement.bind(key.key, at: 2)
            return try statement.step()
        }
    }
}

extension ItemTable {
    fileprivate func storedAt(_ key: SortKey, in db: borrowing Connection) throws -> Date {
        try db.withStatement("SELECT stored_at FROM larder_feed_item WHERE feed = ?1 AND key = ?2") { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(key, at: 2)
            return Date(millisecondsSince1970: try statement.step() ? try statement.row.int64(0) : 0)
        }
    }
}

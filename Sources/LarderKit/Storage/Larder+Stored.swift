package import Foundation
import LarderSQLite

/// What is stored, as bytes: for a program that knows no codecs and asks nobody.
extension Larder {
    /// Where a value lies.
    package enum Place: Sendable, Hashable {
        /// In its row of the database.
        case row
        /// In a file of its own.
        case file(URL)
    }

    package struct StoredValue: Sendable {
        package let entry: StoredEntry
        package let place: Place
    }

    /// The value of a key in the database; `nil` is not stored.
    package func rowValue(of key: StoreKey) throws(StorageError) -> StoredValue? {
        try core.sqliteStore.entry(for: key).map { StoredValue(entry: $0, place: .row) }
    }

    /// The value of a key among the files; `nil` is not stored.
    package func fileValue(of key: StoreKey) throws(StorageError) -> StoredValue? {
        guard let store = core.fileStore as? FileStore else { return nil }
        return try store.entry(for: key).map { StoredValue(entry: $0, place: .file(store.url(of: key))) }
    }

    package struct StoredItem: Sendable {
        package let body: Data
        package let codec: CodecID
        /// When it was asked for, or last changed.
        package let storedAt: Date
    }

    /// An item of a feed; `nil` is not stored.
    package func item(_ id: ItemID, ofFeed name: String, in partition: String) throws(StorageError) -> StoredItem? {
        try storing {
            try core.database.withReader { db in
                guard let row = try FeedRow.load(partition: partition, name: name, in: db) else { return nil }
                let items = ItemTable(feed: row.id, order: try Paging.order(of: row.paging))
                guard let key = try items.key(of: id, in: db),
                    let item = try items.items(next: .above, to: .below(key), limit: 1, in: db).first, item.key == key
                else { return nil }
                return StoredItem(
                    body: item.body, codec: try core.codec(item.codec), storedAt: try items.storedAt(key, in: db))
            }
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

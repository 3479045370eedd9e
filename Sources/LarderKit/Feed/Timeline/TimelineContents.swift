import Foundation
import LarderSQLite

/// Where the rows of a timeline come from when they are touched.
struct TimelineContents<Item: Sendable>: Sendable {
    let feed: Feed<Item>
    let decoded: DecodedItems<Item>

    init(feed: Feed<Item>) {
        self.feed = feed
        decoded = feed.core.decodedFeeds.items(of: feed.key, codec: feed.codec.id)
    }

    /// The item as it is stored now, decoded unless that was done lately: one indexed read.
    func row(_ entry: TimelineEntry, in rows: TimelineRows) throws(LarderError) -> TimelineRow<Item> {
        if let known = decoded.entry(for: entry.id, version: entry.version) {
            return known.value.map { .item(entry.id, $0) } ?? .undecodable(entry.id)
        }
        let stored: (item: StoredItem, version: Int64)?
        do {
            let items = ItemTable(feed: rows.feed, order: rows.order)
            stored = try feed.core.database.withReader { db in
                feed.core.timelineMeter.countBody()
                return try items.item(entry.id, in: db)
            }
        } catch {
            throw LarderError(wrapping: error)
        }
        guard let stored else { return .vanished(entry.id) }
        let value = try? feed.decode(stored.item).get()
        decoded.insert(value, for: entry.id, version: stored.version)
        return value.map { .item(entry.id, $0) } ?? .undecodable(entry.id)
    }
}

extension ItemTable {
    /// An item by its id, and when it was stored.
    fileprivate func item(
        _ id: ItemID, in db: borrowing Connection
    ) throws -> (item: StoredItem, version: Int64)? {
        let key: SortKey?
        let column: String
        switch order {
        case .byID(let order): (key, column) = (SortKey(id, order: order), "key")
        case .byPosition: (key, column) = (nil, "id")
        }
        let sql = """
            SELECT key, id, codec, checksum, body, stored_at FROM larder_feed_item WHERE feed = ?1 AND \(column) = ?2
            """
        return try db.withStatement(sql) { statement -> (item: StoredItem, version: Int64)? in
            try statement.bind(feed, at: 1)
            if let key { try statement.bind(key, at: 2) } else { try statement.bind(id.rawValue, at: 2) }
            guard try statement.step() else { return nil }
            var found = try item(statement.row)
            // An index that is damaged leads to another row, which is sound in itself.
            if found.id != id { found = StoredItem(key: found.key, id: id, body: Data(), codec: nil) }
            return (found, try statement.row.readableInt64(5) ?? 0)
        }
    }
}

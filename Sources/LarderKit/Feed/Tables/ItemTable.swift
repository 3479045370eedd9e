import Foundation
import LarderSQLite

/// The items of one feed, as rows.
struct ItemTable {
    let feed: Int64
    let order: Paging.Order

    /// The keys of the stored items in `span`, lowest first.
    func keys(in span: Span, in db: borrowing Connection) throws -> [SortKey] {
        guard !span.isEmpty else { return [] }
        let (low, high) = (KeyBound(span.low), KeyBound(span.high))
        // A key just above the low cut is greater than its key for `above`, and greater or equal for `below`.
        let sql = """
            SELECT key FROM larder_feed_item
            WHERE feed = ?1 AND key \(low.isAbove ? ">" : ">=") ?2 AND key \(high.isAbove ? "<=" : "<") ?3 ORDER BY key
            """
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(low.key, at: 2)
            try statement.bind(high.key, at: 3)
            var keys: [SortKey] = []
            while try statement.step() {
                keys.append(try statement.row.sortKey(0))
            }
            return keys
        }
    }

    /// A side of a cut.
    enum Side { case below, above }

    /// The items next to `cut`, nearest first.
    func items(
        next side: Side, to cut: Cut, limit: Int, in db: borrowing Connection
    ) throws -> [StoredItem] {
        let bound = KeyBound(cut)
        let sql =
            switch (side, bound.isAbove) {
            case (.below, false): Self.select + " AND key < ?2 ORDER BY key DESC LIMIT ?3"
            case (.below, true): Self.select + " AND key <= ?2 ORDER BY key DESC LIMIT ?3"
            case (.above, false): Self.select + " AND key >= ?2 ORDER BY key LIMIT ?3"
            case (.above, true): Self.select + " AND key > ?2 ORDER BY key LIMIT ?3"
            }
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(bound.key, at: 2)
            try statement.bind(limit, at: 3)
            var items: [StoredItem] = []
            items.reserveCapacity(min(limit, 100))
            while try statement.step() {
                items.append(try item(statement.row))
            }
            return items
        }
    }

    private static let select = "SELECT key, id, codec, checksum, body FROM larder_feed_item WHERE feed = ?1"

    /// The item in the columns key, id, codec, checksum, body.
    func item(_ row: borrowing Row) throws -> StoredItem {
        let key = try row.sortKey(0)
        let stored = try row.optionalText(1)
        let id = itemID(key, stored: stored)
        guard let codec = try row.readableInt64(2), let checksum = try row.readableInt64(3), row.type(4) == .blob else {
            return StoredItem(key: key, id: id, body: Data(), codec: nil)
        }
        let body = try row.data(4)
        let isSound =
            checksum == self.checksum(key, id: stored, codec: codec) ^ body.withUnsafeBytes(RowChecksum.ofBody)
        return StoredItem(key: key, id: id, body: isSound ? body : Data(), codec: isSound ? codec : nil)
    }

    /// The checksum of a row but for its body; that of the body is combined with it by an exclusive or, so that a row can be
    /// moved without reading its body.
    func checksum(_ key: SortKey, id: String?, codec: Int64) -> Int64 {
        var sum = RowChecksum(.item)
        sum.add(feed)
        sum.add(key)
        sum.add(id)
        sum.add(codec)
        return sum.value
    }

    /// The item next to `cut`, or one further away, without its bytes.
    ///
    /// - Parameter number: How many items away it is, beside the nearest one.
    func neighbour(
        _ side: Side, of cut: Cut, number: Int = 0, in db: borrowing Connection
    ) throws -> (key: SortKey, id: ItemID)? {
        let bound = KeyBound(cut)
        let condition =
            switch (side, bound.isAbove) {
            case (.below, false): "key < ?2 ORDER BY key DESC"
            case (.below, true): "key <= ?2 ORDER BY key DESC"
            case (.above, false): "key >= ?2 ORDER BY key"
            case (.above, true): "key > ?2 ORDER BY key"
            }
        let sql = "SELECT key, id FROM larder_feed_item WHERE feed = ?1 AND \(condition) LIMIT 1 OFFSET ?3"
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(bound.key, at: 2)
            try statement.bind(number, at: 3)
            guard try statement.step() else { return nil }
            let key = try statement.row.sortKey(0)
            return (key, itemID(key, stored: statement.row.isNull(1) ? nil : try statement.row.text(1)))
        }
    }

    /// The keys of the items next below `cut`, nearest first.
    func keys(nextBelow cut: Cut, limit: Int, in db: borrowing Connection) throws -> [SortKey] {
        let bound = KeyBound(cut)
        let sql = """
            SELECT key FROM larder_feed_item
            WHERE feed = ?1 AND key \(bound.isAbove ? "<=" : "<") ?2 ORDER BY key DESC LIMIT ?3
            """
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(bound.key, at: 2)
            try statement.bind(limit, at: 3)
            return try statement.collect { row in try row.sortKey(0) }
        }
    }

    func hasItems(in span: Span, in db: borrowing Connection) throws -> Bool {
        let (low, high) = (KeyBound(span.low), KeyBound(span.high))
        let sql = """
            SELECT 1 FROM larder_feed_item
            WHERE feed = ?1 AND key \(low.isAbove ? ">" : ">=") ?2 AND key \(high.isAbove ? "<=" : "<") ?3 LIMIT 1
            """
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(low.key, at: 2)
            try statement.bind(high.key, at: 3)
            return try statement.step()
        }
    }

    /// Stores an item at its place, over an earlier state of it; to be run by ``run(_:_:body:codec:storedAt:)``.
    ///
    /// A body that has not changed is not written again: comparing costs a fraction of writing. What was written shows in
    /// ``LarderSQLite/Connection/changes``. A row whose checksum does not fit is written in any case.
    static let upsert = """
        INSERT INTO larder_feed_item (feed, key, id, body, codec, stored_at, checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        ON CONFLICT (feed, key) DO UPDATE
        SET id = excluded.id, body = excluded.body, codec = excluded.codec, stored_at = excluded.stored_at,
            checksum = excluded.checksum
        WHERE checksum IS NOT excluded.checksum OR body IS NOT excluded.body OR codec IS NOT excluded.codec
        """

    func run(
        _ upsert: borrowing Statement, _ item: PagePlacement.Item, body: UnsafeRawBufferPointer, codec: Int64,
        storedAt: Int64
    ) throws {
        try upsert.bind(feed, at: 1)
        try upsert.bind(item.key, at: 2)
        let id = storesID(at: item.key) ? item.id.rawValue : nil
        try upsert.bind(id, at: 3)
        try upsert.bind(body, at: 4)
        try upsert.bind(codec, at: 5)
        try upsert.bind(storedAt, at: 6)
        try upsert.bind(checksum(item.key, id: id, codec: codec) ^ RowChecksum.ofBody(body), at: 7)
        try upsert.run()
    }

    func remove(_ key: SortKey, in db: borrowing Connection) throws {
        try db.withStatement("DELETE FROM larder_feed_item WHERE feed = ?1 AND key = ?2") { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(key, at: 2)
            try statement.run()
        }
    }

    func removeAll(in span: Span, in db: borrowing Connection) throws {
        guard !span.isEmpty else { return }
        let (low, high) = (KeyBound(span.low), KeyBound(span.high))
        let sql = """
            DELETE FROM larder_feed_item
            WHERE feed = ?1 AND key \(low.isAbove ? ">" : ">=") ?2 AND key \(high.isAbove ? "<=" : "<") ?3
            """
        try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(low.key, at: 2)
            try statement.bind(high.key, at: 3)
            try statement.run()
        }
    }

    func id(at key: SortKey, in db: borrowing Connection) throws -> ItemID? {
        try db.withStatement("SELECT id FROM larder_feed_item WHERE feed = ?1 AND key = ?2") { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(key, at: 2)
            guard try statement.step() else { return nil }
            return itemID(key, stored: statement.row.isNull(0) ? nil : try statement.row.text(0))
        }
    }

    /// The key of a stored item, or `nil` when it is not stored.
    func key(of id: ItemID, in db: borrowing Connection) throws -> SortKey? {
        switch order {
        case .byID(let order):
            let key = SortKey(id, order: order)
            return try self.id(at: key, in: db) == nil ? nil : key
        case .byPosition:
            return try db.withStatement("SELECT key FROM larder_feed_item WHERE feed = ?1 AND id = ?2") { statement in
                try statement.bind(feed, at: 1)
                try statement.bind(id.rawValue, at: 2)
                return try statement.step() ? try statement.row.sortKey(0) : nil
            }
        }
    }

    /// The place that `id` has or would have, or `nil` in a feed ordered by position where it is not stored.
    func place(of id: ItemID, in db: borrowing Connection) throws -> SortKey? {
        guard case .byID(let order) = order else { return try key(of: id, in: db) }
        return SortKey(id, order: order)
    }

    /// The id of an item, from its row: a whole number that is its own key needs no column of its own.
    func itemID(_ key: SortKey, stored: String?) -> ItemID {
        if let stored { return ItemID(stored) }
        guard case .integer(let number) = key else { return ItemID("") }
        return ItemID(number)
    }

    /// Whether a row needs its id beside its key.
    func storesID(at key: SortKey) -> Bool {
        guard case .byID = order, case .integer = key else { return true }
        return false
    }
}

import Foundation
import LarderSQLite

/// A portable snapshot: one SQLite file with application id `LRDS` and this version as its user version, in rollback-journal
/// mode, so that it can be read where nothing can be written.
///
/// ```
/// snapshot_about     one row: when it was made, the latest stamp in it, how much should be there
/// snapshot_value     one row a value under a key, its bytes among the columns wherever they lay in the cache
/// snapshot_feed      one row a feed: how it is paged, and how much of what should be there
/// snapshot_segment   one row a proven stretch of a feed, with the number and the sum of the items in it
/// snapshot_item      one row an item
/// snapshot_edge      one row a place to go on at by a page's number or an offset
/// snapshot_envelope  one row an answer of which what stands around its items is kept
/// ```
///
/// There are no cursors, links, cookies, tokens, tags, pins or counters in it, nor anything about who has signed in or out.
///
/// Each row bears a checksum, and what is concluded from several rows is proven by a sum over them: a feed that has lost items
/// is a feed with gaps.
enum SnapshotFormat {
    static let applicationID: Int32 = 0x4C52_4453
    static let version: Int32 = 1

    static let tables: [(name: String, sql: String)] = [
        (
            "snapshot_about",
            "CREATE TABLE snapshot_about (made_at, stamp, value_count, feed_count, item_count, checksum)"
        ),
        (
            "snapshot_value",
            """
            CREATE TABLE snapshot_value (partition, key, place, codec, codec_version, stamp, stored_at, lifetime, etag, \
            last_modified, while_revalidate, if_error, checksum, body)
            """
        ),
        (
            "snapshot_feed",
            """
            CREATE TABLE snapshot_feed (id INTEGER PRIMARY KEY, partition, name, paging, latest, largest_page, kind, \
            edge_count, edge_sum, checksum)
            """
        ),
        (
            "snapshot_segment",
            "CREATE TABLE snapshot_segment (feed, low, high, stamp, at, lifetime, item_count, item_sum, checksum)"
        ),
        (
            "snapshot_item",
            "CREATE TABLE snapshot_item (feed, key, id, codec, codec_version, stored_at, checksum, body)"
        ),
        (
            "snapshot_edge",
            """
            CREATE TABLE snapshot_edge (feed, cut, stamp, kind, position, size, shift, is_apart, is_seam, etag, \
            last_modified, checksum)
            """
        ),
        ("snapshot_envelope", "CREATE TABLE snapshot_envelope (feed, stamp, checksum, body)"),
    ]

    static func setUp(_ db: borrowing Connection) throws {
        try db.executeScript("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version);")
        for table in tables { try db.executeScript(table.sql) }
    }

    /// Refuses what is no snapshot, what a newer version has made, and what has anything else in it than these tables: a view
    /// in their place could compute for ever.
    ///
    /// - Parameter path: For the message.
    static func check(_ db: borrowing Connection, path: String) throws {
        let application = try db.first("PRAGMA application_id") { try $0.int64(0) } ?? 0
        guard application == Int64(applicationID) else { throw StorageError.noSnapshot(path) }
        let stored = try db.first("PRAGMA user_version") { try $0.int64(0) } ?? 0
        guard stored <= Int64(version) else {
            throw StorageError(
                .newerFormat, "the snapshot \(path) was made by a newer version (format \(stored))",
                nextStep: "Update this program, or make the snapshot with this version.")
        }
        let found = try db.query("SELECT type, name, sql FROM sqlite_schema ORDER BY rowid") { row in
            [try row.optionalText(0), try row.optionalText(1), try row.optionalText(2)]
        }
        guard stored == Int64(version), found == tables.map({ ["table", $0.name, $0.sql] }) else {
            throw StorageError.damagedSnapshot(path)
        }
    }
}

extension StorageError {
    static func noSnapshot(_ path: String) -> StorageError {
        StorageError(
            .notALarder, "the file \(path) is no snapshot of a larder",
            nextStep: "Nothing was imported. Name a file that an export has written.")
    }

    static func damagedSnapshot(_ path: String) -> StorageError {
        StorageError(
            .corrupt, "the snapshot \(path) is damaged",
            nextStep: "Nothing was imported. Copy it again, or make it anew.")
    }
}

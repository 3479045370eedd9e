import Foundation
import LarderSQLite

/// What a cache holds, as far as it can be told.
package struct LarderContents: Sendable {
    /// The values of all partitions, in the database and in files, by partition and key.
    package var values: [EntrySummary] = []
    package var feeds: [FeedSummary] = []
    /// How many rows and files there are that cannot be read, and so are not among these.
    package var damaged = 0

    package init() {}
}

extension Larder {
    /// Everything stored. What is damaged costs itself and nothing else.
    ///
    /// - Complexity: O(number of values and items), without their bytes.
    package func contents() async throws(StorageError) -> LarderContents {
        let files = try await (core.fileStore as? FileStore)?.survey() ?? Survey()
        let (rows, feeds) = try await storing {
            try await core.database.scan { [store = core.sqliteStore] db in
                (try store.survey(in: db), try StoredFeed.survey(in: db))
            }
        }
        let values = (rows.found + files.found).sorted {
            ($0.key.partition, $0.key.key) < ($1.key.partition, $1.key.key)
        }
        var contents = LarderContents()
        contents.values = values
        contents.feeds = feeds.found
        contents.damaged = rows.damaged + files.damaged + feeds.damaged
        return contents
    }
}

extension Larder {
    /// The partitions of which anything is stored.
    package func partitionNames() async throws(StorageError) -> [String] {
        let values = try await contents().values.map(\.key.partition)
        // Also those of which nothing can be read any more.
        let rows = try await storing {
            try await core.database.scan { db in
                let sql = """
                    SELECT partition FROM larder_entry UNION SELECT partition FROM larder_feed
                    WHERE id IN (SELECT feed FROM larder_feed_item UNION SELECT feed FROM larder_segment)
                    """
                return try db.withStatement(sql) { statement in
                    try statement.collect { row in try row.readableText(0) }.compactMap { $0 }
                }
            }
        }
        return Set((values + rows).map { StoreKey(partition: $0, key: "") }).map(\.partition).sorted()
    }

    /// A feed, `nil` when nothing is known of it.
    ///
    /// - Complexity: O(its items), without their bytes.
    package func feed(_ key: StoreKey) throws(StorageError) -> FeedSummary? {
        try storing {
            try core.database.withReader { db in
                let sql = "\(StoredFeed.columns) WHERE partition = ?1 AND name = ?2"
                return try db.withStatement(sql) { statement in
                    try statement.bind(key.partition, at: 1)
                    try statement.bind(key.key, at: 2)
                    guard try statement.step() else { return nil }
                    return try StoredFeed(statement.row).summaryOfWhatIsKnown(in: db)
                }
            }
        }
    }
}

/// What was found, and how much was there besides that is damaged.
struct Survey<Found: Sendable>: Sendable {
    var found: [Found] = []
    var damaged = 0

    /// Takes what `body` finds; `nil` is not there any more.
    mutating func take(_ body: () throws -> Found?) throws {
        do {
            if let found = try body() { self.found.append(found) }
        } catch {
            let error = StorageError.wrapping(error)
            guard error.kind == .corrupt else { throw error }
            damaged += 1
        }
    }
}

extension StoredFeed {
    fileprivate static let columns = "SELECT id, partition, name, paging, checksum FROM larder_feed"

    /// All feeds of which something is known.
    static func survey(in db: borrowing Connection) throws -> Survey<FeedSummary> {
        var survey = Survey<FeedSummary>()
        try db.withStatement("\(columns) ORDER BY partition, name") { statement in
            while try statement.step() {
                try survey.take { try StoredFeed(statement.row).summaryOfWhatIsKnown(in: db) }
            }
        }
        return survey
    }

    /// The feed in the columns id, partition, name, paging, checksum.
    fileprivate init(_ row: borrowing Row) throws {
        let (id, partition, name) = (try row.int64(0), try row.text(1), try row.text(2))
        guard try row.readableInt64(4) == FeedRow.checksum(id, partition: partition, name: name) else {
            throw StorageError.corrupt("a feed's row is damaged")
        }
        self.init(id: id, partition: partition, name: name, paging: try Paging(fingerprint: row.text(3)))
    }

    /// `nil` of a feed whose row alone is left: all of it was removed.
    fileprivate func summaryOfWhatIsKnown(in db: borrowing Connection) throws -> FeedSummary? {
        let summary = try summary(in: db)
        guard summary.items == 0, !summary.isPinned else { return summary }
        let isKnown = try SegmentTable(feed: id).outermost(in: db).isEmpty == false
        return isKnown ? summary : nil
    }
}

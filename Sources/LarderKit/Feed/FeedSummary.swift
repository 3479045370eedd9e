public import Foundation
import LarderSQLite

/// What is stored of a feed, without its items' bytes.
public struct FeedSummary: Sendable, Hashable {
    /// A stretch without gaps.
    public struct Run: Sendable, Hashable {
        public let newest: ItemID
        public let oldest: ItemID
        public let count: Int
        /// When the oldest part was asked for, and the newest.
        public let oldestPart: Date
        public let newestPart: Date
    }

    public let partition: String
    public let name: String
    /// The order that the feed was last declared in.
    public let order: Paging.Order
    /// How the feed was last declared to be paged, but for the bounds by id that its server understands.
    package let paging: Paging
    public let items: Int
    /// The bytes of all items.
    public let size: Int
    /// Newest first. Between two of them is a gap.
    public let runs: [Run]
    /// As of which time nothing newer than the newest item is known to have existed; `nil` when that is not known.
    public let headProvenAt: Date?
    /// Whether the oldest item is known to be the feed's last.
    public let isFloorProven: Bool
    /// Whether the feed is exempt from trimming.
    public var isPinned = false
    /// When it was last used, to the hour or so; `nil` where that is not known.
    public var usedAt: Date?

    public var gaps: [Gap] {
        zip(runs, runs.dropFirst()).map { Gap(above: $0.oldest, below: $1.newest) }
    }
}

extension Larder {
    /// Everything stored under keys: what resources hold, in the database and in files.
    ///
    /// - Complexity: O(number of values), without their bytes.
    public func resources() async throws(StorageError) -> [EntrySummary] {
        let all = try await core.sqliteStore.summaries() + core.fileStore.summaries()
        return all.sorted { ($0.key.partition, $0.key.key) < ($1.key.partition, $1.key.key) }
    }

    /// What the feeds hold: their runs, the gaps between them, their sizes and ages.
    ///
    /// - Complexity: O(number of items), without their bytes.
    public func feeds() async throws(StorageError) -> [FeedSummary] {
        try await storing {
            try await core.database.scan { db in
                try StoredFeed.all(in: db).map { try $0.summary(in: db) }
            }
        }
    }
}

extension Larder {
    /// How a stored feed was last declared to be paged, or `nil` when there is none of that name: one indexed read.
    ///
    /// Which bounds by id its server understands is not stored: none are named.
    package func paging(ofFeed name: String, in partition: String) throws(StorageError) -> Paging? {
        try storing {
            try core.database.withReader { db in
                try FeedRow.load(partition: partition, name: name, in: db).map { try Paging(fingerprint: $0.paging) }
            }
        }
    }
}

/// A feed as its row tells it, whatever the app declares now.
struct StoredFeed {
    let id: Int64
    let partition: String
    let name: String
    let paging: Paging

    var order: Paging.Order { paging.order }

    /// All feeds but those whose rows are damaged: they show nothing until they are repaired, and must not hinder the others.
    static func all(in db: borrowing Connection) throws -> [StoredFeed] {
        let sql = "SELECT id, partition, name, paging, checksum FROM larder_feed ORDER BY partition, name"
        return try db.withStatement(sql) { statement in
            try statement.collect { row -> StoredFeed? in
                guard let id = try row.readableInt64(0), let partition = try row.readableText(1),
                    let name = try row.readableText(2),
                    try row.readableInt64(4) == FeedRow.checksum(id, partition: partition, name: name),
                    let paging = try row.readableText(3).flatMap({ try? Paging(fingerprint: $0) })
                else { return nil }
                return StoredFeed(id: id, partition: partition, name: name, paging: paging)
            }.compactMap { $0 }
        }
    }

    func summary(in db: borrowing Connection) throws -> FeedSummary {
        let table = ItemTable(feed: id, order: order)
        // A stretch without items tells nothing of those that have some, unless it touches them.
        let runs = try FeedReader(feed: id, order: order).runs(in: db)
            .compactMap { bounds in try run(bounds, table, in: db).map { (bounds: bounds, summary: $0) } }
        let (count, size) =
            try db.first("SELECT count(*), coalesce(sum(length(body)), 0) FROM larder_feed_item WHERE feed = \(id)") {
                (try $0.int(0), try $0.int(1))
            } ?? (0, 0)
        let head = try SegmentTable(feed: id).segments(touching: Span(.top, .top), in: db).last
        var summary = FeedSummary(
            partition: partition, name: name, order: order, paging: paging, items: count, size: size,
            runs: runs.map(\.summary),
            headProvenAt: runs.first?.bounds.span.high == .top
                ? head.map { Date(millisecondsSince1970: $0.stamp.at) } : nil,
            isFloorProven: runs.last?.bounds.span.low == .bottom)
        try db.withStatement("SELECT is_pinned, used_at FROM larder_feed WHERE id = ?1") { statement in
            try statement.bind(id, at: 1)
            guard try statement.step() else { return }
            summary.isPinned = try statement.row.readableInt64(0) ?? 0 != 0
            let usedAt = try statement.row.readableInt64(1) ?? 0
            summary.usedAt = usedAt > 0 ? Date(millisecondsSince1970: usedAt) : nil
        }
        return summary
    }

    private func run(_ bounds: RunBounds, _ table: ItemTable, in db: borrowing Connection) throws -> FeedSummary.Run? {
        let keys = try table.keys(in: bounds.span, in: db)
        guard let oldest = keys.first, let newest = keys.last else { return nil }
        guard let oldestID = try table.id(at: oldest, in: db), let newestID = try table.id(at: newest, in: db) else {
            return nil
        }
        return FeedSummary.Run(
            newest: newestID, oldest: oldestID, count: keys.count,
            oldestPart: Date(millisecondsSince1970: bounds.oldest.at),
            newestPart: Date(millisecondsSince1970: bounds.newest.at))
    }
}

extension Paging {
    /// The order that a stored fingerprint names.
    static func order(of fingerprint: String) throws -> Order {
        let kinds = fingerprint.split(separator: " ").first.map { $0.split(separator: "-", maxSplits: 1) } ?? []
        guard kinds.count == 2 else { throw unreadable }
        switch kinds[0] {
        case "id":
            if let order = IDOrder(rawValue: String(kinds[1])) { return .byID(order) }
        case "position":
            if let order = ListOrder(rawValue: String(kinds[1])) { return .byPosition(order) }
        default:
            break
        }
        throw unreadable
    }
}

extension Paging {
    /// The declaration that a stored fingerprint is of, without the bounds that the server understands.
    init(fingerprint: String) throws {
        let words = fingerprint.split(separator: " ").map { String($0) }
        guard words.count >= 3, let shortPages = ShortPages(rawValue: words[1]),
            let emptyPages = EmptyPages(rawValue: words[2])
        else { throw Self.unreadable }
        switch (try Self.order(of: fingerprint), words.dropFirst(3).first) {
        case (.byID(let order), nil):
            self = .byID(order, parameters: [], shortPages: shortPages, emptyPages: emptyPages)
        case (.byPosition(let order), nil):
            self = .afterItem(order: order, parameters: [], shortPages: shortPages, emptyPages: emptyPages)
        case (.byPosition(let order), "cursor"):
            self = .cursor(order: order, emptyPages: emptyPages)
        case (.byPosition(let order), "link"):
            self = .link(order: order, emptyPages: emptyPages)
        case (.byPosition(let order), "offset"):
            self = .offset(order: order, shortPages: shortPages, emptyPages: emptyPages)
        case (.byPosition(let order), let page?):
            guard page.hasPrefix("page-"), let first = Int(page.dropFirst(5)), words.count == 5,
                let neighbours = Neighbours(rawValue: words[4])
            else { throw Self.unreadable }
            self = .pageNumber(
                startingAt: first, order: order, neighbours: neighbours, shortPages: shortPages, emptyPages: emptyPages)
        case (.byID, _):
            throw Self.unreadable
        }
    }

    private static var unreadable: StorageError { .corrupt("a feed's declaration cannot be read") }
}

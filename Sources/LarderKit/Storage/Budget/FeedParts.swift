import LarderSQLite

/// Something of a feed that may go: what was last asked for at some time, or all of it.
struct FeedPart: Sendable, Hashable {
    let feed: Int64
    let key: StoreKey
    let order: Paging.Order
    /// When the part was asked for, as exactly as uses are told apart; of a whole feed, when it was used.
    let usedAt: Int64
    let isWhole: Bool

    /// How many of a feed's newest items stay as long as the feed does.
    static let newestPage = 20
    /// How many items, and bytes of them, are forgotten in one transaction.
    static let chunk = (items: 100, bytes: 1 << 20)

    /// All there are of feeds that are not pinned, in the order in which they may go.
    ///
    /// - Parameter partition: Only of this one.
    /// - Complexity: O(number of answers that the feeds' proofs rest on), whatever items there are.
    static func all(in db: borrowing Connection, partition: String? = nil) throws -> [FeedPart] {
        var ages: [Int64: Set<Int64>] = [:]
        try db.withStatement("SELECT feed, at FROM larder_segment") { statement in
            while try statement.step() {
                guard let feed = try statement.row.readableInt64(0), let at = try statement.row.readableInt64(1) else {
                    continue
                }
                ages[feed, default: []].insert(coarse(at))
            }
        }
        let sql = "SELECT id, partition, name, paging, used_at FROM larder_feed WHERE NOT is_pinned"
        let feeds = try db.withStatement(sql) { statement in
            try statement.collect { row -> [FeedPart] in
                guard let partition = try row.readableText(1), let name = try row.readableText(2) else { return [] }
                let id = try row.int64(0)
                // A declaration that cannot be read tells nothing of ids, which are not needed to forget them.
                let paging = try row.readableText(3).flatMap { try? Paging(fingerprint: $0) }
                let ages = ages[id] ?? []
                // A file of an earlier version does not tell uses.
                let used = try row.readableInt64(4).flatMap { $0 > 0 ? $0 : nil } ?? ages.max() ?? 0
                func part(_ time: Int64, isWhole: Bool) -> FeedPart {
                    FeedPart(
                        feed: id, key: StoreKey(partition: partition, key: name),
                        order: paging?.order ?? .byPosition(.newestOnTop), usedAt: time, isWhole: isWhole)
                }
                return Set(ages.map { min($0, used) }).map { part($0, isWhole: false) } + [part(used, isWhole: true)]
            }
        }
        return feeds.joined().filter { part in partition.map { part.key.partition.hasSameBytes(as: $0) } ?? true }
            .sorted { ($0.usedAt, $0.isWhole ? 1 : 0, $0.feed) < ($1.usedAt, $1.isWhole ? 1 : 0, $1.feed) }
    }

    /// Nobody has looked at the row's checksum: within what a time can be.
    private static func coarse(_ time: Int64) -> Int64 {
        let time = min(max(time, 0), 1 << 52)
        return time - time % AccessMarks.granularity
    }
}

extension FeedPart {
    /// A stretch to be forgotten at once.
    struct Chunk: Sendable, Hashable {
        var span: Span
        var items = 0
        var bytes = 0
    }

    /// The next stretches of the part that may go now, the oldest places first; none when nothing of it is left, or the feed has
    /// been pinned.
    func chunks(limit: Int, in db: borrowing Connection) throws -> [Chunk] {
        let isFree = try db.withStatement("SELECT 1 FROM larder_feed WHERE id = ?1 AND NOT is_pinned") { statement in
            try statement.bind(feed, at: 1)
            return try statement.step()
        }
        guard isFree else { return [] }
        var chunks: [Chunk] = []
        for span in try spans(in: db) where chunks.count < limit {
            chunks += try self.chunks(of: span, limit: limit - chunks.count, in: db)
        }
        if isWhole, chunks.count == 1, chunks[0].span.high == .top {
            // With the last items goes what was proven to be empty, or the feed would look like one that is.
            chunks[0].span = Span(.bottom, .top)
        }
        return chunks
    }

    private func spans(in db: borrowing Connection) throws -> [Span] {
        let items = ItemTable(feed: feed, order: order)
        guard let last = try items.neighbour(.below, of: .top, number: Self.newestPage - 1, in: db) else {
            return isWhole ? [Span(.bottom, .top)] : []
        }
        let rest = Span(.bottom, .below(last.key))
        if isWhole { return [rest, Span(rest.high, .top)] }
        return try SegmentTable(feed: feed).segments(touching: rest, in: db)
            .filter { $0.stamp.at < usedAt + AccessMarks.granularity }.map { $0.span.intersection(rest) }
    }

    private func chunks(of span: Span, limit: Int, in db: borrowing Connection) throws -> [Chunk] {
        guard !span.isEmpty else { return [] }
        let (low, high) = (KeyBound(span.low), KeyBound(span.high))
        let sql = """
            SELECT key, length(body) FROM larder_feed_item
            WHERE feed = ?1 AND key \(low.isAbove ? ">" : ">=") ?2 AND key \(high.isAbove ? "<=" : "<") ?3 ORDER BY key
            """
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(low.key, at: 2)
            try statement.bind(high.key, at: 3)
            var (chunks, chunk) = ([Chunk](), Chunk(span: span))
            while try statement.step() {
                if chunk.items == Self.chunk.items || chunk.bytes >= Self.chunk.bytes {
                    let cut = Cut.below(try statement.row.sortKey(0))
                    chunk.span = Span(chunk.span.low, cut)
                    chunks.append(chunk)
                    guard chunks.count < limit else { return chunks }
                    chunk = Chunk(span: Span(cut, span.high))
                }
                chunk.items += 1
                chunk.bytes += Int(clamping: try statement.row.readableInt64(1) ?? 0) + Self.overhead
            }
            if chunk.items > 0 { chunks.append(chunk) }
            return chunks
        }
    }

    /// What an item's row and its place in the indexes take besides its bytes, about.
    private static let overhead = 64
}

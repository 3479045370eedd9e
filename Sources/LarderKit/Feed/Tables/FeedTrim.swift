import LarderSQLite

/// Forgets parts of a feed. What is forgotten is unknown from then on, not empty: a gap, or a floor that is not proven.
struct FeedTrim {
    let feed: Int64
    let order: Paging.Order

    /// Forgets what need not be kept.
    ///
    /// - Parameter now: Milliseconds since 1970.
    /// - Returns: The stretches that were forgotten.
    /// - Complexity: O(the number of items kept, by their keys alone, plus what goes).
    func run(_ keep: FeedKeep, now: Int64, in db: borrowing Connection) throws -> [Span] {
        var spans: [Span] = []
        let ends = [
            try keep.newest.flatMap { try key(ofNewest: $0, in: db) },
            try keep.bytes.flatMap { try key(within: $0, in: db) },
        ]
        if let last = ends.compactMap({ $0 }).max() {
            // All that was known below the last one kept goes, too, or else answers of which nothing is shown would stay.
            let rest = Span(.bottom, .below(last))
            if try ItemTable(feed: feed, order: order).hasItems(in: rest, in: db) { spans.append(rest) }
        }
        if let within = keep.seenWithin {
            let all = try SegmentTable(feed: feed).segments(touching: Span(.bottom, .top), in: db)
            spans += all.filter { $0.stamp.at < now - within.milliseconds }.map(\.span)
        }
        try forget(spans, in: db)
        return spans
    }

    /// Forgets stretches, and what stood around the items of answers of which nothing is left.
    func forget(_ spans: [Span], in db: borrowing Connection) throws {
        // Each answer about the head comes by here, mostly with nothing to forget.
        guard !spans.isEmpty else { return }
        for span in spans { try forget(span, in: db) }
        try EnvelopeTable(feed: feed).sweep(in: db)
    }

    private func forget(_ span: Span, in db: borrowing Connection) throws {
        let items = ItemTable(feed: feed, order: order)
        if let end = try SupposedEnd.load(feed: feed, in: db), span.contains(end.key) {
            try SupposedEnd.clear(feed: feed, in: db)
        }
        try items.removeAll(in: span, in: db)
        try SegmentTable(feed: feed).release(span, before: Stamp(order: .max, at: 0, lifetime: nil), in: db)
        try EdgeTable(feed: feed).remove(in: span, before: .max, in: db)
    }

    /// The key of the last of the newest items that together take no more bytes than this, if there are others.
    private func key(within bytes: Int, in db: borrowing Connection) throws -> SortKey? {
        let sql = "SELECT key, length(body) FROM larder_feed_item WHERE feed = ?1 ORDER BY key DESC"
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            var (last, left) = (SortKey?.none, bytes)
            while try statement.step() {
                left -= Int(clamping: try statement.row.readableInt64(1) ?? 0)
                if left < 0, let last { return last }
                last = try statement.row.sortKey(0)
            }
            return nil
        }
    }

    /// The key of the last of the newest `count` items, if there are so many.
    private func key(ofNewest count: Int, in db: borrowing Connection) throws -> SortKey? {
        let sql = "SELECT key FROM larder_feed_item WHERE feed = ?1 ORDER BY key DESC LIMIT 1 OFFSET ?2"
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(max(0, count - 1), at: 2)
            return try statement.step() ? try statement.row.sortKey(0) : nil
        }
    }
}

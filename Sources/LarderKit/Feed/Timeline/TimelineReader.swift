import LarderSQLite

/// Reads who stands where in a feed, without the bytes of the items.
struct TimelineReader {
    let feed: Int64
    let order: Paging.Order
    let meter: TimelineMeter

    /// The rows as they stand now.
    ///
    /// - Parameters:
    ///   - old: The rows as they stood, with which those that did not change are shared.
    ///   - touched: Where something may have changed since; `nil` for anywhere.
    ///   - limit: At most this many items.
    /// - Complexity: O(number of items in `touched`), or of all items.
    func rows(
        after old: TimelineRows?, touched: [Span]?, limit: Int, in db: borrowing Connection
    ) throws -> TimelineRows {
        let start = old.flatMap { $0.feed == feed ? $0 : nil } ?? TimelineRows(feed: feed, order: order)
        var rows = start
        if !rows.isEmpty, let touched, try update(&rows, touched, limit: limit, in: db) { return rows }
        rows = start
        _ = try update(&rows, [Span(.bottom, .top)], limit: limit, in: db)
        return rows
    }

    /// - Returns: `false` when what is read in `touched` does not fit what was known around it.
    private func update(
        _ rows: inout TimelineRows, _ touched: [Span], limit: Int, in db: borrowing Connection
    ) throws -> Bool {
        let spans = SegmentTable.windows(of: touched).map(\.hull)
        // Of a list that was cut, what lies below its end is not shown.
        let wasFull = rows.itemCount >= limit
        let floor = wasFull ? rows.lowest.map { Cut.below($0.key) } ?? .bottom : .bottom
        for span in spans.reversed() {
            let shown = span.intersection(Span(floor, .top))
            guard !shown.isEmpty else { continue }
            let window = try window(shown, around: rows, floor: floor, limit: limit, in: db)
            guard rows.splice(window, over: shown, isForeign: { !spans.contains($0) }) else { return false }
        }
        if wasFull, rows.itemCount < limit, let lowest = rows.lowest {
            let rest = Span(.bottom, .below(lowest.key))
            let window = try window(rest, around: rows, floor: .bottom, limit: limit - rows.itemCount, in: db)
            guard rows.splice(window, over: rest, isForeign: { _ in false }) else { return false }
        }
        rows.keepNewest(limit)
        return true
    }

    /// What stands in a stretch, with the neighbours above and below that are known; where there are none, with all there is.
    private func window(
        _ span: Span, around rows: TimelineRows, floor: Cut, limit: Int, in db: borrowing Connection
    ) throws -> TimelineWindow {
        let (above, below) = rows.neighbours(of: span)
        let reach = Span(below.map { .below($0.key) } ?? floor, above.map { .above($0.key) } ?? .top)
        let room = [above, below].count { $0 != nil }
        let entries = try entries(in: reach, limit: limit > Int(Int32.max) ? limit : limit + room, in: db)
        let segments = try SegmentTable(feed: feed).segments(touching: reach, in: db)
        return TimelineWindow(entries: entries, runs: Self.runs(of: segments))
    }

    private func entries(in span: Span, limit: Int, in db: borrowing Connection) throws -> [TimelineEntry] {
        let items = ItemTable(feed: feed, order: order)
        let (low, high) = (KeyBound(span.low), KeyBound(span.high))
        let sql = """
            SELECT key, id, stored_at FROM larder_feed_item
            WHERE feed = ?1 AND key \(low.isAbove ? ">" : ">=") ?2 AND key \(high.isAbove ? "<=" : "<") ?3
            ORDER BY key DESC LIMIT ?4
            """
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(low.key, at: 2)
            try statement.bind(high.key, at: 3)
            try statement.bind(limit, at: 4)
            var entries: [TimelineEntry] = []
            while try statement.step() {
                let key = try statement.row.sortKey(0)
                let id = items.itemID(key, stored: statement.row.isNull(1) ? nil : try statement.row.text(1))
                let version = statement.row.type(2) == .integer ? try statement.row.int64(2) : 0
                entries.append(TimelineEntry(key: key, id: id, version: version))
            }
            meter.count(identities: entries.count)
            return entries
        }
    }

    /// Touching segments as one, lowest first.
    static func runs(of segments: [Segment]) -> [Span] {
        segments.reduce(into: []) { runs, segment in
            if let last = runs.last, last.high == segment.span.low {
                runs[runs.count - 1] = Span(last.low, segment.span.high)
            } else {
                runs.append(segment.span)
            }
        }
    }
}

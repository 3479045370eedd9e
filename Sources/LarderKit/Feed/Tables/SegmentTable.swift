import LarderSQLite

/// The proven stretches of one feed, as rows.
struct SegmentTable {
    let feed: Int64

    /// Claims `spans` for an answer, looking only at the segments that lie in or touch them.
    ///
    /// - Returns: The parts in which the answer is now the latest word.
    func claim(_ spans: [Span], stamp: Stamp, in db: borrowing Connection) throws -> [Span] {
        var settled: [Span] = []
        for window in Self.windows(of: spans) {
            try update(window.hull, in: db) { coverage in
                for span in window.spans {
                    settled += coverage.claim(span, stamp: stamp)
                }
            }
        }
        return settled
    }

    func release(_ span: Span, before stamp: Stamp, in db: borrowing Connection) throws {
        guard !span.isEmpty else { return }
        try update(span, in: db) { $0.release(span, before: stamp) }
    }

    /// Whether nothing unknown lies in a span.
    func isProven(_ span: Span, in db: borrowing Connection) throws -> Bool {
        try reach(of: span, in: db) <= span.low
    }

    /// Down to where nothing unknown lies in a span, from its upper end.
    func reach(of span: Span, in db: borrowing Connection) throws -> Cut {
        guard !span.isEmpty else { return span.low }
        var edge = span.high
        for segment in try segments(touching: span, in: db).reversed()
        where segment.span.high >= edge && segment.span.low < edge {
            edge = segment.span.low
        }
        return edge
    }

    func segments(touching span: Span, in db: borrowing Connection) throws -> [Segment] {
        let sql = """
            SELECT low, high, stamp, at, lifetime, checksum FROM larder_segment
            WHERE feed = ?1 AND low <= ?2 ORDER BY low DESC
            """
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(span.high.encoded, at: 2)
            var segments: [Segment] = []
            // Disjoint segments that are sorted by their lower cuts are sorted by their upper ones too.
            while let segment = try statement.nextSegment(of: feed) {
                guard segment.span.high >= span.low else { break }
                segments.append(segment)
            }
            return segments.reversed()
        }
    }

    /// The lowest and the highest segment.
    func outermost(in db: borrowing Connection) throws -> [Segment] {
        try ["low", "low DESC"].compactMap { order in
            let sql = """
                SELECT low, high, stamp, at, lifetime, checksum FROM larder_segment WHERE feed = ?1 ORDER BY \(order) LIMIT 1
                """
            return try db.withStatement(sql) { statement in
                try statement.bind(feed, at: 1)
                return try statement.nextSegment(of: feed)
            }
        }
    }

    /// Forgets the runs of which nothing is left, since all of their items have turned up elsewhere: in a list in which anything
    /// may move they tell nothing, and would only become more.
    ///
    /// - Complexity: O(number of answers the feed's proofs rest on).
    /// - Returns: Where they were.
    func removeRuns(
        emptiedOf departures: [SortKey], _ items: ItemTable, in db: borrowing Connection
    ) throws -> [Span] {
        var runs: [Span] = []
        for segment in try segments(touching: Span(.bottom, .top), in: db) {
            if let last = runs.last, last.high == segment.span.low {
                runs[runs.count - 1] = Span(last.low, segment.span.high)
            } else {
                runs.append(segment.span)
            }
        }
        let last = Stamp(order: .max, at: 0, lifetime: nil)
        runs = try runs.filter { run in
            try departures.contains(where: run.contains) && !items.hasItems(in: run, in: db)
        }
        for run in runs { try release(run, before: last, in: db) }
        return runs
    }

    func removeAll(in db: borrowing Connection) throws {
        try db.withStatement("DELETE FROM larder_segment WHERE feed = ?1") { statement in
            try statement.bind(feed, at: 1)
            try statement.run()
        }
    }

    func insert(_ segment: Segment, in db: borrowing Connection) throws {
        let sql = """
            INSERT OR REPLACE INTO larder_segment (feed, low, high, stamp, at, lifetime, checksum)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(segment.span.low.encoded, at: 2)
            try statement.bind(segment.span.high.encoded, at: 3)
            try statement.bind(segment.stamp.order, at: 4)
            try statement.bind(segment.stamp.at, at: 5)
            try statement.bind(segment.stamp.lifetime, at: 6)
            try statement.bind(segment.checksum(in: feed), at: 7)
            try statement.run()
        }
    }

    private func update(_ window: Span, in db: borrowing Connection, _ change: (inout Coverage) -> Void) throws {
        let before = try segments(touching: window, in: db)
        var coverage = Coverage(before)
        change(&coverage)
        let kept = Set(before.map(Row.init)).intersection(coverage.segments.map(Row.init))
        for segment in before where !kept.contains(Row(segment)) {
            try db.withStatement("DELETE FROM larder_segment WHERE feed = ?1 AND low = ?2") { statement in
                try statement.bind(feed, at: 1)
                try statement.bind(segment.span.low.encoded, at: 2)
                try statement.run()
            }
        }
        for segment in coverage.segments where !kept.contains(Row(segment)) {
            try insert(segment, in: db)
        }
    }

    private struct Row: Hashable {
        let span: Span
        let order: Int64

        init(_ segment: Segment) {
            span = segment.span
            order = segment.stamp.order
        }
    }

    /// The spans in groups that touch, so that a stray item far away does not widen the window of the others.
    static func windows(of spans: [Span]) -> [(hull: Span, spans: [Span])] {
        var windows: [(hull: Span, spans: [Span])] = []
        for span in spans.filter({ !$0.isEmpty }).sorted(by: { $0.low < $1.low }) {
            if let last = windows.last, span.low <= last.hull.high {
                windows[windows.count - 1].hull = Span(last.hull.low, max(last.hull.high, span.high))
                windows[windows.count - 1].spans.append(span)
            } else {
                windows.append((span, [span]))
            }
        }
        return windows
    }
}

extension Segment {
    /// The checksum of its row.
    func checksum(in feed: Int64) -> Int64 {
        var sum = RowChecksum(.segment)
        sum.add(feed)
        sum.add(blob: span.low.encoded)
        sum.add(blob: span.high.encoded)
        sum.add(stamp.order)
        sum.add(stamp.at)
        sum.add(stamp.lifetime)
        return sum.value
    }
}

import LarderSQLite

/// Makes what is proven of one feed right again after rows of it were lost: nothing is claimed of a place that is unknown, and
/// every item that is there can be seen.
struct ProofSettling {
    let feed: Int64

    /// - Parameters:
    ///   - unknown: Where an item is lost, or may have been.
    ///   - dropsProofs: Nobody knows which items are lost: nothing is proven any more.
    /// - Returns: How many gaps this has made.
    func run(unknown: [SortKey], dropsProofs: Bool = false, in db: borrowing Connection) throws -> Int {
        let table = SegmentTable(feed: feed)
        let stored = dropsProofs ? [] : try table.segments(touching: Span(.bottom, .top), in: db)
        var coverage = Coverage(Self.disjoint(stored))
        for key in unknown { coverage.release(Span(of: key), before: Stamp(order: .max, at: 0, lifetime: nil)) }
        let spans = coverage.segments.map(\.span)
        try table.removeAll(in: db)
        for segment in coverage.segments { try table.insert(segment, in: db) }
        var alone = 0
        for item in try items(in: db) where !spans.contains(item.key) {
            // Order 0: any answer is later than what is known no more.
            let stamp = Stamp(order: 0, at: item.storedAt, lifetime: 0)
            try table.insert(Segment(span: Span(of: item.key), stamp: stamp), in: db)
            alone += 1
        }
        if dropsProofs {
            try EdgeTable(feed: feed).removeAll(in: db)
            try EnvelopeTable(feed: feed).removeAll(in: db)
        } else {
            try EnvelopeTable(feed: feed).sweep(in: db)
        }
        return dropsProofs ? alone : unknown.count
    }

    /// Of two stretches that overlap, one is wrong, and it is not known which.
    private static func disjoint(_ segments: [Segment]) -> [Segment] {
        segments.indices.filter { index in
            let isBelow = index == 0 || segments[index - 1].span.high <= segments[index].span.low
            let isAbove = index == segments.count - 1 || segments[index].span.high <= segments[index + 1].span.low
            return isBelow && isAbove
        }.map { segments[$0] }
    }

    private func items(in db: borrowing Connection) throws -> [(key: SortKey, storedAt: Int64)] {
        let sql: SQL = "SELECT key, stored_at FROM larder_feed_item WHERE feed = \(feed) ORDER BY key"
        return try db.query(sql) { row in
            // Not in the checksum: within what a time can be.
            let at = try row.readableInt64(1) ?? 0
            return (try row.sortKey(0), min(max(0, at), 1 << 52))
        }
    }
}

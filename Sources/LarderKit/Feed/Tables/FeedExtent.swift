import LarderSQLite

/// The runs of a feed, newest first, as far as they were looked at.
struct FeedExtent: Sendable {
    /// The items of each run. Between two of them is a gap.
    var pieces: [[StoredItem]] = []
    var stamps: [Stamp] = []
}

/// The extent of one run without its items.
struct RunBounds: Sendable, Hashable {
    var span: Span
    /// When its oldest part was asked for, and its newest.
    var oldest: Stamp
    var newest: Stamp
}

extension FeedReader {
    /// The newest `limit` items with the gaps between them.
    func extent(limit: Int, in db: borrowing Connection) throws -> FeedExtent {
        var extent = FeedExtent()
        let sql = """
            SELECT low, high, stamp, at, lifetime FROM larder_segment WHERE feed = ?1 ORDER BY low DESC
            """
        try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            // The first step opens the snapshot that the items are read in.
            var next = try statement.nextSegment()
            let stored = next == nil ? [] : try items.items(next: .below, to: .top, limit: limit, in: db)
            var index = 0
            var edge: Cut?
            while index < stored.count, let segment = next {
                extent.stamps.append(segment.stamp)
                let start = index
                while index < stored.count, segment.span.contains(stored[index].key) { index += 1 }
                let piece = stored[start..<index]
                if let edge, edge == segment.span.high, !extent.pieces.isEmpty {
                    extent.pieces[extent.pieces.count - 1] += piece
                } else if !piece.isEmpty {
                    extent.pieces.append(Array(piece))
                }
                // An empty stretch that touches nothing is no run to show; one that touches carries the run on.
                if !piece.isEmpty || edge == segment.span.high { edge = segment.span.low }
                next = try statement.nextSegment()
            }
        }
        return extent
    }

    /// The bounds of every run, newest first.
    func runs(in db: borrowing Connection) throws -> [RunBounds] {
        let segments = try SegmentTable(feed: feed).segments(touching: Span(.bottom, .top), in: db)
        var runs: [RunBounds] = []
        for segment in segments.reversed() {
            if let last = runs.last, last.span.low == segment.span.high {
                runs[runs.count - 1].span = Span(segment.span.low, last.span.high)
                runs[runs.count - 1].oldest = segment.stamp.at < last.oldest.at ? segment.stamp : last.oldest
                runs[runs.count - 1].newest = segment.stamp.at > last.newest.at ? segment.stamp : last.newest
            } else {
                runs.append(RunBounds(span: segment.span, oldest: segment.stamp, newest: segment.stamp))
            }
        }
        return runs
    }

    /// The gap right below an item, if what stands there is not known and more is stored further down.
    func gap(below id: ItemID, in db: borrowing Connection) throws -> Gap? {
        let next = try stretch(at: .older(than: id), limit: 1, in: db)
        guard !next.isKnown, let place = try items.place(of: id, in: db),
            let lower = try items.items(next: .below, to: .below(place), limit: 1, in: db).first
        else { return nil }
        return Gap(above: id, below: lower.id)
    }

    func gaps(in db: borrowing Connection) throws -> [Gap] {
        let ends = try runs(in: db).compactMap { run -> (newest: ItemID, oldest: ItemID)? in
            guard let newest = try items.items(next: .below, to: run.span.high, limit: 1, in: db).first,
                let oldest = try items.items(next: .above, to: run.span.low, limit: 1, in: db).first,
                run.span.contains(newest.key), run.span.contains(oldest.key)
            else { return nil }
            return (newest.id, oldest.id)
        }
        return zip(ends, ends.dropFirst()).map { Gap(above: $0.oldest, below: $1.newest) }
    }
}

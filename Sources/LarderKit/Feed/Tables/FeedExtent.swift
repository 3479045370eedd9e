import LarderSQLite

/// The extent of one run without its items.
struct RunBounds: Sendable, Hashable {
    var span: Span
    /// When its oldest part was asked for, and its newest.
    var oldest: Stamp
    var newest: Stamp
}

extension FeedReader {
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
            let lower = try items.neighbour(.below, of: .below(place), in: db)
        else { return nil }
        return Gap(above: id, below: lower.id)
    }

    func gaps(in db: borrowing Connection) throws -> [Gap] {
        let ends = try runs(in: db).compactMap { run -> (newest: ItemID, oldest: ItemID)? in
            guard let newest = try items.neighbour(.below, of: run.span.high, in: db),
                let oldest = try items.neighbour(.above, of: run.span.low, in: db),
                run.span.contains(newest.key), run.span.contains(oldest.key)
            else { return nil }
            return (newest.id, oldest.id)
        }
        return zip(ends, ends.dropFirst()).map { Gap(above: $0.oldest, below: $1.newest) }
    }
}

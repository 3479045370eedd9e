import LarderSQLite

/// What a feed ordered by position tells the algebra about the neighbourhood of a page.
struct PositionTable {
    let feed: Int64
    var spacing = KeySpacing.standard

    private var items: ItemTable { ItemTable(feed: feed, order: .byPosition(.newestOnTop)) }

    func facts(
        for page: PageFacts, stamp: Stamp, isLatest: Bool, in db: borrowing Connection
    ) throws -> PositionFacts {
        var facts = PositionFacts(isLatest: isLatest)
        let ids = page.ids.compactMap { $0 } + [page.request.above, page.request.below].compactMap { $0 }
        for id in ids where facts.known[id] == nil {
            guard case .integer(let key)? = try items.key(of: id, in: db) else { continue }
            facts.known[id] = key
            facts.below[key] = try nearest(to: key, .below, in: db)
            facts.above[key] = try nearest(to: key, .above, in: db)
        }
        facts.highestItem = try nearest(to: .max, .below, in: db)
        facts.lowestItem = try nearest(to: .min, .above, in: db)
        let ends = [facts.highestItem, facts.lowestItem].compactMap { $0 }
        facts.isEmpty = ends.isEmpty
        let bounds = try SegmentTable(feed: feed).outermost(in: db).flatMap { [$0.span.low, $0.span.high] }
        let places =
            ends
            + bounds.compactMap { cut in
                if case .integer(let key)? = cut.key { key } else { nil }
            }
        facts.highest = places.max()
        facts.lowest = places.min()
        if page.request.continuation != nil, !page.isAnchorChecked,
            case .below(.integer(let key))? = page.edge,
            let anchor = page.request.below.flatMap({ facts.known[$0] }), key < anchor
        {
            facts.edge = key
            facts.below[key] = try nearest(to: key, .below, in: db)
        }
        if page.request.countedFrom == .newest, let anchor = page.request.below.flatMap({ facts.known[$0] }),
            page.ids.allSatisfy({ $0.map { facts.known[$0] == nil } ?? false })
        {
            facts.followed = try followers(of: anchor, fewerThan: page.ids.count, in: db)
        }
        if page.request.continuation != nil, page.request.edge != nil {
            let anchor = page.request.below.flatMap { facts.known[$0] } ?? .min
            for (key, lower) in facts.below where key > anchor {
                if try SegmentTable(feed: feed).isProven(Span(.above(.integer(lower)), .below(.integer(key))), in: db) {
                    facts.followers[key] = lower
                }
            }
        }
        if !isLatest, let low = facts.known.values.min(), let high = facts.known.values.max() {
            let reach = Span(.below(.integer(low)), .above(.integer(high)))
            facts.isOutdated = try hasLaterWord(than: stamp, in: [reach], in: db)
        }
        return facts
    }

    /// The last of the items that follow a key without a gap, if there are some and fewer than `count`; with the next one below.
    private func followers(
        of key: Int64, fewerThan count: Int, in db: borrowing Connection
    ) throws -> (end: Int64, next: Int64?)? {
        let stored = try items.keys(nextBelow: .below(.integer(key)), limit: count, in: db)
        guard let last = stored.last else { return nil }
        let edge = try SegmentTable(feed: feed).reach(of: Span(.below(last), .below(.integer(key))), in: db)
        let covered = stored.prefix { edge <= .below($0) }
        guard covered.count < count, case .integer(let end)? = covered.last else { return nil }
        return (end, try nearest(to: end, .below, in: db))
    }

    /// Whether an answer to a later request than that of `stamp` has spoken about anything in `spans`. What it said of the
    /// head is about the future and does not count.
    func hasLaterWord(than stamp: Stamp, in spans: [Span], in db: borrowing Connection) throws -> Bool {
        for span in spans where span.high != .top {
            let segments = try SegmentTable(feed: feed).segments(touching: span, in: db)
            if segments.contains(where: { $0.stamp > stamp && !$0.span.intersection(span).isEmpty }) { return true }
        }
        return false
    }

    private enum Side { case below, above }

    private func nearest(to key: Int64, _ side: Side, in db: borrowing Connection) throws -> Int64? {
        let sql =
            switch side {
            case .below: "SELECT key FROM larder_feed_item WHERE feed = ?1 AND key < ?2 ORDER BY key DESC LIMIT 1"
            case .above: "SELECT key FROM larder_feed_item WHERE feed = ?1 AND key > ?2 ORDER BY key LIMIT 1"
            }
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(key, at: 2)
            return try statement.step() ? try statement.row.int64(0) : nil
        }
    }

    /// Gives every item of the feed a new key, with fresh room around it and between runs. The order and the proofs
    /// stay as they are. Needed only when a server has squeezed pages between the same two items again and again.
    ///
    /// - Parameter count: The number of items for which there must be room between any two.
    /// - Complexity: O(the feed).
    /// - Returns: Where the feed's edges are now, by where they were.
    @discardableResult
    func spread(roomFor count: Int, in db: borrowing Connection) throws -> [Cut: Cut] {
        let table = SegmentTable(feed: feed)
        let segments = try table.segments(touching: Span(.bottom, .top), in: db)
        let lows = Set(segments.map(\.span.low))
        let runEnds = Set(segments.map(\.span.high).filter { !lows.contains($0) }.compactMap(\.key))
        // A stretch may end where an item once was, so the bounds have places of their own. So have edges, and the place where
        // someone was reading.
        let edges = try EdgeTable(feed: feed).cuts(in: db)
        let anchor = try ReadingAnchor.load(feed: feed, in: db)
        let cuts = segments.flatMap { [$0.span.low, $0.span.high] } + edges
        var bounds = Set(cuts.compactMap(\.key) + [anchor?.key].compactMap { $0 }).sorted()[...]
        var fresh: [SortKey: SortKey] = [:]
        var next: Int64 = 0
        let step = max(spacing.item, Int64(count) + 1)

        func place(_ key: SortKey) -> SortKey {
            defer { next += runEnds.contains(key) ? max(spacing.run, step) : step }
            return .integer(next)
        }
        func placeBounds(while isNext: (SortKey) -> Bool) {
            while let key = bounds.first, isNext(key) {
                fresh[key] = place(key)
                bounds.removeFirst()
            }
        }
        try items.rekey(into: feed, in: db) { item in
            placeBounds { $0 < item.key }
            if bounds.first != item.key { return place(item.key) }
            placeBounds { $0 == item.key }
            return fresh[item.key] ?? place(item.key)
        }
        placeBounds { _ in true }

        let moved = edges.map { $0.with(fresh) }
        try EdgeTable(feed: feed).move(from: edges, to: moved, in: db)
        if let anchor, let key = anchor.key {
            try ReadingAnchor(item: anchor.item, key: fresh[key]).save(feed: feed, in: db)
        }
        // What empty answers suggested was said of places that mean something else now.
        try SupposedEnd.clear(feed: feed, in: db)
        try FeedRow.clearPendingEmpty(feed: feed, in: db)
        try table.removeAll(in: db)
        for segment in segments {
            let span = Span(segment.span.low.with(fresh), segment.span.high.with(fresh))
            try table.insert(Segment(span: span, stamp: segment.stamp), in: db)
        }
        return Dictionary(zip(edges, moved), uniquingKeysWith: { first, _ in first })
    }
}

extension Cut {
    /// The cut beside the key that stands for its own.
    fileprivate func with(_ keys: [SortKey: SortKey]) -> Cut {
        switch self {
        case .bottom, .top: self
        case .below(let key): .below(keys[key] ?? key)
        case .above(let key): .above(keys[key] ?? key)
        }
    }
}

import LarderSQLite

/// What a feed ordered by position tells the algebra about the neighbourhood of a page.
struct PositionTable {
    let feed: Int64

    private var items: ItemTable { ItemTable(feed: feed, order: .byPosition(.newestOnTop)) }

    func facts(for page: PageFacts, stamp: Stamp, in db: borrowing Connection) throws -> PositionFacts {
        var facts = PositionFacts()
        let segments = SegmentTable(feed: feed)
        let ids = page.ids.compactMap { $0 } + [page.request.above, page.request.below].compactMap { $0 }
        for id in ids where facts.known[id] == nil {
            guard case .integer(let key)? = try items.key(of: id, in: db) else { continue }
            facts.known[id] = key
            facts.below[key] = try nearest(to: key, .below, in: db)
            facts.above[key] = try nearest(to: key, .above, in: db)
            let around = try segments.segments(touching: Span(of: .integer(key)), in: db)
            if around.contains(where: { $0.span.contains(.integer(key)) && $0.stamp > stamp }) {
                facts.settledLater.insert(id)
            }
        }
        facts.highest = try nearest(to: .max, .below, in: db)
        facts.lowest = try nearest(to: .min, .above, in: db)
        return facts
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
    /// - Complexity: O(the feed).
    func spread(in db: borrowing Connection) throws {
        let table = SegmentTable(feed: feed)
        let everything = Span(.bottom, .top)
        let keys = try items.keys(in: everything, in: db)
        let segments = try table.segments(touching: everything, in: db)
        let runEnds = Set(segments.map(\.span.high)).subtracting(segments.map(\.span.low))

        var fresh: [SortKey: Int64] = [:]
        var next: Int64 = 0
        for key in keys {
            fresh[key] = next
            next += runEnds.contains(.above(key)) ? PositionPlacement.runStep : PositionPlacement.itemStep
        }
        // Keys are unique within the feed, so the rows pass through a number of their own on the way.
        let parked = -feed
        try move(from: feed, to: parked, keys.map { ($0, $0) }, in: db)
        try move(from: parked, to: feed, keys.compactMap { key in fresh[key].map { (key, .integer($0)) } }, in: db)

        try table.removeAll(in: db)
        for segment in segments {
            let low = renewed(segment.span.low, keys, fresh)
            let high = renewed(segment.span.high, keys, fresh)
            guard low < high else { continue }
            try table.insert(Segment(span: Span(low, high), stamp: segment.stamp), in: db)
        }
    }

    private func move(
        from: Int64, to: Int64, _ keys: [(old: SortKey, new: SortKey)], in db: borrowing Connection
    ) throws {
        let sql = "UPDATE larder_feed_item SET feed = ?1, key = ?2 WHERE feed = ?3 AND key = ?4"
        for key in keys {
            try db.withStatement(sql) { statement in
                try statement.bind(to, at: 1)
                try statement.bind(key.new, at: 2)
                try statement.bind(from, at: 3)
                try statement.bind(key.old, at: 4)
                try statement.run()
            }
        }
    }

    /// The cut beside the same items under their new keys. A cut whose item has gone lies right above the next item below.
    private func renewed(_ cut: Cut, _ keys: [SortKey], _ fresh: [SortKey: Int64]) -> Cut {
        let place: SortKey
        switch cut {
        case .bottom, .top: return cut
        case .below(let key), .above(let key): place = key
        }
        if let key = fresh[place] {
            return cut == .below(place) ? .below(.integer(key)) : .above(.integer(key))
        }
        let lower = keys[..<keys.partitioningIndex { $0 >= place }].last
        return lower.flatMap { fresh[$0] }.map { .above(.integer($0)) } ?? .bottom
    }
}

extension Array {
    /// The first index whose element satisfies `belongsInSecondPartition`, in an array where all such elements come last.
    fileprivate func partitioningIndex(where belongsInSecondPartition: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if belongsInSecondPartition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

import LarderSQLite

/// Reading towards the newest, and asking for what is newer.
extension FeedReader {
    func upward(from id: ItemID, limit: Int, in db: borrowing Connection) throws -> Stretch {
        var stretch = Stretch(
            whole: Self.upwardRequest(from: id, overlap: nil, ceiling: nil, paging: paging, limit: limit))
        stretch.missing = stretch.whole
        guard let place = try items.place(of: id, in: db) else { return stretch }
        let start = Cut.above(place)
        guard let base = try segment(at: start, in: db) else { return stretch }

        let stored = try items.items(next: .above, to: start, limit: limit, in: db)
        var edge = base.span.high
        var covered = 0
        let sql = """
            SELECT low, high, stamp, at, lifetime, checksum FROM larder_segment
            WHERE feed = ?1 AND low > ?2 ORDER BY low
            """
        try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(base.span.low.encoded, at: 2)
            while true {
                while covered < stored.count, .above(stored[covered].key) <= edge { covered += 1 }
                // Of the run that the reading starts from, only what is shown of it has an age here.
                if stretch.stamps.isEmpty, covered > 0 || edge == .top { stretch.stamps.append(base.stamp) }
                if covered == limit { break }
                guard edge != .top, let segment = try statement.nextSegment(of: feed), segment.span.low == edge else {
                    break
                }
                edge = segment.span.high
                stretch.stamps.append(segment.stamp)
            }
        }
        let shown = stored.prefix(covered)
        stretch.items = shown.reversed()
        stretch.isAtEnd = covered < limit && edge == .top
        stretch.isComplete = covered == limit || stretch.isAtEnd

        let lower = try items.items(next: .below, to: .below(place), limit: 1, in: db).first
        let neighbour = lower.flatMap { base.span.low <= .below($0.key) ? $0.id : nil }
        let chain = [neighbour, id].compactMap { $0 } + shown.map { $0.id }
        stretch.whole = Self.upwardRequest(
            from: id, overlap: .some(neighbour), ceiling: nil, paging: paging, limit: limit)
        let ceiling = edge == .top ? nil : try items.items(next: .above, to: edge, limit: 1, in: db).first?.id
        stretch.missing =
            stretch.isComplete
            ? nil
            : Self.upwardRequest(
                from: chain[chain.count - 1], overlap: .some(chain.dropLast().last), ceiling: ceiling,
                paging: paging, limit: limit - covered)
        // A server that counts from the newest only comes to a gap from above: going on there is the one way to close it.
        if ceiling != nil, !parameters.contains(.min) { stretch.whole = stretch.missing ?? stretch.whole }
        return stretch
    }

    /// The segment that has `cut` inside it or as its upper end.
    private func segment(at cut: Cut, in db: borrowing Connection) throws -> Segment? {
        try SegmentTable(feed: feed).segments(touching: Span(cut, cut), in: db).first
    }

    /// What to ask for the items above `id`.
    ///
    /// - Parameters:
    ///   - overlap: The stored item next below `id`, asked from so that `id` coming back proves that the page reaches it;
    ///     `nil` when `id` itself is not stored, `.some(nil)` when it is and has no known neighbour below.
    ///   - ceiling: The item above which more is stored.
    static func upwardRequest(
        from id: ItemID, overlap: ItemID??, ceiling: ItemID?, paging: Paging, limit: Int
    ) -> PageRequest {
        let parameters = paging.parameters
        if paging.usesContinuations { return paging.headRequest(limit: limit) }
        if parameters.contains(.min) {
            return PageRequest(above: id, countedFrom: .oldest, limit: limit)
        }
        let bound = parameters.contains(.max) ? ceiling : nil
        guard parameters.contains(.since) else { return PageRequest(below: bound, limit: limit) }
        guard let overlap else { return PageRequest(above: id, below: bound, limit: limit) }
        return PageRequest(above: overlap, below: bound, limit: limit)
    }

    /// What to ask for the head only, with an overlap: from just below the newest stored item, so that this item coming back
    /// proves that nothing is missing in between; or from further down, for a server whose ids appear late.
    ///
    /// Where ids do not compare, a bound whose item has gone is one that the server cannot answer. There the head is asked
    /// for without a bound: a page that reaches down to what is stored proves the same.
    func refreshRequest(limit: Int, overlap: Int, in db: borrowing Connection) throws -> PageRequest {
        guard case .byID = order, parameters.contains(.since) else { return paging.headRequest(limit: limit) }
        // The overlap leaves room for at least one new item.
        let newest = try stretch(at: .newest, limit: min(max(1, overlap), limit - 1) + 1, in: db).items
        guard newest.count > 1, let bound = newest.last else { return PageRequest(limit: limit) }
        return PageRequest(above: bound.id, limit: limit)
    }
}

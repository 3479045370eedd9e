import LarderSQLite

extension Paging {
    /// Whether a page need not begin where it was to go on from: places that are counted from the top shift.
    func mayShift(_ page: IncomingPage) -> Bool {
        guard page.request.edge != nil, !page.isAnchorChecked else { return false }
        return switch kind {
        case .item, .cursor, .link: false
        case .pageNumber: neighbours == .areChecked
        case .offset: true
        }
    }
}

extension FeedWriter {
    /// How an answer hangs on the item it goes on from.
    func continuity(of page: IncomingPage, from edge: FeedEdge?) -> PageContinuity {
        if paging.mayShift(page) { return .shown }
        if let edge { return edge.isApart ? .apart : .exact }
        // Of an edge that has gone meanwhile nobody knows any more whether it was right below the item.
        let isLost = page.request.edge != nil && paging.usesContinuations && !page.isAnchorChecked
        return isLost ? .apart : .exact
    }

    /// Whether a page itself shows how it hangs on the item that it goes on from: by that item, or the one right above it. What
    /// it shares with what is stored further down says nothing of what lies between.
    func isHeld(_ page: IncomingPage, in db: borrowing Connection) throws -> Bool {
        guard let row = try FeedRow.load(partition: partition, name: name, in: db), row.paging == paging.fingerprint,
            let edge = try askedEdge(page, EdgeTable(feed: row.id), in: db)
        else { return true }
        return try isHeld(page, at: edge, ItemTable(feed: row.id, order: paging.order), in: db)
    }

    private func isHeld(
        _ page: IncomingPage, at edge: FeedEdge, _ items: ItemTable, in db: borrowing Connection
    ) throws -> Bool {
        if paging.order == .byPosition(.ranked) { return page.ids.contains(page.request.below) }
        // One from far above is pinned there, or has come back; it does not tell where the page begins.
        let nearest = try [0, 1].map { try items.neighbour(.above, of: edge.cut, number: $0, in: db)?.key }
        let shown = try page.ids.compactMap { id in try id.flatMap { try items.key(of: $0, in: db) } }
        return shown.filter { edge.cut <= .below($0) }.min().map { nearest.contains($0) } ?? false
    }

    /// Whether the item that a page goes on from was there when the page was asked for: seen, or assumed by the app.
    func isAnchorChecked(_ page: IncomingPage) -> Bool {
        if page.isAnchorChecked { return true }
        guard case .pageNumber = paging.kind else { return false }
        return paging.neighbours == .areAssumed && page.request.edge != nil
    }

    /// The edge that an answer was asked from, if it is still there.
    func askedEdge(_ page: IncomingPage, _ edges: EdgeTable, in db: borrowing Connection) throws -> FeedEdge? {
        guard let mark = page.request.edge, let edge = try edges.edge(at: mark.cut, in: db), edge.stamp == mark.stamp
        else { return nil }
        return edge
    }

    /// Where a server is told items, and nothing follows the last of a ranked list, the item may as well be one that it knows no
    /// more, and nothing tells which. After two such answers it is not asked again, until the head has been.
    private func settleLastItem(
        _ page: IncomingPage, _ placement: PagePlacement, _ edges: EdgeTable, in db: borrowing Connection
    ) throws {
        guard paging.order == .byPosition(.ranked), placement.emptied == nil, placement.items.isEmpty,
            page.follows == .unknown, page.request.countedFrom == .newest, page.request.edge == nil,
            let anchor = page.request.below, page.ids.allSatisfy({ $0 == anchor }),
            let key = try ItemTable(feed: edges.feed, order: paging.order).key(of: anchor, in: db)
        else { return }
        var edge = FeedEdge(cut: .below(key), stamp: page.stamp.order, continuation: nil, size: page.request.limit)
        if let earlier = try edges.edge(at: edge.cut, in: db), earlier.fruitless == 0 { edge.stall = .nothingNew }
        try edges.save(edge, in: db)
    }

    /// Whether a ranked list ends with a page, by the server's word or since nothing stands behind the item gone on from, while
    /// more of the feed is stored below.
    private func isEndOverOthers(_ page: IncomingPage, _ placement: PagePlacement, settled: [Span]) -> Bool {
        guard paging.order == .byPosition(.ranked), placement.emptied == nil else { return false }
        let isBeginKnown = page.isAnchorChecked || page.request.isOfTheHead
        let showsNothing = page.ids.allSatisfy { $0 != nil && $0 == page.request.below }
        let isSaid = page.follows == .nothing && (showsNothing || !placement.items.isEmpty)
        let isShown =
            page.follows == .unknown && page.ids.count < page.request.limit && showsNothing
            && (!page.ids.isEmpty || isBeginKnown)
        guard isSaid || isShown else { return false }
        return !settled.contains { $0.low == .bottom }
    }

    /// Forgets what hung on the places that items of a ranked list have left: runs without items, and edges that lead elsewhere
    /// by now, since places are counted from the top.
    func leave(
        _ departures: [SortKey], stamp: Stamp, _ items: ItemTable, _ segments: SegmentTable, _ edges: EdgeTable,
        in db: borrowing Connection
    ) throws {
        guard !departures.isEmpty else { return }
        if paging.countsFromTheTop {
            let left = try departures.flatMap { key in
                try segments.segments(touching: Span(of: key), in: db).map(\.span).filter { $0.contains(key) }
            }
            for span in Set(left) { try edges.remove(inAndBelow: span, before: stamp.order, in: db) }
        }
        for run in try segments.removeRuns(emptiedOf: departures, items, in: db) {
            try edges.remove(in: run, before: stamp.order, in: db)
            if let end = try edges.edge(at: run.low, in: db) { try edges.remove(end.mark, in: db) }
        }
    }

    /// Keeps what an answer brought to go on with, and forgets what it has made pointless.
    ///
    /// - Parameter earlierHead: Of an answer about the head, the stamp of the one before. What has come on top since then is not
    ///   counted in by edges of answers before that; those of later answers may have it in already.
    func settleEdges(
        _ page: IncomingPage, _ placement: PagePlacement, settled: [Span], asked: FeedEdge?, earlierHead: Int64?,
        _ change: FeedChange, _ edges: EdgeTable, in db: borrowing Connection
    ) throws {
        guard case .byPosition = paging.order else { return }
        for span in settled {
            try edges.remove(in: span, before: page.stamp.order, in: db)
        }
        if page.request.isOfTheHead { try edges.revive(in: db) }
        guard paging.usesContinuations else {
            // An item that a later page ends with is there again, to be gone on from.
            if let last = placement.items.last?.key, settled.contains(last),
                let lost = try edges.edge(at: .below(last), in: db), lost.stamp < page.stamp.order
            {
                try edges.remove(lost.mark, in: db)
            }
            return try settleLastItem(page, placement, edges, in: db)
        }
        if let lowest = change.insertedKeys.last, let earlierHead {
            try edges.shift(
                by: change.inserted.count - change.removed.count, below: .below(lowest), before: earlierHead, in: db)
        }
        let sightings = Sightings(page.ids)
        let items = ItemTable(feed: edges.feed, order: paging.order)
        var last = placement.items.last.flatMap { settled.contains($0.key) ? $0.key : nil }
        if placement.items.isEmpty, case .more = page.follows, let anchor = page.request.below,
            page.ids.last == anchor
        {
            // What it brought leads on from that very item, wherever the edge was.
            last = try items.key(of: anchor, in: db)
        }
        // An answer that a later one has overtaken says nothing of where to go on.
        guard last != nil || placement.items.isEmpty else { return }
        let isKnownNeighbour = page.ids.contains(page.request.below) || change.inserted.count < sightings.list.count
        let isDetached = try asked.map { try paging.mayShift(page) && !isHeld(page, at: $0, items, in: db) } ?? false
        var leadsUp = false
        if change.inserted.isEmpty, let last, case .more(let next) = page.follows {
            leadsUp = try edges.leadsUp(next, from: .below(last), in: db)
        }
        let settling = EdgeSettling(
            request: page.request, asked: asked, follows: page.follows, isForeign: page.isForeign,
            count: page.ids.count, stamp: page.stamp.order, last: last,
            endsInBreak: sightings.endsInBreak || page.leftOut > 0,
            validators: page.validators, fruitlessPages: fruitlessPages,
            isUndecided: change.distrustsEmptyAnswer, isNews: !change.inserted.isEmpty, leadsUp: leadsUp,
            isSeam: paging.neighbours == .areAssumed && asked != nil && !isKnownNeighbour,
            hasOthers: page.ids.contains { $0 == nil || $0 != page.request.below }, isDetached: isDetached,
            isEndOverOthers: isEndOverOthers(page, placement, settled: settled))
        let result = settling.result
        if let mark = result.removed { try edges.remove(mark, in: db) }
        for edge in result.saved { try edges.save(edge, in: db) }
        if last != nil { try edges.removeTop(before: page.stamp.order, in: db) }
    }
}

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
        return edge?.isApart == true ? .apart : .exact
    }

    /// Whether a page shares with what is stored what tells where it belongs.
    func isHeld(_ page: IncomingPage, in db: borrowing Connection) throws -> Bool {
        guard let row = try FeedRow.load(partition: partition, name: name, in: db), row.paging == paging.fingerprint
        else { return true }
        let asked = try askedEdge(page, EdgeTable(feed: row.id), in: db)
        let facts = PageFacts(
            request: page.request, ids: page.ids, follows: page.follows, largestPage: row.largestPage,
            continuity: continuity(of: page, from: asked))
        guard case .byPosition(let order) = paging.order else { return true }
        let stored = try PositionTable(feed: row.id, spacing: spacing)
            .facts(for: facts, stamp: page.stamp, isLatest: true, in: db)
        if order == .ranked { return facts.ids.contains(facts.request.below) }
        // What it shares further down tells where it belongs, and not that it begins right below the item it goes on from.
        if !facts.ids.isEmpty, let anchor = facts.request.below.flatMap({ stored.known[$0] }),
            !facts.ids.contains(where: { $0.flatMap { stored.known[$0] } ?? .min >= anchor })
        {
            return false
        }
        do {
            let placement = try PositionPlacement(order: order, paging: paging, spacing: spacing)
                .place(facts, among: stored)
            return !placement.items.isEmpty || placement.emptied != nil
        } catch {
            // There is room for what finds none: it has a place.
            return true
        }
    }

    /// The edge that an answer was asked from, if it is still there.
    func askedEdge(_ page: IncomingPage, _ edges: EdgeTable, in db: borrowing Connection) throws -> FeedEdge? {
        guard let mark = page.request.edge, let edge = try edges.edge(at: mark.cut, in: db), edge.stamp == mark.stamp
        else { return nil }
        return edge
    }

    /// Keeps what an answer brought to go on with, and forgets what it has made pointless.
    ///
    /// - Parameter earlierHead: The stamp of the answer about the head before this one. What has come on top since then is not
    ///   counted in by edges of answers before that; those of later answers may have it in already.
    func settleEdges(
        _ page: IncomingPage, _ placement: PagePlacement, settled: [Span], asked: FeedEdge?, earlierHead: Int64?,
        _ change: FeedChange, _ edges: EdgeTable, in db: borrowing Connection
    ) throws {
        guard case .byPosition = paging.order else { return }
        for span in settled {
            try edges.remove(in: span, before: page.stamp.order, in: db)
        }
        guard paging.usesContinuations else {
            // An item that a later page ends with is there again, to be gone on from.
            if let last = placement.items.last?.key, settled.contains(last),
                let lost = try edges.edge(at: .below(last), in: db), lost.stamp < page.stamp.order
            {
                try edges.remove(lost.mark, in: db)
            }
            return
        }
        if page.request.isOfTheHead {
            try edges.revive(in: db)
            if let lowest = change.insertedKeys.last, let earlierHead {
                try edges.shift(
                    by: change.inserted.count - change.removed.count, below: .below(lowest), before: earlierHead, in: db
                )
            }
        }
        let sightings = Sightings(page.ids)
        let last = placement.items.last.flatMap { settled.contains($0.key) ? $0.key : nil }
        // An answer that a later one has overtaken says nothing of where to go on.
        guard last != nil || placement.items.isEmpty else { return }
        let isKnownNeighbour = page.ids.contains(page.request.below) || change.inserted.count < sightings.list.count
        let settling = EdgeSettling(
            request: page.request, asked: asked, follows: page.follows, isForeign: page.isForeign,
            count: page.ids.count, stamp: page.stamp.order, last: last, endsInBreak: sightings.endsInBreak,
            validators: page.validators, fruitlessPages: fruitlessPages,
            isUndecided: change.distrustsEmptyAnswer,
            isOffMark: paging.mayShift(page) && change.inserted.isEmpty && !page.ids.contains(page.request.below),
            isSeam: paging.neighbours == .areAssumed && asked != nil && !isKnownNeighbour)
        let result = settling.result
        if let mark = result.removed { try edges.remove(mark, in: db) }
        for edge in result.saved { try edges.save(edge, in: db) }
        if last != nil { try edges.removeTop(before: page.stamp.order, in: db) }
    }
}

import LarderSQLite

/// How to go on below a place where what is known ends.
enum Onward: Sendable, Hashable {
    case ask(PageRequest)
    /// There is nothing to ask with, until the head has been asked for again.
    case stalled(StallReason)

    var request: PageRequest? {
        if case .ask(let request) = self { request } else { nil }
    }

    var stall: StallReason? {
        if case .stalled(let reason) = self { reason } else { nil }
    }
}

extension Paging {
    /// The newest items.
    func headRequest(limit: Int) -> PageRequest {
        switch kind {
        case .item, .cursor, .link: PageRequest(limit: limit)
        case .pageNumber(let first): PageRequest(limit: limit, continuation: .page(first))
        case .offset: PageRequest(limit: limit, continuation: .offset(0))
        }
    }

    /// Whether places are told by how many pages or items stand above them.
    var countsFromTheTop: Bool {
        switch kind {
        case .pageNumber, .offset: true
        case .item, .cursor, .link: false
        }
    }

    /// The number of the first page, where pages have numbers.
    var firstPage: Int {
        if case .pageNumber(let first) = kind { first } else { 0 }
    }

    /// Whether `continuation` is of the kind that the server is told where to go on by.
    func goesOn(by continuation: Continuation) -> Bool {
        switch (kind, continuation) {
        case (.cursor, .cursor), (.link, .link), (.pageNumber, .page), (.offset, .offset): true
        default: false
        }
    }

    /// Whether the server is told where to go on by what it gave, and not by an item.
    var usesContinuations: Bool {
        if case .item = kind { false } else { true }
    }
}

extension FeedReader {
    var edges: EdgeTable { EdgeTable(feed: feed) }

    /// What to ask for below the item `id`, which stands at `key`, where what is known ends at `cut`.
    ///
    /// A server that is told items needs the item. One that gave something to go on with is asked with the nearest of that, at
    /// the cut or above it; where there is none, from the head. What lies above a gap counts, too: it leads down to the gap and
    /// through it, while the head would be asked for again and again.
    func onward(
        below id: ItemID, key: SortKey, at cut: Cut, limit: Int, in db: borrowing Connection
    ) throws -> Onward {
        if paging.usesContinuations {
            guard let edge = try edges.lowest(atOrAbove: cut, in: db) else {
                return .ask(paging.headRequest(limit: limit))
            }
            return try onward(from: edge, limit: limit, in: db)
        }
        guard case .byPosition = order, let lost = try edges.edge(at: .below(key), in: db) else {
            return .ask(PageRequest(below: id, limit: limit))
        }
        if let reason = lost.stall { return .stalled(reason) }
        return .ask(
            lost.fruitless > 0 ? try request(above: lost, limit: limit, in: db) : PageRequest(below: id, limit: limit))
    }

    /// What to ask of a server that is told items, where it has said that it knows one no more: one further up stands in, within
    /// the same run, or else the head.
    private func request(above lost: FeedEdge, limit: Int, in db: borrowing Connection) throws -> PageRequest {
        // The lost item itself stands right above its edge.
        guard let anchor = try items.neighbour(.above, of: lost.cut, number: lost.fruitless, in: db),
            try SegmentTable(feed: feed).isProven(Span(lost.cut, .below(anchor.key)), in: db)
        else { return paging.headRequest(limit: limit) }
        var request = PageRequest(below: anchor.id, limit: limit + lost.fruitless)
        request.edge = lost.mark
        return request
    }

    private func onward(from edge: FeedEdge, limit: Int, in db: borrowing Connection) throws -> Onward {
        if let reason = edge.stall { return .stalled(reason) }
        let anchor = try items.neighbour(.above, of: edge.cut, in: db)?.id
        guard edge.continuation.map(paging.goesOn) ?? false,
            let request = edge.request(from: anchor, limit: limit, firstPage: paging.firstPage)
        else {
            return .stalled(.noContinuation)
        }
        return .ask(request)
    }

    /// Takes note that the server knows an item no more: the next request goes on from the item above it, the one after that from
    /// four times as far up.
    func loseAnchor(_ id: ItemID?, in db: borrowing Connection) throws {
        guard case .byPosition = order, let id, let key = try items.key(of: id, in: db) else { return }
        try loseAnchor(at: .below(key), in: db)
    }

    func loseAnchor(at cut: Cut, in db: borrowing Connection) throws {
        var edge = try edges.edge(at: cut, in: db) ?? FeedEdge(cut: cut, stamp: 0, continuation: nil, size: 1)
        edge.fruitless = min(max(1, 4 * edge.fruitless), 1 << 20)
        try edges.save(edge, in: db)
    }

    /// What to ask for below everything that is stored, or `nil` when the feed is known to end there.
    func olderStep(limit: Int, in db: borrowing Connection) throws -> Onward? {
        guard let lowest = try items.neighbour(.above, of: .bottom, in: db) else {
            if try stretch(at: .newest, limit: 1, in: db).isAtEnd { return nil }
            // An empty first page may have brought something to go on with.
            if let edge = try edges.edge(at: .top, in: db) { return try onward(from: edge, limit: limit, in: db) }
            return .ask(paging.headRequest(limit: limit))
        }
        let stretch = try stretch(at: .older(than: lowest.id), limit: limit, in: db)
        if stretch.isAtEnd { return nil }
        return stretch.stall.map { .stalled($0) } ?? .ask(stretch.missing ?? stretch.whole)
    }

    /// What to ask for to have the newest stretch again that was asked for before a time, or `nil` when there is none.
    ///
    /// It is asked from the item above it on, or where that is not known to be its neighbour, from its own first item on.
    func revalidation(before latest: Int64, limit: Int, in db: borrowing Connection) throws -> Onward? {
        let segments = try SegmentTable(feed: feed).segments(touching: Span(.bottom, .top), in: db)
        for segment in segments.reversed() where segment.stamp.at < latest {
            guard let first = try items.neighbour(.below, of: segment.span.high, in: db),
                segment.span.contains(first.key)
            else { continue }
            guard let above = try items.neighbour(.above, of: .above(first.key), in: db) else {
                return .ask(paging.headRequest(limit: limit))
            }
            let isNeighbour = try SegmentTable(feed: feed).isProven(Span(.below(first.key), .above(above.key)), in: db)
            let start = isNeighbour ? above : first
            return try onward(below: start.id, key: start.key, at: .below(start.key), limit: limit, in: db)
        }
        return nil
    }
}

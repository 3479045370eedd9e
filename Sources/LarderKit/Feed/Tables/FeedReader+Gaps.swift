import LarderSQLite

/// The gaps of a feed, and how they are filled.
extension FeedReader {
    /// The gaps within a span, newest first.
    func gaps(in span: Span, in db: borrowing Connection) throws -> [Gap] {
        var edge = span.low
        var gaps: [Gap] = []
        for segment in try SegmentTable(feed: feed).segments(touching: span, in: db) {
            defer { edge = max(edge, segment.span.high) }
            guard segment.span.low > edge else { continue }
            try gaps.append(contentsOf: gap(around: segment.span.low, in: db).map { [$0] } ?? [])
        }
        if edge < span.high { try gaps.append(contentsOf: gap(around: span.high, in: db).map { [$0] } ?? []) }
        var seen: Set<Gap> = []
        return gaps.filter { seen.insert($0).inserted }.reversed()
    }

    private func gap(around cut: Cut, in db: borrowing Connection) throws -> Gap? {
        guard let above = try items.neighbour(.above, of: cut, in: db),
            let below = try items.neighbour(.below, of: cut, in: db)
        else { return nil }
        return Gap(above: above.id, below: below.id)
    }

    /// The stretch between the items of a gap, or `nil` when it is none any more.
    func span(of gap: Gap, in db: borrowing Connection) throws -> Span? {
        guard let above = try items.place(of: gap.above, in: db), let below = try items.place(of: gap.below, in: db)
        else { return nil }
        let span = Span(.above(below), .below(above))
        return span.isEmpty ? nil : span
    }

    /// What is left of a gap that stood in a span, at the side that is not filled from.
    func remainder(of gap: Gap, in span: Span, from side: GapSide, in db: borrowing Connection) throws -> Gap? {
        // Places may have been spread since; the items that are still there tell where they are.
        let span = try self.span(of: gap, in: db) ?? span
        let gaps = try gaps(in: span, in: db)
        return side == .newer ? gaps.last : gaps.first
    }

    /// What to ask for to fill a gap by one step, or `nil` when there is none any more.
    func fillStep(_ gap: Gap, from side: GapSide, limit: Int, in db: borrowing Connection) throws -> Onward? {
        guard let span = try span(of: gap, in: db),
            let gap = try side == .newer ? gaps(in: span, in: db).first : gaps(in: span, in: db).last
        else { return nil }
        let upward = try upwardFill(gap, limit: limit, in: db)
        if side == .older, let upward { return .ask(upward) }
        if case .item(let parameters) = paging.kind, !parameters.contains(.max) {
            return upward.map { .ask($0) } ?? .ask(PageRequest(below: gap.above, limit: limit))
        }
        return try downwardFill(gap, limit: limit, in: db)
    }

    /// Where ids compare, a bound just beyond the far item lets the server show that item, and nothing that is known.
    private func downwardFill(_ gap: Gap, limit: Int, in db: borrowing Connection) throws -> Onward? {
        guard case .byID = order else {
            return try stretch(at: .older(than: gap.above), limit: limit, in: db).onward
        }
        let bound = parameters.contains(.since) ? try neighbour(.older(than: gap.below), in: db) : nil
        return .ask(PageRequest(above: bound, below: gap.above, limit: limit))
    }

    private func upwardFill(_ gap: Gap, limit: Int, in db: borrowing Connection) throws -> PageRequest? {
        guard parameters.contains(.min) else { return nil }
        var bound: ItemID?
        if case .byID = order, parameters.contains(.max) { bound = try neighbour(.newer(than: gap.above), in: db) }
        return PageRequest(above: gap.below, below: bound, countedFrom: .oldest, limit: limit)
    }

    /// The item right beside another one, if it is known.
    private func neighbour(_ position: FeedPosition, in db: borrowing Connection) throws -> ItemID? {
        try stretch(at: position, limit: 1, in: db).items.first?.id
    }
}

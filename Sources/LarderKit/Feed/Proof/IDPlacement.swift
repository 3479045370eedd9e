/// The proof algebra of feeds whose ids compare: an id is its own place, and a page covers an interval of ids.
struct IDPlacement: Sendable {
    let order: Paging.IDOrder
    let paging: Paging

    func place(_ facts: PageFacts) -> PagePlacement {
        let request = facts.request
        let above = request.above.map { SortKey($0, order: order) }
        let below = request.below.map { SortKey($0, order: order) }
        let sightings = Sightings(facts.ids)
        var result = PagePlacement(oddities: sightings.oddities)

        result.items = sightings.list.map {
            PagePlacement.Item(index: $0.index, id: $0.id, key: SortKey($0.id, order: order))
        }
        let inside = zip(sightings.list, result.items).filter { _, item in
            above.map { item.key > $0 } ?? true && below.map { item.key < $0 } ?? true
        }
        let outside = result.items.filter { item in
            above.map { item.key <= $0 } ?? false || below.map { item.key >= $0 } ?? false
        }
        // The bound's own item is an inclusive bound, not an oddity.
        result.oddities.outsideInterval = outside.count { $0.key != above && $0.key != below }
        result.claims = outside.map { Span(of: $0.key) }

        let keys = inside.map(\.1.key)
        guard zip(keys, keys.dropFirst()).allSatisfy({ $0 > $1 }) else {
            result.oddities.isOutOfOrder = true
            result.claims += keys.map { Span(of: $0) }
            return result
        }

        let interval = Span(above.map { .above($0) } ?? .bottom, below.map { .below($0) } ?? .top)
        let farBoundIsShown =
            switch request.countedFrom {
            case .newest: above.map { bound in outside.contains { $0.key <= bound } } ?? false
            case .oldest: below.map { bound in outside.contains { $0.key >= bound } } ?? false
            }
        let reachesFarBound =
            farBoundIsShown || facts.follows == .nothing || facts.ids.isEmpty || facts.isShort(under: paging.shortPages)
        let reach = Reach(
            top: request.countedFrom == .newest || reachesFarBound,
            bottom: request.countedFrom == .oldest || reachesFarBound)
        result.claims += claims(
            of: inside.map { ($0.0.followsBreak, $0.1.key) }, endsInBreak: sightings.endsInBreak, in: interval,
            reach: reach)
        return result
    }

    /// The stretches between the breaks of a page, each from its first item to its last; the outermost ones up to the
    /// bounds that the page is known to reach.
    private func claims(
        of items: [(followsBreak: Bool, key: SortKey)], endsInBreak: Bool, in interval: Span, reach: Reach
    ) -> [Span] {
        guard let first = items.first, let last = items.last else {
            return endsInBreak || !(reach.top && reach.bottom) ? [] : [interval]
        }
        var high: Cut = .above(first.key)
        var claims: [Span] = []
        if reach.top, !first.followsBreak {
            if interval.high == .top {
                claims.append(Span(high, .top))
            } else {
                high = interval.high
            }
        }
        var previous = first.key
        for item in items.dropFirst() {
            if item.followsBreak {
                claims.append(Span(.below(previous), high))
                high = .above(item.key)
            }
            previous = item.key
        }
        claims.append(Span(reach.bottom && !endsInBreak ? interval.low : .below(last.key), high))
        return claims
    }
}

/// Which bounds of the interval asked for a page is known to reach.
struct Reach: Sendable {
    let top: Bool
    let bottom: Bool
}

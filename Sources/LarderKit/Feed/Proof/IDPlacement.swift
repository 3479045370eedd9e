/// The proof algebra of feeds whose ids compare: an id is its own place, and a page covers an interval of ids.
struct IDPlacement: Sendable {
    let order: Paging.IDOrder
    let paging: Paging

    func place(_ facts: PageFacts) -> PagePlacement {
        let sightings = Sightings(facts.ids)
        var result = PagePlacement(oddities: sightings.oddities)
        result.items = sightings.list.map {
            PagePlacement.Item(index: $0.index, id: $0.id, key: SortKey($0.id, order: order))
        }
        let keys = result.items.map(\.key)
        let above = facts.request.above.map { SortKey($0, order: order) }
        let below = facts.request.below.map { SortKey($0, order: order) }
        let interval = Span(above.map { .above($0) } ?? .bottom, below.map { .below($0) } ?? .top)
        // The bound's own item is an inclusive bound, not an oddity.
        result.oddities.outsideInterval = keys.count { !interval.contains($0) && $0 != above && $0 != below }

        guard zip(keys, keys.dropFirst()).allSatisfy({ $0 > $1 }) else {
            result.oddities.isOutOfOrder = true
            result.claims = keys.map { Span(of: $0) }
            return result
        }
        // In order, a page holds first what lies above the interval, then what lies in it, then what lies below.
        let start = keys.firstIndex { .above($0) <= interval.high } ?? keys.count
        let end = keys[start...].firstIndex { .below($0) < interval.low } ?? keys.count
        result.claims = (keys[..<start] + keys[end...]).map { Span(of: $0) }

        let isFarBoundShown = facts.request.countedFrom == .newest ? end < keys.count : start > 0
        if start < end {
            let reachesFarBound =
                isFarBoundShown || facts.follows == .nothing || facts.isShort(under: paging.shortPages)
            let reachesHigh = facts.request.countedFrom == .newest || reachesFarBound
            let reachesLow = facts.request.countedFrom == .oldest || reachesFarBound
            result.claims += claims(
                keys[start..<end], of: sightings,
                in: Span(
                    reachesLow && !sightings.isBroken(at: end) ? interval.low : .below(keys[end - 1]),
                    reachesHigh && !sightings.isBroken(at: start) ? interval.high : .above(keys[start])))
        } else if sightings.isBroken(at: start) {
            // What stands there has no id, and may belong into the interval.
        } else if isFarBoundShown {
            result.claims.append(interval)
        } else if showsNothing(facts, keys, nearBound: facts.request.countedFrom == .newest ? below : above) {
            result.emptied = interval
        }
        return result
    }

    /// The stretches between the breaks of a page, which together span `whole`.
    private func claims(_ keys: ArraySlice<SortKey>, of sightings: Sightings, in whole: Span) -> [Span] {
        var claims: [Span] = []
        var high = whole.high
        if let first = keys.first, high == .top {
            // The head stays apart: it is about the future.
            high = .above(first)
            claims.append(Span(high, .top))
        }
        for index in keys.indices.dropFirst() where sightings.isBroken(at: index) {
            claims.append(Span(.below(keys[index - 1]), high))
            high = .above(keys[index])
        }
        claims.append(Span(whole.low, high))
        return claims
    }

    /// Whether a page without an item in its interval says that there is none: it is empty but for the item of an
    /// inclusive bound and could have shown more, or something else says that nothing follows.
    private func showsNothing(_ facts: PageFacts, _ keys: [SortKey], nearBound: SortKey?) -> Bool {
        let isEmpty =
            keys.allSatisfy { $0 == nearBound } && facts.ids.count < facts.request.limit && facts.follows == .unknown
        return isEmpty || facts.follows == .nothing || facts.isShort(under: paging.shortPages)
    }
}

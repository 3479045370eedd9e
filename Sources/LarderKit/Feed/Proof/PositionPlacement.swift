/// What is stored around the items and bounds of a page, in a feed whose order is that of positions.
struct PositionFacts: Sendable {
    /// The stored keys of the page's items and of the request's bounds.
    var known: [ItemID: Int64] = [:]
    /// Of those, the items about which a later answer has spoken: they stay where they are.
    var settledLater: Set<ItemID> = []
    /// The nearest stored keys below and above each key in ``known``.
    var below: [Int64: Int64] = [:]
    var above: [Int64: Int64] = [:]
    var highest: Int64?
    var lowest: Int64?
}

/// The proof algebra of feeds whose ids do not compare: a page is a chain of neighbours, placed by the items it shares
/// with what is stored, or by the item it was asked to continue from.
///
/// Keys leave room: ``itemStep`` between neighbours, ``runStep`` between runs, so that filling a gap moves nothing.
struct PositionPlacement: Sendable {
    static let itemStep: Int64 = 1 << 16
    static let runStep: Int64 = 1 << 40

    /// There is no room left for the page between its neighbours; the feed's keys have to be spread anew.
    struct NoRoom: Error {}

    let order: Paging.ListOrder
    let paging: Paging

    func place(_ facts: PageFacts, among stored: PositionFacts) throws(NoRoom) -> PagePlacement {
        let sightings = Sightings(facts.ids)
        var result = PagePlacement(oddities: sightings.oddities)
        guard !facts.ids.isEmpty else {
            result.claims = claimsOfAnEmptyPage(facts, stored)
            return result
        }
        // An inclusive bound brings the anchor itself back; the page proper starts below it.
        var list = sightings.list
        if let anchor = facts.request.below, let index = list.firstIndex(where: { $0.id == anchor }) {
            list.removeFirst(index + 1)
        }
        let anchors = Anchors(facts, list, stored, reachesFarBound: reachesFarBound(facts, list))
        let kept = keptInPlace(list, anchors, facts.request, stored)
        if kept.count + (anchors.below == nil ? 0 : 1) > 0, list.contains(where: { isOutOfPlace($0, kept, stored) }) {
            result.oddities.isOutOfOrder = order == .newestOnTop
        }

        // A protected item that does not keep its place is the later answer's business.
        list.removeAll { stored.settledLater.contains($0.id) && kept[$0.id] == nil }
        guard let first = list.first, let last = list.last else { return result }
        let keys = try keys(for: list, kept: kept, anchors: anchors, request: facts.request, stored)
        result.items = zip(list, keys).map { .init(index: $0.index, id: $0.id, key: .integer($1)) }
        result.departures = list.compactMap { kept[$0.id] == nil ? stored.known[$0.id].map(SortKey.integer) : nil }

        let edges = edges(
            first: (first, keys[0]), last: (last, keys[keys.count - 1]), endsInBreak: sightings.endsInBreak, kept: kept,
            anchors: anchors, stored)
        result.claims = edges.claims
        result.releases = edges.releases
        var high = edges.high
        for (previous, next) in zip(zip(list, keys), zip(list, keys).dropFirst()) where next.0.followsBreak {
            result.claims.append(Span(.below(.integer(previous.1)), high))
            high = .above(.integer(next.1))
            result.releases.append(Span(high, .below(.integer(previous.1))))
        }
        result.claims.append(Span(edges.low, high))
        return result
    }
}

extension PositionPlacement {
    /// The request's bounds where they are known, and whether the page is known to reach the far one.
    fileprivate struct Anchors {
        /// The key of the item the page continues below.
        var below: Int64?
        /// The key of the item the page continues above, or reaches down to.
        var above: Int64?
        /// Nothing follows the page within the feed in the direction it was counted.
        var isAtFloor = false
        var isAtHead = false

        init(_ facts: PageFacts, _ list: [Sighting], _ stored: PositionFacts, reachesFarBound: Bool) {
            let request = facts.request
            let isCountedUp = request.countedFrom == .oldest
            if !isCountedUp || reachesFarBound {
                below = request.below.flatMap { stored.known[$0] }
            }
            if let bound = below, list.contains(where: { stored.known[$0.id].map { $0 >= bound } ?? false }) {
                below = nil  // what should lie below the anchor lies above it: the anchor has moved
            }
            if isCountedUp || reachesFarBound, let anchor = request.above, !list.contains(where: { $0.id == anchor }) {
                above = stored.known[anchor]
                if let bound = above, list.contains(where: { stored.known[$0.id].map { $0 <= bound } ?? false }) {
                    above = nil
                }
            }
            isAtFloor = reachesFarBound && request.above == nil && !isCountedUp
            isAtHead = isCountedUp ? reachesFarBound && request.below == nil && above != nil : request.below == nil
        }
    }

    private func reachesFarBound(_ facts: PageFacts, _ list: [Sighting]) -> Bool {
        facts.follows == .nothing || facts.isShort(under: paging.shortPages)
    }

    /// An empty page says that nothing lies beyond its anchor only if the anchor still exists, which it does not show.
    private func claimsOfAnEmptyPage(_ facts: PageFacts, _ stored: PositionFacts) -> [Span] {
        let request = facts.request
        let isTrusted = paging.emptyPages == .areTrusted || facts.follows == .nothing
        guard order != .ranked || stored.highest == nil else { return [] }
        switch (request.above, request.below) {
        case (nil, nil):
            return [Span(.bottom, .top)]
        case (let above?, nil):
            guard isTrusted, let key = stored.known[above] else { return [] }
            return [Span(.above(.integer(key)), .top)]
        case (nil, let below?):
            guard isTrusted, let key = stored.known[below] else { return [] }
            return [Span(.bottom, .below(.integer(key)))]
        case (let above?, let below?):
            guard isTrusted, let low = stored.known[above], let high = stored.known[below], low < high else {
                return []
            }
            return [Span(.above(.integer(low)), .below(.integer(high)))]
        }
    }

    private func isOutOfPlace(_ sighting: Sighting, _ kept: [ItemID: Int64], _ stored: PositionFacts) -> Bool {
        stored.known[sighting.id] != nil && kept[sighting.id] == nil
    }

    /// The items of the page that stay where they are stored: the largest number of them whose order is the same in both.
    ///
    /// A ranked list keeps none: anything may have moved. A single shared item does not prove that what was stored above
    /// it has gone, since that item may have been removed and added again on top.
    private func keptInPlace(
        _ list: [Sighting], _ anchors: Anchors, _ request: PageRequest, _ stored: PositionFacts
    ) -> [ItemID: Int64] {
        guard order == .newestOnTop else { return [:] }
        let shared = list.compactMap { sighting in stored.known[sighting.id].map { (sighting.id, $0) } }
            .filter { _, key in (anchors.below.map { key < $0 } ?? true) && (anchors.above.map { key > $0 } ?? true) }
        let kept = longestDescending(shared.map(\.1)).map { shared[$0] }
        let isUnanchored = anchors.below == nil && anchors.above == nil
        if let only = kept.first, kept.count == 1, isUnanchored, request.countedFrom == .newest, request.below == nil,
            stored.above[only.1] != nil, !stored.settledLater.contains(only.0)
        {
            return [:]
        }
        return Dictionary(kept) { first, _ in first }
    }

    /// A key for each item: its own if it keeps its place, else right below the item above it on the page; failing that,
    /// right above the next one that has a place; failing that, a new run.
    private func keys(
        for list: [Sighting], kept: [ItemID: Int64], anchors: Anchors, request: PageRequest, _ stored: PositionFacts
    ) throws(NoRoom) -> [Int64] {
        var keys: [Int64] = []
        var index = 0
        var previous = anchors.below
        while index < list.count {
            if let key = kept[list[index].id] {
                keys.append(key)
                previous = key
                index += 1
                continue
            }
            let end = list[index...].firstIndex { kept[$0.id] != nil } ?? list.count
            let count = Int64(end - index)
            let next = end < list.count ? kept[list[end].id] : anchors.above
            if let previous {
                let floor = stored.below[previous] ?? previous - Self.runStep
                let step = try step(for: count, between: floor, and: previous)
                keys += (1...count).map { previous - $0 * step }
            } else if let next {
                let ceiling = stored.above[next] ?? next + Self.runStep
                let step = try step(for: count, between: next, and: ceiling)
                keys += (1...count).reversed().map { next + $0 * step }
            } else {
                let room = count * Self.itemStep + Self.runStep
                if request.below == nil {
                    let base = stored.highest.map { $0 + Self.runStep } ?? 0
                    keys += (0..<count).reversed().map { base + $0 * Self.itemStep }
                } else {
                    let base = stored.lowest.map { $0 - room } ?? 0
                    keys += (0..<count).reversed().map { base + $0 * Self.itemStep }
                }
            }
            index = end
        }
        return keys
    }

    private func step(for count: Int64, between low: Int64, and high: Int64) throws(NoRoom) -> Int64 {
        let step = min(Self.itemStep, (high - low) / (count + 1))
        guard step > 0 else { throw NoRoom() }
        return step
    }

    /// Where the page's claims end, and what is no longer proven beyond them.
    private func edges(
        first: (Sighting, Int64), last: (Sighting, Int64), endsInBreak: Bool, kept: [ItemID: Int64], anchors: Anchors,
        _ stored: PositionFacts
    ) -> (low: Cut, high: Cut, claims: [Span], releases: [Span]) {
        var claims: [Span] = []
        var releases: [Span] = []
        let startsInBreak = first.0.followsBreak

        var high = Cut.above(.integer(first.1))
        if let anchor = anchors.below, !startsInBreak {
            high = .below(.integer(anchor))
        } else if anchors.isAtHead, !startsInBreak {
            claims.append(Span(high, .top))
        } else if kept[first.0.id] == nil {
            releases.append(Span(high, nearest(above: first.1, stored).map { .below(.integer($0)) } ?? .top))
        }

        var low = Cut.below(.integer(last.1))
        let lower = nearest(below: last.1, stored)
        if let anchor = anchors.above, !endsInBreak {
            low = .above(.integer(anchor))
        } else if anchors.isAtFloor, !endsInBreak, order == .newestOnTop || lower == nil {
            low = .bottom
        } else if kept[last.0.id] == nil {
            releases.append(Span(lower.map { .above(.integer($0)) } ?? .bottom, low))
        }
        return (low, high, claims, releases)
    }

    /// The stored key next below a place on the page that is not stored itself.
    private func nearest(below key: Int64, _ stored: PositionFacts) -> Int64? {
        let known = Array(stored.known.values) + [stored.highest, stored.lowest].compactMap { $0 }
        return (known + known.compactMap { stored.below[$0] }).filter { $0 < key }.max()
    }

    private func nearest(above key: Int64, _ stored: PositionFacts) -> Int64? {
        let known = Array(stored.known.values) + [stored.highest, stored.lowest].compactMap { $0 }
        return (known + known.compactMap { stored.above[$0] }).filter { $0 > key }.min()
    }
}

/// The indices of the largest strictly descending selection of `keys`.
func longestDescending(_ keys: [Int64]) -> [Int] {
    // Patience sorting: `tails[n]` is the index of the best last element of a selection of n + 1 elements.
    var tails: [Int] = []
    var predecessor = [Int?](repeating: nil, count: keys.count)
    for (index, key) in keys.enumerated() {
        var low = 0
        var high = tails.count
        while low < high {
            let middle = (low + high) / 2
            if keys[tails[middle]] > key { low = middle + 1 } else { high = middle }
        }
        predecessor[index] = low > 0 ? tails[low - 1] : nil
        if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var selection: [Int] = []
    var next = tails.last
    while let index = next {
        selection.append(index)
        next = predecessor[index]
    }
    return selection.reversed()
}

/// The proof algebra of feeds whose ids do not compare: a page is a chain of neighbours, placed by the items it shares
/// with what is stored, or by the item it was asked to continue from.
///
/// What it concludes holds where new items come on top and the others keep their order. An item that was taken away and
/// added again on top is noticed by standing above one that it was stored below. A page that shows no item but such ones,
/// in their old order, looks as if others had gone from between: a list in which that is usual is a ranked one.
///
/// Items whose place cannot be told are not taken, nor a page that stands where a later answer has spoken.
/// Keys leave room (``KeySpacing``), so that filling a gap moves nothing.
struct PositionPlacement: Sendable {
    /// There is no room left for the page between its neighbours; the feed's keys have to be spread anew.
    struct NoRoom: Error {}

    let order: Paging.ListOrder
    let paging: Paging
    var spacing = KeySpacing.standard

    func place(_ facts: PageFacts, among stored: PositionFacts) throws(NoRoom) -> PagePlacement {
        let sightings = Sightings(facts.ids)
        var result = PagePlacement(oddities: sightings.oddities)
        guard !stored.isOutdated else { return result }
        let request = facts.request
        guard sightings.list.contains(where: { $0.id != request.above && $0.id != request.below }) else {
            result.emptied = emptied(facts, sightings, stored)
            return result
        }
        // An inclusive bound brings the anchor itself back; the page proper starts below it. A page that repeats items above
        // the one it goes on from, since places have shifted, is a page of all of them.
        let anchor = sightings.list.firstIndex { $0.id == request.below }
        let isWhole = request.continuation != nil && order == .newestOnTop
        // Places have shifted, and in a ranked list nothing else tells where the page stands.
        guard order == .newestOnTop || facts.continuity != .shown || anchor != nil else { return result }
        let start = isWhole ? 0 : anchor.map { $0 + 1 } ?? 0
        // So does one from below, which in a ranked list would be taken for having moved.
        let endsInBound = order == .ranked && request.above != nil && sightings.list.last?.id == request.above
        let proper = Array(sightings.list[start...].dropLast(endsInBound ? 1 : 0))
        let endsInBreak = sightings.endsInBreak || endsInBound && sightings.list.last?.followsBreak == true
        let repeats = anchor == nil ? PageRepeats(in: proper, of: facts, stored, order) : PageRepeats()
        let list = repeats.without(proper)
        guard !list.isEmpty else { return result }
        let anchors = PageAnchors(
            request, list, endsInBreak: endsInBreak, stored, order,
            reachesFarBound: facts.follows == .nothing || facts.isShort(under: paging.shortPages),
            continuity: facts.continuity, showsLowerAnchor: anchor != nil)
        let kept = keptInPlace(list, anchors, stored, anchor: isWhole && anchor != nil ? request.below : nil)
        let isOnTop = anchors.isAtHead || order == .ranked && request.below == nil

        let leaving = Set(list.compactMap { kept[$0.id] == nil ? stored.known[$0.id] : nil })
        var proofs = PageProofs(kept: Set(kept.values), stored: stored)
        var keys: [Int: Int64] = [:]
        for group in groups(of: list, stored) where isPlaceKnown(group, kept, anchors, stored) {
            try place(group, kept, anchors, isOnTop: isOnTop, stored, of: list.count, &keys)
            for chain in group {
                guard let first = keys[chain.items.startIndex], let last = keys[chain.items.endIndex - 1] else {
                    continue
                }
                proofs.add(
                    from: first, to: last,
                    edges: (
                        chain.isFirst ? anchors.upperEdge(over: first, stored) : nil,
                        chain.isLast ? anchors.lowerEdge(under: last, leaving: leaving, stored) : nil
                    ))
            }
        }
        result.items = keys.sorted { $0.key < $1.key }.map { index, key in
            PagePlacement.Item(index: list[index].index, id: list[index].id, key: .integer(key))
        }
        result.claims = proofs.claims
        result.releases = proofs.releases
        let departures = result.items.compactMap { kept[$0.id] == nil ? stored.known[$0.id] : nil }
        result.departures = departures.map(SortKey.integer)
        if !result.items.isEmpty {
            result.items = repeats.items + result.items
            result.claims += repeats.items.map { Span(of: $0.key) }
        }
        let hasPlace = !kept.isEmpty || anchors.below != nil
        result.oddities.isOutOfOrder = order == .newestOnTop && hasPlace && !departures.isEmpty
        return result
    }
}

extension PositionPlacement {
    /// The stretch that a page without items of its own says is empty. Beside a bound it says so only if the bound's item
    /// still exists, which an inclusive bound shows and which otherwise has to be declared or said.
    private func emptied(_ facts: PageFacts, _ sightings: Sightings, _ stored: PositionFacts) -> Span? {
        let request = facts.request
        guard stored.isLatest, sightings.oddities.withoutID == 0, facts.ids.count < request.limit,
            facts.follows == .unknown || facts.follows == .nothing,
            facts.continuity == .exact || !sightings.list.isEmpty
        else { return nil }
        let isTrusted =
            !sightings.list.isEmpty || paging.emptyPages == .areTrusted || facts.follows == .nothing
            || facts.isAnchorChecked || facts.isShort(under: paging.shortPages)
        let span: Span
        let isFree: Bool
        switch (request.above, request.below) {
        case (nil, nil):
            span = Span(.bottom, .top)
            isFree = stored.isEmpty
        case (let above?, nil):
            guard isTrusted, let key = stored.known[above] else { return nil }
            span = Span(.above(.integer(key)), .top)
            isFree = stored.above[key] == nil
        case (nil, let below?):
            guard isTrusted, let key = stored.known[below] else { return nil }
            span = Span(.bottom, .below(.integer(key)))
            isFree = stored.below[key] == nil
        case (.some, .some):
            // There is nothing between them also when they have changed places.
            return nil
        }
        return order == .newestOnTop || isFree ? span : nil
    }

    /// The items of the page that stay where they are stored: from the lowest one upwards, each that was stored above
    /// those before it. What stands above an item that it was stored below has come back on top.
    ///
    /// A ranked list keeps none: anything may have moved. Nor does a single item tell by itself where a page stands, since
    /// it may be the one that has come back on top, unless it is on top already, or is the item that was to be gone on from.
    private func keptInPlace(
        _ list: [Sighting], _ anchors: PageAnchors, _ stored: PositionFacts, anchor: ItemID?
    ) -> [ItemID: Int64] {
        guard order == .newestOnTop else { return [:] }
        var kept: [ItemID: Int64] = [:]
        var highest = Int64.min
        for sighting in list.reversed() {
            guard let key = stored.known[sighting.id], key > highest else { continue }
            kept[sighting.id] = key
            highest = key
        }
        let isOnTop = anchors.isAtHead && stored.above[highest] == nil
        let isAnchor = anchor.map { kept[$0] != nil } ?? false
        return kept.count == 1 && anchors.isNone && !isOnTop && !isAnchor ? [:] : kept
    }

    /// The chains in groups of which the places among each other are known. An item without an id may be any of those
    /// stored, so what is concluded from positions must not rest on where a chain beyond it stands.
    private func groups(of list: [Sighting], _ stored: PositionFacts) -> [[PageChain]] {
        let chains = PageChain.chains(of: list)
        return order == .ranked || stored.highest == nil ? [chains] : chains.map { [$0] }
    }

    /// Whether it can be told where chains stand among what is stored. The latest word on the head stands on top; what a
    /// ranked list shows elsewhere may stand anywhere, for nothing is concluded from it.
    private func isPlaceKnown(
        _ group: [PageChain], _ kept: [ItemID: Int64], _ anchors: PageAnchors, _ stored: PositionFacts
    ) -> Bool {
        if stored.highest == nil || group.contains(where: { $0.items.contains { kept[$0.id] != nil } }) { return true }
        let (isFirst, isLast) = (group.first?.isFirst ?? false, group.last?.isLast ?? false)
        if isFirst && anchors.below != nil || isLast && anchors.above != nil { return true }
        return isFirst && anchors.isAtHead ? stored.isLatest : order == .ranked
    }

    /// Gives each item of a group a key: its own if it keeps its place, else right below the item above it on the page;
    /// failing that, right above the next one that has a place; failing that, one in a new run.
    ///
    /// - Parameters:
    ///   - total: The number of items on the page. Those still to come find room, too.
    ///   - keys: The keys by place on the page, of the groups above this one.
    private func place(
        _ group: [PageChain], _ kept: [ItemID: Int64], _ anchors: PageAnchors, isOnTop: Bool, _ stored: PositionFacts,
        of total: Int, _ keys: inout [Int: Int64]
    ) throws(NoRoom) {
        let items = group.flatMap(\.items)
        guard let top = group.first, let bottom = group.last else { return }
        let lowest = keys.values.min()
        var previous = top.isFirst ? anchors.below : nil
        var index = top.items.startIndex
        let last = index + items.count
        func sighting(_ index: Int) -> Sighting { items[index - top.items.startIndex] }

        while index < last {
            if let key = kept[sighting(index).id] {
                keys[index] = key
                previous = key
                index += 1
                continue
            }
            let end = (index..<last).first { kept[sighting($0).id] != nil } ?? last
            let highest: Int64
            let step: Int64
            if let high = previous, high == anchors.below, let gone = gone(behind: anchors, stored) {
                // What stood there would stand above anything that is not known, since only the top brings new items.
                let low = if let next = gone.next { next } else { try sum(gone.end, -spacing.run) }
                step = try self.step(for: total - index, between: low, and: gone.end)
                highest = gone.end - step
            } else if let high = previous {
                let low = if let lower = stored.below[high] { lower } else { try sum(high, -spacing.run) }
                step = try self.step(for: total - index, between: low, and: high)
                highest = high - step
            } else if let low = end < last ? kept[sighting(end).id] : bottom.isLast ? anchors.above : nil {
                let high = if let upper = stored.above[low] { upper } else { try sum(low, spacing.run) }
                step = try self.step(for: total - index, between: low, and: min(high, lowest ?? high))
                highest = low + Int64(end - index) * step
            } else {
                step = spacing.item
                highest = try newRun(of: Int64(end - index), isOnTop: isOnTop, stored)
            }
            for place in index..<end { keys[place] = highest - Int64(place - index) * step }
            index = end
        }
    }

    /// The items right behind the one that the page continues from, which are gone if the page does not begin with them.
    private func gone(behind anchors: PageAnchors, _ stored: PositionFacts) -> (end: Int64, next: Int64?)? {
        order == .newestOnTop && anchors.isExact ? stored.followed : nil
    }

    /// The highest key of a new run, on top of all or below all.
    private func newRun(of count: Int64, isOnTop: Bool, _ stored: PositionFacts) throws(NoRoom) -> Int64 {
        let size = (count - 1) * spacing.item
        guard let highest = stored.highest, let lowest = stored.lowest else { return size }
        if isOnTop { return try sum(highest, spacing.run + size) }
        let key = try sum(lowest, -spacing.run)
        _ = try sum(key, -size)
        return key
    }

    private func step(for count: Int, between low: Int64, and high: Int64) throws(NoRoom) -> Int64 {
        let step = min(spacing.item, try sum(high, -low) / Int64(count + 1))
        guard step > 0 else { throw NoRoom() }
        return step
    }

    private func sum(_ left: Int64, _ right: Int64) throws(NoRoom) -> Int64 {
        let (sum, isOverflow) = left.addingReportingOverflow(right)
        guard !isOverflow else { throw NoRoom() }
        return sum
    }
}

/// The items of a page that a server shows once more though they stand further up: what is pinned on top of every page, or
/// what came back on top after the cursor was given. They keep their places, and the others go on as if those were not there.
///
/// Items right above the one that the page goes on from are none of them. They are how places that have shifted look: the page
/// begins with them.
struct PageRepeats: Sendable {
    /// Highest first, with the places they are stored at.
    private(set) var items: [PagePlacement.Item] = []

    init() {}

    /// - Parameter list: The items of a page that does not show the one it goes on from.
    init(in list: [Sighting], of facts: PageFacts, _ stored: PositionFacts, _ order: Paging.ListOrder) {
        guard order == .newestOnTop, facts.request.edge != nil, facts.request.continuation != nil else { return }
        guard facts.continuity == .exact, let anchor = facts.request.below.flatMap({ stored.known[$0] }) else {
            items = Self.pinned(in: list, stored)
            return
        }
        let above = list.compactMap { sighting in stored.known[sighting.id].map { (sighting, $0) } }
            .filter { $0.1 > anchor }.sorted { $0.1 > $1.1 }
        guard let lowest = above.last?.1, stored.below[lowest] != anchor else { return }
        items = above.map { PagePlacement.Item(index: $0.index, id: $0.id, key: .integer($1)) }
    }

    /// The items that a page further down begins with and that are the topmost ones of the feed, without what follows those there.
    private static func pinned(in list: [Sighting], _ stored: PositionFacts) -> [PagePlacement.Item] {
        var items: [PagePlacement.Item] = []
        var next = stored.highestItem
        for sighting in list {
            guard let key = stored.known[sighting.id], key == next else { break }
            items.append(PagePlacement.Item(index: sighting.index, id: sighting.id, key: .integer(key)))
            next = stored.below[key]
        }
        return items.count < list.count && next != nil ? items : []
    }

    /// The other items of the page. Where an item without an id stood beside a repeated one, it still parts its neighbours.
    func without(_ list: [Sighting]) -> [Sighting] {
        guard !items.isEmpty else { return list }
        let places = Set(items.map(\.index))
        var others: [Sighting] = []
        var isBroken = false
        for sighting in list {
            isBroken = isBroken || sighting.followsBreak
            guard !places.contains(sighting.index) else { continue }
            others.append(Sighting(index: sighting.index, id: sighting.id, followsBreak: isBroken))
            isBroken = false
        }
        return others
    }
}

/// The items of a page that a server shows once more though they stand further up: what is pinned on top of every page, or
/// what came back on top after the cursor was given. They keep their places, and the others go on as if those were not there.
///
/// An item is one of them only if the page goes on behind it in another way than the feed does: what stands right behind it there
/// is known, and the page shows something else. A page that begins higher up, since places have shifted or the server gave
/// its first page instead, shows what stands behind it, too.
struct PageRepeats: Sendable {
    /// Highest first, with the places they are stored at.
    private(set) var items: [PagePlacement.Item] = []

    init() {}

    /// - Parameter list: The items of a page that does not show the one it goes on from.
    init(in list: [Sighting], of facts: PageFacts, _ stored: PositionFacts, _ order: Paging.ListOrder) {
        guard order == .newestOnTop, facts.request.edge != nil, facts.request.continuation != nil else { return }
        let above: [Int: Int64]
        if facts.continuity == .exact, let anchor = facts.request.below.flatMap({ stored.known[$0] }) {
            above = Self.keys(of: list, stored).filter { $0.value > anchor }
        } else {
            above = Self.pinned(in: list, stored)
        }
        for (place, key) in above {
            let next = place + 1
            // Of several in a row, as they stand in the feed, the last one tells.
            if next < list.count, let lower = above[next], stored.below[key] == lower { continue }
            guard next < list.count, above[next] == nil, let follower = stored.followers[key],
                stored.known[list[next].id] != follower
            else { return }
        }
        items = above.sorted { $0.value > $1.value }.map { place, key in
            PagePlacement.Item(index: list[place].index, id: list[place].id, key: .integer(key))
        }
    }

    private static func keys(of list: [Sighting], _ stored: PositionFacts) -> [Int: Int64] {
        var keys: [Int: Int64] = [:]
        for (place, sighting) in list.enumerated() { keys[place] = stored.known[sighting.id] }
        return keys
    }

    /// The items that a page further down begins with and that are the topmost ones of the feed.
    private static func pinned(in list: [Sighting], _ stored: PositionFacts) -> [Int: Int64] {
        var keys: [Int: Int64] = [:]
        var next = stored.highestItem
        for (place, sighting) in list.enumerated() {
            guard let key = stored.known[sighting.id], key == next else { break }
            keys[place] = key
            next = stored.below[key]
        }
        return keys
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

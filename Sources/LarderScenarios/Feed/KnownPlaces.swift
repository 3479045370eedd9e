import LarderKit

/// Whether an item is lost: neither stored, nor where the library says that it does not know.
struct KnownPlaces {
    let facts: FeedFacts
    let script: FeedScript
    /// When that is asked.
    let time: Double

    func accounts(for id: ItemID) -> Bool {
        if facts.ids.contains(id) { return true }
        guard let newest = facts.ids.first, let oldest = facts.ids.last else { return !facts.isAtEnd }
        if isNewer(id, than: newest) == true { return !facts.isHeadProven }
        if !facts.isAtEnd, isNewer(id, than: oldest) != true { return true }
        // Where one side of a gap has gone from the server, anything may be on that side.
        return facts.gaps.contains { gap in
            isNewer(gap.above, than: id) != false && isNewer(id, than: gap.below) != false
        }
    }

    /// By id where ids compare, else by their places in the server's list; `nil` where one of them is not there.
    private func isNewer(_ id: ItemID, than other: ItemID) -> Bool? {
        if script.paging.kind == .idRange {
            return IDComparison(isText: script.paging.idType == .text).isNewer(id, than: other)
        }
        let ids = script.server?.items(at: time).map(\.id) ?? []
        guard let place = ids.firstIndex(of: id), let otherPlace = ids.firstIndex(of: other) else { return nil }
        return place < otherPlace
    }
}

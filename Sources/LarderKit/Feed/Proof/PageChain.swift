/// Neighbours on a page: its items between two that came without an id.
struct PageChain: Sendable {
    let items: ArraySlice<Sighting>
    /// Nothing of the page stands above it, or below it.
    let isFirst: Bool
    let isLast: Bool

    static func chains(of list: [Sighting]) -> [PageChain] {
        let starts = [0] + list.indices.dropFirst().filter { list[$0].followsBreak }
        return zip(starts, starts.dropFirst() + [list.count]).map { start, end in
            PageChain(items: list[start..<end], isFirst: start == 0, isLast: end == list.count)
        }
    }
}

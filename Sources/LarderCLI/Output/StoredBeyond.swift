import LarderKit

/// What is stored of a feed on the far side of a gap, for somebody who reads up to the gap without the network.
struct StoredBeyond: Hashable {
    /// The reading goes on in this direction: `older` or `newer`.
    let word: String
    let near: ItemID
    let far: ItemID
    /// How many items there are from `far` to the next gap.
    let count: Int

    /// - Returns: `nil` where the position is not at the edge of a gap.
    init?(_ position: FeedPosition, in feed: FeedSummary) {
        switch position {
        case .newest:
            return nil
        case .older(let id):
            guard let gap = feed.gaps.first(where: { $0.above == id }),
                let run = feed.runs.first(where: { $0.newest == gap.below })
            else { return nil }
            (word, near, far, count) = ("older", id, gap.below, run.count)
        case .newer(let id):
            guard let gap = feed.gaps.first(where: { $0.below == id }),
                let run = feed.runs.first(where: { $0.oldest == gap.above })
            else { return nil }
            (word, near, far, count) = ("newer", id, gap.above, run.count)
        }
    }

    /// That there is a gap, what lies behind it, and how to see it. A position names the neighbours of an item and not the
    /// item itself, so that the one next to the gap is named here and shown by no command.
    var sentences: String {
        let shown = (near: Printable.line(near.rawValue), far: Printable.line(far.rawValue))
        let state =
            "a gap begins here: what lies between \(shown.near) and \(shown.far) is not stored. "
            + "\(Units.count(count, "item")) from \(shown.far) on \(count == 1 ? "is" : "are") stored again"
        let way =
            count > 1 ? ShellWord.position(word, far.rawValue).map { " ('\($0)' shows those behind it)" } ?? "" : ""
        return "\(state)\(way). The same command without --offline asks for the gap."
    }
}

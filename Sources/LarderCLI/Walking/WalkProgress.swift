import LarderKit

/// How far a walk through a list has come.
struct WalkProgress: Sendable {
    let line = ProgressLine()
    /// How many items are stored before the walk.
    let items: Int
    let session: FeedSession

    func show(_ tally: FeedTally) {
        guard line.isShown else { return }
        let items = items + tally.inserted.count - tally.removed.count
        // What cannot be looked at now is left out; the walk itself meets the trouble, and tells it.
        let gaps = try? session.feed.gaps().count
        line.show(Self.text(items: items, requests: session.source.requests, gaps: gaps))
    }

    static func text(items: Int, requests: Int, gaps: Int?) -> String {
        let known = "\(Units.count(items, "item")), \(Units.count(requests, "request"))"
        return gaps.map { "\(known), \(Units.count($0, "gap")) left" } ?? known
    }
}

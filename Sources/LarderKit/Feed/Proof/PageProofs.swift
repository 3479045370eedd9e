/// What the chains of neighbours of a page by position prove, as stretches between keys.
///
/// A chain that ends at an item which keeps its place leaves the room beyond it as it was: it is proven as of its own
/// time, or not. Beyond any other item nothing is proven any more, up to the next stored one.
struct PageProofs: Sendable {
    let kept: Set<Int64>
    let stored: PositionFacts
    private(set) var claims: [Span] = []
    private(set) var releases: [Span] = []

    init(kept: Set<Int64>, stored: PositionFacts) {
        self.kept = kept
        self.stored = stored
    }

    /// Adds a chain of items from the key `first` down to the key `last`.
    ///
    /// - Parameter edges: Up to where and down to where the chain is known to reach, `nil` for not beyond its items.
    mutating func add(from first: Int64, to last: Int64, edges: (upper: Cut?, lower: Cut?)) {
        var high = edges.upper ?? .above(.integer(first))
        if high == .top {
            // The head stays apart: it is about the future.
            high = .above(.integer(first))
            claims.append(Span(high, .top))
        } else if edges.upper == nil, !kept.contains(first) {
            releases.append(Span(high, stored.nearest(above: first).map { .below(.integer($0)) } ?? .top))
        }
        let low = edges.lower ?? .below(.integer(last))
        if edges.lower == nil, !kept.contains(last) {
            releases.append(Span(stored.nearest(below: last).map { .above(.integer($0)) } ?? .bottom, low))
        }
        claims.append(Span(low, high))
    }
}

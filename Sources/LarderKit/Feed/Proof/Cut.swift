/// A place between items: a feed is cut just below or just above a key, or at one of its ends.
///
/// Stretches of a feed are spans between two cuts, so open and closed bounds, and bounds that are no item, need no cases
/// of their own: two stretches touch when the upper cut of one is the lower cut of the other.
enum Cut: Sendable, Hashable {
    /// Below everything.
    case bottom
    case below(SortKey)
    case above(SortKey)
    /// Above everything there is and will be.
    case top
}

extension Cut: Comparable {
    static func < (left: Cut, right: Cut) -> Bool {
        switch (left, right) {
        case (.bottom, _): right != .bottom
        case (_, .bottom), (.top, _): false
        case (_, .top): true
        case (.below(let left), .below(let right)), (.above(let left), .above(let right)): left < right
        case (.below(let left), .above(let right)): left <= right
        case (.above(let left), .below(let right)): left < right
        }
    }
}

extension Cut {
    /// The key beside the cut, `nil` at the ends.
    var key: SortKey? {
        switch self {
        case .bottom, .top: nil
        case .below(let key), .above(let key): key
        }
    }
}

/// All that lies between two cuts.
struct Span: Sendable, Hashable {
    let low: Cut
    let high: Cut

    init(_ low: Cut, _ high: Cut) {
        self.low = low
        self.high = high
    }

    /// The place of one item, and nothing beside it.
    init(of key: SortKey) {
        self.init(.below(key), .above(key))
    }

    var isEmpty: Bool { low >= high }

    func intersection(_ other: Span) -> Span {
        Span(max(low, other.low), min(high, other.high))
    }

    func contains(_ key: SortKey) -> Bool {
        low <= .below(key) && .above(key) <= high
    }

    /// What is left of this span on both sides of `other`, lower part first.
    func subtracting(_ other: Span) -> [Span] {
        guard !intersection(other).isEmpty else { return isEmpty ? [] : [self] }
        return [Span(low, other.low), Span(other.high, high)].filter { !$0.isEmpty }
    }
}

extension [Span] {
    /// Whether `key` lies in one of the spans, which are disjoint and stand lowest first.
    func contains(_ key: SortKey) -> Bool {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].high <= .below(key) { low = middle + 1 } else { high = middle }
        }
        return low < endIndex && self[low].contains(key)
    }
}

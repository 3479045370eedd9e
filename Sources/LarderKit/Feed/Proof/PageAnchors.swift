/// What a page by position hangs on beside the items it shares: the request's bounds, where they are known to touch the
/// page, and the ends of the feed.
struct PageAnchors: Sendable {
    /// The key of the item that the page continues below.
    private(set) var below: Int64?
    /// The key of the item that the page continues above, or reaches down to.
    private(set) var above: Int64?
    private(set) var isAtHead = false
    private(set) var isAtFloor = false

    private let order: Paging.ListOrder

    /// - Parameters:
    ///   - list: The items of the page proper.
    ///   - endsInBreak: An item without an id came after the last of them.
    init(
        _ request: PageRequest, _ list: [Sighting], endsInBreak: Bool, _ stored: PositionFacts,
        _ order: Paging.ListOrder, reachesFarBound: Bool
    ) {
        self.order = order
        let isCountedUp = request.countedFrom == .oldest
        let keys = list.compactMap { stored.known[$0.id] }
        // Where the page shows something on the wrong side of a bound, the bound has moved.
        if !isCountedUp || reachesFarBound, list.first?.followsBreak == false {
            isAtHead = request.below == nil
            below = request.below.flatMap { stored.known[$0] }.flatMap { key in keys.allSatisfy { $0 < key } ? key : nil
            }
        }
        if isCountedUp || reachesFarBound, !endsInBreak {
            isAtFloor = request.above == nil
            above = request.above.flatMap { stored.known[$0] }.flatMap { key in keys.allSatisfy { $0 > key } ? key : nil
            }
        }
        // A bound that the page only reaches is no hold where nobody knows on which side of it the page began.
        if isCountedUp, request.above != nil, above == nil { below = nil }
        if !isCountedUp, request.below != nil, below == nil { above = nil }
        if let low = above, let high = below {
            // In a ranked list nothing is removed from between two items, so they must be neighbours.
            let isPossible = order == .ranked ? stored.below[high] == low : low < high
            if !isPossible { above = nil }
        }
    }

    var isNone: Bool { below == nil && above == nil }

    /// Up to where a page proves what lies above its first item, `nil` for not beyond that item.
    func upperEdge(over key: Int64, _ stored: PositionFacts) -> Cut? {
        if let below { return .below(.integer(below)) }
        return isAtHead && (order == .newestOnTop || stored.nearest(above: key) == nil) ? .top : nil
    }

    /// Down to where a page proves what lies below its last item, `nil` for not beyond that item.
    func lowerEdge(under key: Int64, _ stored: PositionFacts) -> Cut? {
        if let above { return .above(.integer(above)) }
        return isAtFloor && (order == .newestOnTop || stored.nearest(below: key) == nil) ? .bottom : nil
    }
}

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
    /// Something unknown lies between the page and the item it continues below.
    private let isApart: Bool

    /// - Parameters:
    ///   - list: The items of the page proper.
    ///   - endsInBreak: An item without an id came after the last of them.
    init(
        _ request: PageRequest, _ list: [Sighting], endsInBreak: Bool, _ stored: PositionFacts,
        _ order: Paging.ListOrder, reachesFarBound: Bool, continuity: PageContinuity = .exact, showsLowerAnchor: Bool
    ) {
        self.order = order
        isApart = continuity == .apart
        let isCountedUp = request.countedFrom == .oldest
        let keys = list.compactMap { stored.known[$0.id] }
        // Where the page shows something on the wrong side of a bound, the bound has moved.
        func hold(_ bound: ItemID?, _ isInOrder: (Int64, Int64) -> Bool) -> Int64? {
            guard let bound, let key = stored.known[bound], keys.allSatisfy({ isInOrder($0, key) }) else { return nil }
            return key
        }
        if !isCountedUp || reachesFarBound, list.first?.followsBreak == false {
            isAtHead = request.isUpToTheTop
            if continuity != .shown || showsLowerAnchor { below = hold(request.below, <) }
            if let edge = stored.edge, below != nil, !showsLowerAnchor {
                below = keys.allSatisfy { $0 < edge } ? edge : nil
            }
        }
        if isCountedUp || reachesFarBound, !endsInBreak {
            isAtFloor = request.above == nil
            above = hold(request.above, >)
        }
        // A bound that the page only reaches is no hold where nobody knows on which side of it the page began.
        if isCountedUp, request.above != nil, above == nil { below = nil }
        if !isCountedUp, request.below != nil, below == nil { above = nil }
        // In a ranked list two bounds may have changed places, so the one that the page began at is the only hold.
        if let low = above, let high = below, order == .ranked || low >= high {
            if isCountedUp { below = nil } else { above = nil }
        }
    }

    /// Nothing unknown lies between the page and the item it continues below.
    var isExact: Bool { !isApart }

    var isNone: Bool { below == nil && above == nil }

    /// Up to where a page proves what lies above its first item, `nil` for not beyond that item.
    func upperEdge(over key: Int64, _ stored: PositionFacts) -> Cut? {
        if let below { return isApart ? nil : .below(.integer(below)) }
        return isAtHead && (order == .newestOnTop || stored.nearest(above: key) == nil) ? .top : nil
    }

    /// Down to where a page proves what lies below its last item, `nil` for not beyond that item.
    ///
    /// - Parameter leaving: Stored keys of the page's own items, which they leave by it.
    func lowerEdge(under key: Int64, leaving: Set<Int64>, _ stored: PositionFacts) -> Cut? {
        if let above { return .above(.integer(above)) }
        return isAtFloor && (order == .newestOnTop || !stored.hasItems(below: key, besides: leaving)) ? .bottom : nil
    }
}

/// What is stored around the items and bounds of a page, in a feed whose order is that of positions.
struct PositionFacts: Sendable {
    /// The stored keys of the page's items and of the request's bounds.
    var known: [ItemID: Int64] = [:]
    /// The nearest stored keys below and above each key in ``known``.
    var below: [Int64: Int64] = [:]
    var above: [Int64: Int64] = [:]
    /// No item of the feed is stored.
    var isEmpty = true
    /// The outermost keys of stored items and of proven stretches.
    var highest: Int64?
    var lowest: Int64?
    /// The outermost keys of stored items.
    var highestItem: Int64?
    var lowestItem: Int64?
    /// Of a page that shares no item with what is stored: what follows its lower bound without a gap, if a page of its size would
    /// have shown all of it, and what is stored below that.
    var followed: (end: Int64, next: Int64?)?
    /// Where the page goes on from, if the item that stood right above has gone or moved away: below the request's own lower
    /// bound, with room between.
    var edge: Int64?
    /// Of the items that a page shows though they stand above where it goes on: what is known to stand right behind each.
    var followers: [Int64: Int64] = [:]
    /// No answer to a later request has been taken into the feed.
    var isLatest = true
    /// An answer to a later request has spoken about an item of the page, about a bound, or about what stands between.
    var isOutdated = false
}

extension PositionFacts {
    /// The key of the stored item next below a place on the page that is not stored itself.
    func nearest(below key: Int64) -> Int64? {
        (neighbourhood + neighbourhood.compactMap { below[$0] }).filter { $0 < key }.max()
    }

    func nearest(above key: Int64) -> Int64? {
        (neighbourhood + neighbourhood.compactMap { above[$0] }).filter { $0 > key }.min()
    }

    /// Whether an item is stored below a place on the page, those at `keys`, which are known, left aside: the lowest such item
    /// is the lowest of all, or stands right above one of those.
    func hasItems(below key: Int64, besides keys: Set<Int64>) -> Bool {
        (neighbourhood + below.values + above.values).contains { $0 < key && !keys.contains($0) }
    }

    private var neighbourhood: [Int64] {
        Array(known.values) + [highestItem, lowestItem, followed?.end, followed?.next].compactMap { $0 }
    }
}

/// How far apart the keys of a feed ordered by position are put: far enough that filling a gap moves nothing.
struct KeySpacing: Sendable, Hashable {
    /// Between neighbours.
    var item: Int64
    /// Between runs.
    var run: Int64

    static let standard = KeySpacing(item: 1 << 16, run: 1 << 40)
}

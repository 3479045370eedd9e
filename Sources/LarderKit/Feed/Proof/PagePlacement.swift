/// What the algebra is told of an answer: what was asked, which ids came, and what the server said of the rest.
struct PageFacts: Sendable {
    let request: PageRequest
    /// The ids as served, newest first; `nil` for an item without one.
    let ids: [ItemID?]
    let follows: PageFollowing
    /// The size of the largest page this server has given, repeated items counted once.
    let largestPage: Int
    /// How what was asked for with a continuation hangs on the item it goes on from.
    var continuity = PageContinuity.exact
    /// The item that the page goes on from is known to have been there when it was asked for.
    var isAnchorChecked = false
    /// Where what it goes on with was stored, if that is still there.
    var edge: Cut?

    /// The items the request is bounded by.
    var bounds: Set<ItemID> { Set([request.above, request.below].compactMap { $0 }) }

    /// Whether the answer is short by the feed's own declaration: below the smaller of limit and largest page. One that
    /// says that there is more is not.
    func isShort(under declaration: Paging.ShortPages) -> Bool {
        declaration == .proveTheEnd && follows == .unknown && ids.count < min(request.limit, largestPage)
    }
}

/// How a page that goes on from where a server left off hangs on the item that the page before ended with.
enum PageContinuity: Sendable, Hashable {
    /// It begins right below it.
    case exact
    /// It begins somewhere below it.
    case apart
    /// It does if it shows the item: places are counted from the top, and shift with what is added and deleted there.
    case shown
}

/// Where the items of a page belong, and what the page proves.
struct PagePlacement: Sendable, Hashable {
    struct Item: Sendable, Hashable {
        /// The place of the item in the page as served.
        let index: Int
        let id: ItemID
        let key: SortKey
    }

    /// The items that have a place, newest first. Which of them are stored is decided by what the answer settles.
    var items: [Item] = []
    /// The stretches the page speaks for: exactly its items are there.
    var claims: [Span] = []
    /// The stretch of which the page says, by showing nothing of it, that it is empty. Such a page may be a mistake.
    var emptied: Span?
    /// Stretches of which nothing is proven any more, since the page put something unexpected beside them.
    var releases: [Span] = []
    /// The former places of items that the page shows elsewhere.
    var departures: [SortKey] = []
    var oddities = PageOddities()
}

/// What was wrong with a page, counted. None of it loses an item.
struct PageOddities: Sendable, Hashable {
    var duplicates = 0
    var withoutID = 0
    var outsideInterval = 0
    var isOutOfOrder = false
}

/// One item of a page after duplicates have gone.
struct Sighting: Sendable, Hashable {
    let index: Int
    let id: ItemID
    /// An item without an id stood between this one and the one before it on the page: the two are no neighbours.
    let followsBreak: Bool
}

/// The identifiable items of a page, each once.
struct Sightings: Sendable {
    private(set) var list: [Sighting] = []
    private(set) var oddities = PageOddities()
    /// An item without an id came after the last one with an id.
    private(set) var endsInBreak = false

    /// The number of items, those without an id included, repeated ones once.
    var size: Int { list.count + oddities.withoutID }

    /// Whether an item without an id stands between the item at `index` and the one before it; the index after the last
    /// item stands for the end of the page.
    func isBroken(at index: Int) -> Bool {
        index < list.count ? list[index].followsBreak : endsInBreak
    }

    init(_ ids: [ItemID?]) {
        var seen: Set<ItemID> = []
        for (index, id) in ids.enumerated() {
            guard let id else {
                oddities.withoutID += 1
                endsInBreak = true
                continue
            }
            guard seen.insert(id).inserted else {
                oddities.duplicates += 1
                continue
            }
            list.append(Sighting(index: index, id: id, followsBreak: endsInBreak))
            endsInBreak = false
        }
    }
}

/// How a server pages, and what order its list is in. One value, since the two constrain each other.
public struct Paging: Sendable, Hashable {
    /// How a server is told where to go on.
    public enum Kind: Sendable, Hashable {
        /// By an item's id, in the parameters it understands.
        case item(Set<Parameter>)
        /// By a cursor from the body of the answer before.
        case cursor
        /// By the link with the relation `next` in the header of the answer before (RFC 8288).
        case link
        /// By a page's number, the first of them being this one.
        case pageNumber(first: Int)
        /// By the number of items to leave out.
        case offset
    }

    /// A way to bound a page by an item's id. Servers understand one or more of them, singly or together.
    public enum Parameter: String, Sendable, Hashable, CaseIterable {
        /// The newest items above an id (`since_id`).
        case since
        /// The next items above an id (`min_id`).
        case min
        /// The items below an id (`max_id`).
        case max
    }

    /// How ids compare.
    public enum IDOrder: String, Sendable, Hashable {
        /// As decimal numbers of any length.
        case decimal
        /// As text, byte by byte (ULID, zero-padded or time-stamped ids).
        case text
    }

    /// How a list whose ids do not compare is ordered.
    public enum ListOrder: String, Sendable, Hashable {
        /// New items come on top, and the rest keeps its relative order.
        case newestOnTop
        /// Anything may move: an answer starts a new run, and nothing is ever concluded to be deleted.
        case ranked
    }

    /// What a page with fewer items than asked for proves.
    public enum ShortPages: String, Sendable, Hashable {
        /// Nothing: servers filter, cap and hide.
        case proveNothing
        /// That nothing follows within the interval asked for. *Short* is below the smaller of the limit asked for and
        /// the largest page this server has given.
        case proveTheEnd
    }

    /// What an answer without any item proves about stored items that lie in its interval.
    public enum EmptyPages: String, Sendable, Hashable {
        /// Nothing until a second request, started later, is answered in the same way.
        case mustComeTwice
        /// That the items are gone.
        case areTrusted
    }

    /// What shows that two pages with neighbouring numbers were neighbours on the server, where they share no item.
    public enum Neighbours: String, Sendable, Hashable {
        /// The upper one is asked for once more, conditionally. If it has not changed, they were.
        case areChecked
        /// The app takes it to be so: one request less for each page. Readings across such a seam say so
        /// (``ReadingWarning/assumedNeighbours(count:)``).
        case areAssumed
    }

    /// What order a list is in, and so what its pages prove.
    public enum Order: Sendable, Hashable {
        /// Ids compare.
        case byID(IDOrder)
        /// Ids do not compare; items stand where the server puts them.
        case byPosition(ListOrder)
    }

    public let kind: Kind
    public let order: Order
    public let shortPages: ShortPages
    public let emptyPages: EmptyPages
    public let neighbours: Neighbours
    /// What stored proofs depend on. When it changes, the items stay and the proofs go. How the server can be asked for
    /// items is no part of it: an answer proves the same however it was asked for.
    let fingerprint: String

    private init(
        _ kind: Kind, order: Order, shortPages: ShortPages, emptyPages: EmptyPages, neighbours: Neighbours = .areChecked
    ) {
        self.kind = kind
        self.order = order
        self.shortPages = shortPages
        self.emptyPages = emptyPages
        self.neighbours = neighbours
        let list =
            switch order {
            case .byID(let order): "id-\(order.rawValue)"
            case .byPosition(let order): "position-\(order.rawValue)"
            }
        // A continuation means something to its own kind alone.
        let continuations: [String] =
            switch kind {
            case .item: []
            case .cursor: ["cursor"]
            case .link: ["link"]
            case .pageNumber(let first): ["page-\(first)", neighbours.rawValue]
            case .offset: ["offset"]
            }
        fingerprint = ([list, shortPages.rawValue, emptyPages.rawValue] + continuations).joined(separator: " ")
    }

    /// The bounds by id that the server understands: none where it pages in another way.
    public var parameters: Set<Parameter> {
        if case .item(let parameters) = kind { parameters } else { [] }
    }

    /// Whether the server understands every bound of `request`.
    func canAsk(_ request: PageRequest) -> Bool {
        guard request.continuation == nil else { return true }
        let needed: [(bound: String?, parameter: Parameter)] = [
            (request.since, .since), (request.min, .min), (request.max, .max),
        ]
        return needed.allSatisfy { $0.bound == nil || parameters.contains($0.parameter) }
    }
}

extension Paging {
    /// Ids compare, and the server pages by ranges of them.
    public static func byID(
        _ order: IDOrder = .decimal, parameters: Set<Parameter> = [.since, .max],
        shortPages: ShortPages = .proveNothing,
        emptyPages: EmptyPages = .mustComeTwice
    ) -> Paging {
        Paging(.item(parameters), order: .byID(order), shortPages: shortPages, emptyPages: emptyPages)
    }

    /// Decimal ids by range, on a server that understands `since` and `max`.
    public static var byID: Paging { byID() }

    /// Ids do not compare; the server pages from items it is given the ids of.
    public static func afterItem(
        order: ListOrder = .newestOnTop, parameters: Set<Parameter> = [.since, .max],
        shortPages: ShortPages = .proveNothing, emptyPages: EmptyPages = .mustComeTwice
    ) -> Paging {
        Paging(.item(parameters), order: .byPosition(order), shortPages: shortPages, emptyPages: emptyPages)
    }

    /// Each answer brings a cursor to go on with, in its body. An answer without one is the last: `Page(items, next: nil)`,
    /// or no value at the path of ``JSONItems/next``.
    ///
    /// A cursor that the server no longer knows (400, 404, 410) is dropped; the items stay, and reading on starts from the
    /// head again.
    public static func cursor(
        order: ListOrder = .newestOnTop, emptyPages: EmptyPages = .mustComeTwice
    ) -> Paging {
        Paging(.cursor, order: .byPosition(order), shortPages: .proveNothing, emptyPages: emptyPages)
    }

    /// Each answer brings a link to the next page in its header (RFC 8288). An answer without one is the last.
    ///
    /// Links of some servers are page numbers in disguise: what is added or deleted between two pages shifts them. New
    /// items then come twice, which is noticed; a deletion hides an item, which is not. Where that matters, declare
    /// ``pageNumber(startingAt:order:neighbours:shortPages:emptyPages:)``.
    public static func link(order: ListOrder = .newestOnTop, emptyPages: EmptyPages = .mustComeTwice) -> Paging {
        Paging(.link, order: .byPosition(order), shortPages: .proveNothing, emptyPages: emptyPages)
    }

    /// Pages have numbers. A page that shares no item with the one before is checked or assumed to be its neighbour. The
    /// end is proven by an empty page behind the last, by the server's word, or by a short page where that is declared.
    public static func pageNumber(
        startingAt first: Int = 1, order: ListOrder = .newestOnTop, neighbours: Neighbours = .areChecked,
        shortPages: ShortPages = .proveNothing, emptyPages: EmptyPages = .mustComeTwice
    ) -> Paging {
        Paging(
            .pageNumber(first: first), order: .byPosition(order), shortPages: shortPages, emptyPages: emptyPages,
            neighbours: neighbours)
    }

    /// The server is told how many items to leave out. It is asked from one item earlier, so that this item coming back
    /// proves that nothing is missing in between, and nothing after it that the list ends there.
    public static func offset(
        order: ListOrder = .newestOnTop, shortPages: ShortPages = .proveNothing,
        emptyPages: EmptyPages = .mustComeTwice
    ) -> Paging {
        Paging(.offset, order: .byPosition(order), shortPages: shortPages, emptyPages: emptyPages)
    }
}

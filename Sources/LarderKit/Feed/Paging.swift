/// How a server pages, and what order its list is in. One value, since the two constrain each other.
public struct Paging: Sendable, Hashable {
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

    enum Order: Sendable, Hashable {
        case byID(IDOrder)
        case byPosition(ListOrder)
    }

    let order: Order
    public let parameters: Set<Parameter>
    public let shortPages: ShortPages
    public let emptyPages: EmptyPages
    /// What stored proofs depend on. When it changes, the items stay and the proofs go. How the server can be asked is no
    /// part of it: an answer proves the same however it was asked for.
    let fingerprint: String

    private init(order: Order, parameters: Set<Parameter>, shortPages: ShortPages, emptyPages: EmptyPages) {
        self.order = order
        self.parameters = parameters
        self.shortPages = shortPages
        self.emptyPages = emptyPages
        let kind =
            switch order {
            case .byID(let order): "id-\(order.rawValue)"
            case .byPosition(let order): "position-\(order.rawValue)"
            }
        fingerprint = [kind, shortPages.rawValue, emptyPages.rawValue].joined(separator: " ")
    }

    /// Whether the server understands every bound of `request`.
    func canAsk(_ request: PageRequest) -> Bool {
        let needed: [(bound: String?, parameter: Parameter)] = [
            (request.since, .since), (request.min, .min), (request.max, .max),
        ]
        return needed.allSatisfy { $0.bound == nil || parameters.contains($0.parameter) }
    }

    /// Ids compare, and the server pages by ranges of them.
    public static func byID(
        _ order: IDOrder = .decimal, parameters: Set<Parameter> = [.since, .max],
        shortPages: ShortPages = .proveNothing,
        emptyPages: EmptyPages = .mustComeTwice
    ) -> Paging {
        Paging(order: .byID(order), parameters: parameters, shortPages: shortPages, emptyPages: emptyPages)
    }

    /// Decimal ids by range, on a server that understands `since` and `max`.
    public static var byID: Paging { byID() }

    /// Ids do not compare; the server pages from items it is given the ids of.
    public static func afterItem(
        order: ListOrder = .newestOnTop, parameters: Set<Parameter> = [.since, .max],
        shortPages: ShortPages = .proveNothing, emptyPages: EmptyPages = .mustComeTwice
    ) -> Paging {
        Paging(order: .byPosition(order), parameters: parameters, shortPages: shortPages, emptyPages: emptyPages)
    }
}

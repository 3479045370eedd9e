import LarderKit

/// How a server is told where to go on, as `--paging` says it.
enum PagingKind: String, CaseIterable, Sendable {
    /// By ranges of ids, which compare.
    case id
    /// By items' ids, which do not compare.
    case after
    /// By a cursor from the answer before.
    case cursor
    /// By the link in the answer before.
    case link
    /// By the number of a page.
    case page
    /// By how many items to leave out.
    case offset

    /// Whether a server is told items.
    var isByItem: Bool { self == .id || self == .after }

    /// The orders that a list paged in this way can be in; the first when nothing is said.
    var orders: [FeedOrder] { self == .id ? [.decimal, .text] : [.server, .ranked] }
}

/// What order a server's list is in, as `--order` says it.
enum FeedOrder: String, CaseIterable, Sendable {
    /// The server's own: new items on top, and ids that mean nothing.
    case server
    /// By id, as a decimal number of any length.
    case decimal
    /// By id, as text.
    case text
    /// Anything may move.
    case ranked

    init(_ order: Paging.Order) {
        self =
            switch order {
            case .byPosition(.newestOnTop): .server
            case .byPosition(.ranked): .ranked
            case .byID(.decimal): .decimal
            case .byID(.text): .text
            }
    }
}

/// How a list is paged, in the command line's words: what of ``Paging`` it can say.
struct FeedPaging: Sendable, Hashable {
    var kind = PagingKind.after
    var order = FeedOrder.server
    /// The number of the first page, where pages have numbers.
    var firstPage = 1
    /// Pages with neighbouring numbers are taken for neighbours.
    var assumesNeighbours = false

    init() {}

    init(_ kind: PagingKind, _ order: FeedOrder? = nil) {
        self.kind = kind
        self.order = order ?? kind.orders[0]
    }

    init(_ paging: Paging) {
        order = FeedOrder(paging.order)
        switch paging.kind {
        case .item: kind = [.decimal, .text].contains(order) ? .id : .after
        case .cursor: kind = .cursor
        case .link: kind = .link
        case .offset: kind = .offset
        case .pageNumber(let first):
            kind = .page
            firstPage = first
            assumesNeighbours = paging.neighbours == .areAssumed
        }
    }

    /// - Parameter parameters: The bounds by id that the server understands.
    func paging(_ parameters: Set<Paging.Parameter>) -> Paging {
        let list: Paging.ListOrder = order == .ranked ? .ranked : .newestOnTop
        return switch kind {
        case .id: .byID(order == .text ? .text : .decimal, parameters: parameters)
        case .after: .afterItem(order: list, parameters: parameters)
        case .cursor: .cursor(order: list)
        case .link: .link(order: list)
        case .page:
            .pageNumber(
                startingAt: firstPage, order: list, neighbours: assumesNeighbours ? .areAssumed : .areChecked)
        case .offset: .offset(order: list)
        }
    }

    /// What it is called beside the order: for a remark.
    var phrase: String {
        switch kind {
        case .id, .after: "by item"
        case .cursor: "by cursor"
        case .link: "by link"
        case .page: "by page number, from \(firstPage) on" + (assumesNeighbours ? ", neighbours assumed" : "")
        case .offset: "by offset"
        }
    }
}

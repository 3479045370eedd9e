import LarderKit

/// What the command line says of how a list is paged, as far as it says so. The rest is as the list is stored.
struct PagingOptions: Sendable, Hashable {
    private static let items = Option.value(
        "items", "PATH", help: "where the array of items is in the answer, such as $.data", default: "$")
    private static let id = Option.value("id", "PATH", help: "where an item's id is in the item", default: "$.id")
    private static let order = Option.value(
        "order", "ORDER",
        help: "server (new items on top), decimal or text (by id), or ranked (anything may move)",
        default: "the order it is stored in, or server")
    private static let envelope = Option.flag(
        "envelope", help: "keep what stands around the items, too; with --json, an array 'envelopes' holds it")
    private static let paging = Option.value(
        "paging", "KIND",
        help: "how the server is told where to go on: id (ranges of ids that compare), after (items), cursor, link "
            + "(Link: <…>; rel=\"next\"), page or offset",
        default: "what it is stored with, or after")
    private static let next = Option.value(
        "next", "PATH", help: "where the cursor to the next page is in the answer, such as $.next_cursor")
    private static let more = Option.value(
        "more", "PATH", help: "where a flag is that says whether more follows, such as $.has_more")
    private static let cursorParam = Option.value(
        "cursor-param", "NAME", help: "what the server calls the cursor", default: "cursor")
    private static let pageParam = Option.value(
        "page-param", "NAME", help: "what it calls the number of a page", default: "page")
    private static let firstPage = Option.value(
        "first-page", "N", help: "the number of the first page", default: "1")
    private static let assumeNeighbours = Option.flag(
        "assume-neighbours", help: "take numbered pages for neighbours, instead of asking for the one above once more")
    private static let offsetParam = Option.value(
        "offset-param", "NAME", help: "what it calls the number of items to leave out", default: "offset")
    private static let sinceParam = Option.value(
        "since-param", "NAME", help: "what the server calls 'the newest above this id'", default: "since_id")
    private static let minParam = Option.value(
        "min-param", "NAME", help: "what it calls 'the next above this id'", default: "none")
    private static let maxParam = Option.value(
        "max-param", "NAME", help: "what it calls 'below this id'", default: "max_id")
    private static let limitParam = Option.value(
        "limit-param", "NAME", help: "what it calls the size of a page", default: "limit")

    static let groups = [
        CommandSpec.OptionGroup("Where the items are:", [items, id, envelope]),
        CommandSpec.OptionGroup("How the list is ordered and paged:", [order, paging, limitParam]),
        CommandSpec.OptionGroup("By item (--paging id or after):", [sinceParam, minParam, maxParam]),
        CommandSpec.OptionGroup("By cursor or link:", [next, more, cursorParam]),
        CommandSpec.OptionGroup(
            "By page number or offset:", [pageParam, firstPage, assumeNeighbours, offsetParam]),
    ]

    /// `nil`: the one that the list is stored with.
    let kind: PagingKind?
    let order: FeedOrder?
    let firstPage: Int?
    /// `nil`: as it is stored.
    let assumesNeighbours: Bool?
    let parameters: PagingParameters
    let json: JSONItems

    /// - Throws: ``UsageError``.
    init(_ arguments: ParsedArguments) throws {
        kind = try Self.kind(arguments)
        order = try arguments.choice(Self.order, of: FeedOrder.self)
        if let kind, let order, !kind.orders.contains(order) {
            let orders = kind.orders.map(\.rawValue).joined(separator: " or ")
            throw UsageError("a list paged by \(kind.rawValue) is in order \(orders), not \(order.rawValue)")
        }
        firstPage = try arguments.int(Self.firstPage, in: 0...1_000_000)
        assumesNeighbours =
            arguments.has(Self.assumeNeighbours) ? true : arguments[Self.paging] == nil ? nil : false
        json = try Self.json(arguments)
        var parameters = PagingParameters()
        parameters.since = arguments[Self.sinceParam] ?? parameters.since
        parameters.min = arguments[Self.minParam] ?? parameters.min
        parameters.max = arguments[Self.maxParam] ?? parameters.max
        parameters.cursor = try Self.name(Self.cursorParam, arguments) ?? parameters.cursor
        parameters.page = try Self.name(Self.pageParam, arguments) ?? parameters.page
        parameters.offset = try Self.name(Self.offsetParam, arguments) ?? parameters.offset
        parameters.limit = arguments[Self.limitParam] ?? parameters.limit
        self.parameters = parameters
    }

    private static func json(_ arguments: ParsedArguments) throws(UsageError) -> JSONItems {
        do {
            return try JSONItems(
                at: arguments[items] ?? "$", id: arguments[id] ?? "$.id", next: arguments[next],
                more: arguments[more], keepsEnvelope: arguments.has(envelope))
        } catch {
            throw UsageError("--items, --id, --next and --more take paths such as $.data or data.items: \(error)")
        }
    }

    /// A name without which the server cannot be asked for anything but the first page.
    private static func name(_ option: Option, _ arguments: ParsedArguments) throws(UsageError) -> String? {
        guard let name = arguments[option] else { return nil }
        guard !name.isEmpty else { throw UsageError("\(option.spelling) needs a name: without one nothing follows") }
        return name
    }
}

// MARK: Which kind of paging is meant

extension PagingOptions {
    /// The kinds that an option makes sense with. Without --paging it stands for the first of them, if it stands for one.
    private static let fitting: [(option: Option, kinds: [PagingKind], isTelling: Bool)] = [
        (next, [.cursor, .link], true), (cursorParam, [.cursor], true), (pageParam, [.page], true),
        (firstPage, [.page], true), (assumeNeighbours, [.page], true), (offsetParam, [.offset], true),
        (sinceParam, [.id, .after], false), (minParam, [.id, .after], false), (maxParam, [.id, .after], false),
    ]

    private static func kind(_ arguments: ParsedArguments) throws(UsageError) -> PagingKind? {
        let given = fitting.filter { arguments.has($0.option) }
        let stated = try arguments.choice(paging, of: PagingKind.self)
        let teller = stated == nil ? given.first { $0.isTelling } : nil
        guard let kind = stated ?? teller?.kinds[0] else { return nil }
        for (option, kinds, _) in given where !kinds.contains(kind) {
            let fit = kinds.map(\.rawValue).joined(separator: " or ")
            let reason = teller.map { "\($0.option.spelling) means --paging \(kind.rawValue)" }
            throw UsageError(
                "\(option.spelling) goes with --paging \(fit), and "
                    + (reason ?? "--paging \(kind.rawValue) is given") + ": leave one of them out")
        }
        return kind
    }

    /// The paging that is meant for a list, given the one it is stored with. What is not said stays.
    func paging(keptAs kept: FeedPaging?) -> FeedPaging {
        let kind = kind ?? impliedKind(keptAs: kept?.kind)
        let fits = kept.map { kind.orders.contains($0.order) } ?? false
        var paging = FeedPaging(kind, order ?? (fits ? kept?.order : nil))
        guard kind == .page else { return paging }
        let isKept = kept?.kind == .page
        paging.firstPage = firstPage ?? (isKept ? kept?.firstPage : nil) ?? 1
        paging.assumesNeighbours = assumesNeighbours ?? (isKept ? kept?.assumesNeighbours : nil) ?? false
        return paging
    }

    private func impliedKind(keptAs kept: PagingKind?) -> PagingKind {
        switch order {
        case .decimal, .text: .id
        case .server, .ranked: kept == .id ? .after : kept ?? .after
        case nil: kept ?? .after
        }
    }

    /// The parameters that the URL may not have of its own, each with what to say instead of it.
    var reservedNames: [(name: String, instead: String)] {
        switch kind {
        case .id, .after, nil:
            [
                (parameters.since, "say 'newer ID' behind the URL"), (parameters.min, "say 'newer ID' behind the URL"),
                (parameters.max, "say 'older ID' behind the URL"),
            ]
        case .cursor: [(parameters.cursor, "'all' reads on from page to page")]
        case .page: [(parameters.page, "'all' reads on from page to page")]
        case .offset: [(parameters.offset, "'all' reads on from page to page")]
        case .link: []
        }
    }
}

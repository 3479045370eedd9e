import Foundation
import LarderKit

/// `larder feed`: a page of a list, kept with what is proven of its neighbours.
struct FeedCommand: Command {
    private static let limit = Option.value(
        "limit", "N", help: "how many items, 1 to 10000", default: "20, or what the URL says")
    private static let items = Option.value(
        "items", "PATH", help: "where the array of items is in the answer, such as $.data", default: "$")
    private static let id = Option.value("id", "PATH", help: "where an item's id is in the item", default: "$.id")
    private static let order = Option.value(
        "order", "ORDER",
        help: "server (new items on top), decimal or text (by id), or ranked (anything may move)",
        default: "the order it is stored in, or server")
    private static let sinceParam = Option.value(
        "since-param", "NAME", help: "what the server calls 'the newest above this id'", default: "since_id")
    private static let minParam = Option.value(
        "min-param", "NAME", help: "what it calls 'the next above this id'", default: "none")
    private static let maxParam = Option.value(
        "max-param", "NAME", help: "what it calls 'below this id'", default: "max_id")
    private static let limitParam = Option.value(
        "limit-param", "NAME", help: "what it calls the size of a page", default: "limit")

    static let spec = CommandSpec(
        "feed", summary: "Show a page of a list, and keep it for when the network is gone",
        details: """
            One line an item goes to standard output: its id, and as much of it as fits. What there is to say of them, and \
            how to go on, goes to standard error. With --json all is one object on standard output, each item as the server \
            sent it, byte by byte.

            What the server proved is kept with the items: a page is never put together from items that were not \
            neighbours on the server. What lies between two visits, and was never fetched, is a gap ('larder ls' shows \
            them), and a page ends there.

            The paging parameters go behind those of the URL. An empty name (--since-param=) says that the server does not \
            understand that one.

            A list is kept in the order that was last given with --order ('larder ls' names it). In another order its items \
            stay, and what was known of their neighbours is asked for again.

            With --patience and with --policy stale-while-revalidate, what is stored is shown while the server is still \
            being asked. The process then stays until the answer is stored, at most for --timeout; Ctrl-C leaves it.
            """,
        options: [limit, items, id, order, sinceParam, minParam, maxParam, limitParam] + ReadingOptions.all,
        positionals: [
            Positional("URL", help: "the list's URL, http or https"),
            Positional("POSITION", help: "newest, older or newer; the last two with an ID", .optional),
            Positional("ID", help: "the item whose neighbours are wanted", .optional),
        ],
        tables: [JSONFields.feed, JSONFields.errorKinds, JSONFields.warningKinds],
        examples: [
            .init("feed https://api.example.com/timeline", "The newest items"),
            .init(
                "feed https://api.example.com/timeline older 1042",
                "Those next below the item 1042, an id that was shown"),
            .init("feed https://api.example.com/timeline older -- -a", "The same for an id that begins with a hyphen"),
            .init(
                "feed --items data --id key --order ranked 'https://example.com/?q=tea'",
                "A list within an object, ids under another name"),
        ])

    let endpoint: Endpoint
    let position: FeedPosition
    let limit: Int
    let json: JSONItems
    /// `nil`: the one that the list is stored in.
    let order: FeedOrder?
    let parameters: PagingParameters
    let options: ReadingOptions

    init(_ arguments: ParsedArguments) throws {
        options = try ReadingOptions(arguments)
        var parameters = PagingParameters()
        parameters.since = arguments[Self.sinceParam] ?? parameters.since
        parameters.min = arguments[Self.minParam] ?? parameters.min
        parameters.max = arguments[Self.maxParam] ?? parameters.max
        parameters.limit = arguments[Self.limitParam] ?? parameters.limit
        self.parameters = parameters
        position = try Self.position(arguments)
        if case .older = position, parameters.max.isEmpty {
            throw UsageError("older items cannot be asked for without a name for --max-param")
        }
        order = try arguments.choice(Self.order, of: FeedOrder.self)
        do {
            json = try JSONItems(at: arguments[Self.items] ?? "$", id: arguments[Self.id] ?? "$.id")
        } catch {
            throw UsageError("--items and --id take paths such as $.data or data.items: \(error)")
        }
        let whole = try Endpoint(arguments.positional(0) ?? "")
        let stated = try Self.limit(in: whole, parameters)
        let limit = try arguments.int(Self.limit, in: 1...10_000)
        guard limit == nil || stated == nil else {
            throw UsageError("the URL has a \(parameters.limit) of its own: leave it out, or leave out --limit")
        }
        self.limit = limit ?? stated ?? 20
        endpoint = parameters.limit.isEmpty ? whole : whole.removing(parameters.limit)
    }

    private static func position(_ arguments: ParsedArguments) throws(UsageError) -> FeedPosition {
        let id = arguments.positional(2).map { ItemID($0) }
        guard id?.rawValue.isEmpty != true else { throw UsageError("an item's ID is never empty") }
        switch (arguments.positional(1), id) {
        case (nil, _), ("newest", nil): return .newest
        case ("newest", _?): throw UsageError("newest takes no ID; 'older ID' and 'newer ID' do")
        case ("older", let id?): return .older(than: id)
        case ("newer", let id?): return .newer(than: id)
        case ("older", nil), ("newer", nil): throw UsageError("older and newer need the ID of an item behind them")
        default: throw UsageError("the position is newest, 'older ID' or 'newer ID'")
        }
    }

    /// The size of a page that the URL itself asks for. The other bounds are the cache's own to ask for.
    private static func limit(in endpoint: Endpoint, _ parameters: PagingParameters) throws(UsageError) -> Int? {
        for (name, position) in [
            (parameters.since, "newer ID"), (parameters.min, "newer ID"), (parameters.max, "older ID"),
        ] where !name.isEmpty && !endpoint.values(of: name).isEmpty {
            throw UsageError("the URL has a \(name) of its own: leave it out, and say '\(position)' behind the URL")
        }
        guard !parameters.limit.isEmpty, let text = endpoint.values(of: parameters.limit).last else { return nil }
        guard let limit = Int(text), (1...10_000).contains(limit) else {
            throw UsageError("the URL's \(parameters.limit) is no number from 1 to 10000: leave it out and use --limit")
        }
        return limit
    }
}

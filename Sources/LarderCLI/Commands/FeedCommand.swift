import Foundation
import LarderKit

/// `larder feed`: a list, kept with what is proven of its items' neighbours: shown by the page, brought in, watched.
struct FeedCommand: Command {
    private static let limit = Option.value(
        "limit", "N", help: "how many items, or how many a request asks for, 1 to 10000",
        default: "20, or what the URL says; 200 for show")

    static let spec = CommandSpec(
        "feed", summary: "Show a list, bring it in, and keep it for when the network is gone",
        details: """
            One line an item goes to standard output: its id, and as much of it as fits. What there is to say of them, and \
            how to go on, goes to standard error. With --json all is one object on standard output, each item as the server \
            sent it, byte by byte.

            What the server proved is kept with the items: a page is never put together from items that were not \
            neighbours on the server. What lies between two visits, and was never fetched, is a gap, and a page ends \
            there.

            A list is kept in the order and with the paging that were last given ('larder ls' names both): they need \
            not be said again, but for --next and the names of parameters. Declared otherwise its items stay, and what was \
            known of their neighbours is asked for again.

            The paging parameters go behind those of the URL. An empty name (--since-param=) says that the server does not \
            understand that one. A link is followed within the list's own origin only.

            When the server is slow, and with --policy stale-while-revalidate, what is stored is shown while it is still \
            being asked. The process then stays until the answer is stored, at most for --timeout; longer with --retry, and by \
            some seconds where another process asks for the same. Ctrl-C leaves it.
            """,
        options: [limit],
        groups: [FeedExtentOptions.group] + PagingOptions.groups
            + [CommandSpec.OptionGroup("What is asked, and where it is kept:", ReadingOptions.all)],
        positionals: [
            Positional("URL", help: "the list's URL, http or https"),
            Positional("OPERATION", help: "one of those below; newest when left out", .optional),
            Positional("ID", help: "of older and newer: an item's id; of fill: the number of a gap", .optional),
        ],
        guides: [operations],
        tables: [
            JSONFields.feed, JSONFields.feedChange, JSONFields.feedLists, JSONFields.feedEvents, JSONFields.errorKinds,
            JSONFields.warningKinds,
        ],
        examples: [
            .init("feed https://api.example.com/timeline", "The newest items"),
            .init(
                "feed https://api.example.com/timeline older 1042",
                "Those next below the item 1042, an id that was shown"),
            .init("feed https://api.example.com/timeline older -- -a", "The same for an id that begins with a hyphen"),
            .init(
                "feed --items data --id key --order ranked 'https://example.com/?q=tea'",
                "A list within an object, ids under another name"),
            .init(
                "feed https://example.com/issues all --paging link --limit-param size",
                "Everything, by the links in the answers' heads"),
            .init(
                "feed https://example.com/notes all --items notes --next next_cursor",
                "The same by a cursor within the answer"),
            .init("feed https://example.com/issues show --offline", "All that is stored, with its gaps"),
            .init("feed https://example.com/issues fill 1 --all", "Close the first gap"),
            .init("feed https://example.com/timeline watch --every 1m", "What is new, as it comes"),
        ])

    private static let operations = CommandSpec.Table(
        title: "Operations:",
        rows: [
            ("newest", "show the newest items, asking for them as --policy has it"),
            ("older ID, newer ID", "show those next to an item, in the same way"),
            ("refresh", "ask for the head, and show what is new"),
            ("older", "ask for what is older than everything stored, and show it"),
            ("all", "bring in everything: the head, every gap, then what is older, down to the list's end"),
            ("gaps", "list the gaps, the newest first, with their numbers"),
            ("fill [N]", "ask for what lies in the N-th gap, the first when left out, and show it"),
            ("show", "show what is stored, gaps in their places; nothing is asked"),
            ("watch", "refresh again and again, and show what is new, changed and gone; ends with Ctrl-C"),
        ])

    let endpoint: Endpoint
    let operation: FeedOperation
    let limit: Int
    let paging: PagingOptions
    let extent: FeedExtentOptions
    let options: ReadingOptions

    init(_ arguments: ParsedArguments) throws {
        options = try ReadingOptions(arguments)
        paging = try PagingOptions(arguments)
        operation = try FeedOperation(arguments.positional(1), arguments.positional(2))
        extent = try FeedExtentOptions(arguments, operation)
        try Self.check(operation, arguments, paging)
        let whole = try Endpoint(arguments.positional(0) ?? "")
        let stated = try Self.limit(in: whole, paging)
        let limit = try arguments.int(Self.limit, in: 1...10_000)
        let name = paging.parameters.limit
        guard limit == nil || stated == nil else {
            throw UsageError("the URL has a \(name) of its own: leave it out, or leave out --limit")
        }
        self.limit = limit ?? (operation == .show ? 200 : stated ?? 20)
        endpoint = name.isEmpty ? whole : whole.removing(name)
        if paging.kind == .cursor, paging.json.next == nil, operation.asks ?? !options.isOffline {
            throw UsageError(Self.cursorUnknown)
        }
    }

    static let cursorUnknown =
        "a list paged by cursor: say with --next where in an answer the cursor to the next page is, as in --next '$.next'"

    /// Finds options that the operation has no use for.
    private static func check(
        _ operation: FeedOperation, _ arguments: ParsedArguments, _ paging: PagingOptions
    ) throws(UsageError) {
        if case .page(.older) = operation, paging.kind?.isByItem ?? true, paging.parameters.max.isEmpty {
            throw UsageError("older items cannot be asked for without a name for --max-param")
        }
        if operation.asks != nil, arguments.has(ReadingOptions.explain) {
            throw UsageError("--explain goes with newest, older ID and newer ID: leave it out of \(operation.word)")
        }
        guard let asks = operation.asks, let option = ReadingOptions.choosing.first(where: arguments.has) else {
            return
        }
        if asks { throw UsageError("\(operation.word) always asks the server: leave out \(option.spelling)") }
        guard option.name == "offline" else {
            throw UsageError("\(operation.word) never asks the server: leave out \(option.spelling)")
        }
    }

    /// The size of a page that the URL itself asks for. The other parameters of paging are the cache's own to ask for.
    private static func limit(in endpoint: Endpoint, _ paging: PagingOptions) throws(UsageError) -> Int? {
        for (name, instead) in paging.reservedNames where !name.isEmpty && !endpoint.values(of: name).isEmpty {
            let otherwise = paging.kind == nil ? "; by --paging link it may stay, as a part of the list's URL" : ""
            throw UsageError("the URL has a \(name) of its own: leave it out, and \(instead)\(otherwise)")
        }
        let name = paging.parameters.limit
        guard !name.isEmpty, let text = endpoint.values(of: name).last else { return nil }
        guard let limit = Int(text), (1...10_000).contains(limit) else {
            throw UsageError("the URL's \(name) is no number from 1 to 10000: leave it out and use --limit")
        }
        return limit
    }
}

import Foundation
import LarderKit

/// `larder show`: what is stored under a key, byte by byte.
struct ShowCommand: Command {
    private static let item = Option.value("item", "ID", help: "show this item of the list that KEY names")
    private static let meta = Option.flag("meta", help: "tell what is known of it, and leave out the value")
    private static let storage = Option.value(
        "in", "PLACE", help: "database, files or http, where something is stored in more than one",
        default: "the first of these that has it")
    private static let json = Option.flag("json", help: "print one JSON object, with the value unless --meta is given")

    static let spec = CommandSpec(
        "show", summary: "Print what is stored under a key, byte by byte",
        details: """
            The bytes go to standard output as they are stored, and nothing else does. --meta tells of them instead: how they \
            are encoded, when they were stored, whether they are fresh by the server's word, and where they lie.

            A key is named as 'larder ls' shows it. What a shell cannot carry is given as JSON: --key-json. Keys are compared \
            byte by byte; the empty one is ''.

            A list is not one value: --item shows one of its items, and 'larder ls' its runs and gaps.

            Of a URL that nothing is stored under, the answer is shown that an HTTP cache keeps ('larder proxy', 'larder warm'): its \
            body as the server sent it, and in a line on standard error what there is to say. --meta and --json tell its head.

            It asks no network, changes nothing, and makes no cache where there is none.
            """,
        options: [CacheFolder.option, PartitionOption.option, KeyArgument.json, item, meta, storage, json],
        positionals: [Positional("KEY", help: "the value's key or URL, or a list's name", .optional)],
        tables: [JSONFields.stored, JSONFields.httpAnswer],
        examples: [
            .init("show profile --partition anna --cache ~/Library/Caches/news", "A value of an app's"),
            .init("show --meta https://api.example.com/shops", "How old it is, and where it lies"),
            .init("show https://api.example.com/timeline --item 4711", "One item of a list"),
            .init(#"show --key-json '"nul\u0000byte"'"#, "A key that cannot be typed"),
        ],
        exitCodes: .keeping)

    let key: String
    let cache: CacheFolder
    let partition: String
    let item: String?
    let storage: StoredLookup.Storage?
    let isMeta: Bool
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        key = try KeyArgument.key(arguments)
        cache = try CacheFolder(arguments[CacheFolder.option])
        partition = arguments[PartitionOption.option] ?? ""
        item = arguments[Self.item]
        storage = try arguments.choice(Self.storage, of: StoredLookup.Storage.self)
        isMeta = arguments.has(Self.meta)
        isJSON = arguments.has(Self.json)
        if item != nil, storage != nil { throw UsageError("items are in the database: --in goes with values only") }
    }

    func run() async throws -> ExitCode {
        if let code = try await showAnswer() { return code }
        if !isMeta, !isJSON { return try await printBytes() }
        return try await Outcome.print("show", isJSON: isJSON) { () throws(Trouble) in
            switch try await stored() {
            case .thing(let report):
                isJSON
                    ? report.json(withValue: !isMeta).bytes : Data(report.lines.joined(separator: "\n").utf8)
            case .list(let feed):
                feedFacts(feed)
            }
        }
    }

    private enum Stored {
        case thing(StoredReport)
        case list(FeedSummary)
    }

    private func printBytes() async throws -> ExitCode {
        try await Outcome.printExactly("show") { () throws(Trouble) in
            switch try await stored() {
            case .thing(let report): return report.body
            case .list(let feed): throw isList(feed)
            }
        }
    }

    private func stored() async throws(Trouble) -> Stored {
        let larder = try cache.openExisting()
        defer { larder.close() }
        let lookup = StoredLookup(larder: larder, folder: cache.url, partition: partition)
        let found = try await lookup.find(key, in: storage)
        if let item { return .thing(try itemReport(item, found, larder)) }
        guard let value = found.value else {
            if let feed = found.feed { return .list(feed) }
            throw StoredKeys([]).trouble(with: key, in: partition, of: cache.url)
        }
        if found.hasOther {
            try? StandardStream.error.line("larder show: note: among the files lies another value: --in files shows it")
        }
        return .thing(valueReport(value, found.key))
    }

    private func valueReport(_ value: Larder.StoredValue, _ key: StoreKey) -> StoredReport {
        let metadata = value.summary.metadata
        return StoredReport(
            partition: key.partition, key: key.key, body: value.body, codec: metadata.codec,
            storedAt: metadata.storedAt, path: value.file?.path, summary: value.summary, now: Date())
    }

    private func itemReport(_ id: String, _ found: StoredLookup.Found, _ larder: Larder) throws(Trouble) -> StoredReport
    {
        let name = Printable.line(Endpoint.shown(found.key.key))
        guard let feed = found.feed else {
            throw Trouble(
                "notStored", "what is stored under \(name) is one value and no list: leave out --item.",
                exitCode: .failure)
        }
        let item: Larder.FeedItem?
        do throws(StorageError) {
            item = try larder.item(ItemID(id), ofFeed: feed.name, in: feed.partition)
        } catch {
            throw Trouble(error, folder: cache.url)
        }
        guard let item else {
            throw Trouble(
                "notStored",
                "the list \(name) has no item \(Printable.line(id)) in \(cache.url.path). \(Self.ends(of: feed))",
                exitCode: .failure)
        }
        return StoredReport(
            partition: feed.partition, key: feed.name, item: id, body: item.body, codec: item.codec,
            storedAt: item.storedAt, now: Date())
    }

    private func isList(_ feed: FeedSummary) -> Trouble {
        Trouble(
            "isList",
            "\(Printable.line(Endpoint.shown(feed.name))) is a list of \(Units.count(feed.items, "item")): name one with --item. "
                + Self.ends(of: feed),
            exitCode: .failure)
    }

    private static func ends(of feed: FeedSummary) -> String {
        guard let newest = feed.runs.first?.newest, let oldest = feed.runs.last?.oldest else {
            return "Nothing is stored of it."
        }
        return "Its newest is \(Printable.line(newest.rawValue)), its oldest \(Printable.line(oldest.rawValue))."
    }

    private func feedFacts(_ feed: FeedSummary) -> Data {
        let contents = CacheContents(folder: cache.url, size: 0, LarderContents(), now: Date())
        return isJSON
            ? contents.json(feed, kind: "feed").bytes
            : Data(contents.feedLines(feed, .output).joined(separator: "\n").utf8)
    }
}

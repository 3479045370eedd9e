import Foundation
import LarderHTTPCache
import LarderKit
import LarderServer

/// `larder warm`: fetches ahead what is to be there without a network.
struct WarmCommand: Command {
    private static let from = Option.value(
        "from", "FILE", help: "take URLs from a file, one a line; - is standard input; # begins a comment")
    private static let header = Option.repeated("header", "FIELD", help: "send this field, 'Name: value'")
    private static let parallel = Option.value("parallel", "N", help: "how many at once", default: "4")
    private static let budget = Option.value(
        "budget", "SIZE", help: "how much this run may fetch; what is left then is told", default: "any amount")
    private static let cacheBudget = Option.value(
        "cache-budget", "SIZE", help: "how much the cache keeps, as 'larder proxy --budget'", default: "1GB")
    private static let pin = Option.flag(
        "pin", help: "pin what it took: it stays, however much room the cache has left")
    private static let json = Option.flag("json", help: "print one JSON object")

    static let spec = CommandSpec(
        "warm", summary: "Fetch URLs ahead, to have them without a network",
        details: """
            Each URL is fetched as 'larder proxy' would fetch it, into the same cache: the proxy then serves it, also when the \
            origin is away, as does 'larder get'. What is stored and fresh is not asked for again, what is stale only \
            conditionally, so a run that was ended goes on where it was: the same command again.

            Redirects are followed, up to 10 from a URL, and each of them is stored. Credentials given with --header go to no \
            other origin. An answer that varies by a request field is for requests with the same field: give those of \
            the client it is meant for, such as --header 'Accept-Encoding: gzip'.

            Ctrl-C lets what is under way end, a second one ends it at once. The exit code is 0 when all is stored that was \
            reached, also where the budget of the run left something; 1 when some failed or may not be stored; 130 after Ctrl-C.
            """,
        options: [CacheFolder.option, from] + HTTPCacheOptions.all
            + [header, parallel, budget, cacheBudget, pin, json],
        positionals: [Positional("URL", help: "what to fetch, http or https", .any)],
        tables: [HTTPCacheOptions.rules, JSONFields.warm],
        examples: [
            .init("warm https://example.com/ https://example.com/style.css", "Two pages"),
            .init("warm --from urls.txt --pin --budget 200MB", "Make a list available offline"),
            .init(
                "warm --rule '*=keep-no-store' https://api.example.com/shops",
                "What an API marks no-store"),
        ])

    let cache: CacheFolder
    let list: URLList
    /// A file to read further URLs from; `-` for standard input.
    let file: String?
    let options: HTTPCache.Options
    let headers: RequestHeaders
    let parallelism: Int
    let runBudget: Int?
    let larderBudget: StorageBudget
    let isPinning: Bool
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        cache = try CacheFolder(arguments[CacheFolder.option])
        list = try URLList(arguments.positionals)
        file = arguments[Self.from]
        guard file != nil || !list.urls.isEmpty else {
            throw UsageError("URL is missing; --from FILE takes them from a file")
        }
        options = try HTTPCacheOptions(arguments).cacheOptions(memoryLimit: 1 << 20)
        headers = try RequestHeaders(arguments.all(Self.header))
        parallelism = try arguments.int(Self.parallel, in: 1...64) ?? 4
        runBudget = try arguments.size(Self.budget)
        larderBudget =
            try arguments.size(Self.cacheBudget).map { StorageBudget(bytes: $0) } ?? CacheFolder.ownBudget
        isPinning = arguments.has(Self.pin)
        isJSON = arguments.has(Self.json)
    }

    func run() async throws -> ExitCode {
        let urls: [String]
        do {
            urls = try allURLs()
        } catch let error as UsageError {
            try StandardStream.error.line("larder warm: \(error)")
            return .usage
        } catch let trouble as Trouble {
            return try WarmReport(end: .failed(trouble)).write(isJSON: isJSON)
        }
        return try await Interruption.asking { stop in try await fetch(urls, stop).write(isJSON: isJSON) }
    }

    private func allURLs() throws -> [String] {
        guard let file else { return list.urls }
        var list = list
        try list.add(lines: try text(of: file), of: file == "-" ? "standard input" : file)
        return list.urls
    }

    private func text(of file: String) throws(Trouble) -> String {
        let data =
            file == "-"
            ? try? FileHandle.standardInput.readToEnd() ?? Data() : FileManager.default.contents(atPath: file)
        guard let data else {
            throw Trouble(
                "missing", "there is no file \(Printable.line(file)), or it may not be read.", exitCode: .noInput)
        }
        return String(decoding: data, as: UTF8.self)
    }

    private func fetch(_ urls: [String], _ stop: StopRequest) async -> WarmReport {
        let larder: Larder
        do throws(Trouble) {
            larder = try cache.open(for: nil, options: LarderOptions(budget: larderBudget))
        } catch {
            return WarmReport(end: .failed(error))
        }
        defer { larder.close() }
        let transport = WarmTransport(CurlTransport(), budget: runBudget)
        let warming = Warming(
            cache: HTTPCache(larder.common, transport: transport, options: options), transport: transport,
            inspector: AnswerInspector(larder.common), headers: fields, isPinning: isPinning, parallel: parallelism)
        let line = ProgressLine()
        let results = await warming.run(urls, isStopped: { stop.signal != nil }) { line.show($0.line) }
        line.clear()
        await larder.settle()
        if let signal = stop.signal, results.contains(where: { $0.outcome == .left }) {
            return WarmReport(results: results, end: .interrupted(signal))
        }
        let isLeft = results.contains { $0.outcome == .left }
        return WarmReport(results: results, end: isLeft ? .budget : .done)
    }

    private var fields: HeaderFields {
        var fields = headers.fields
        if fields["Accept"] == nil { fields.append(name: "Accept", value: "*/*") }
        if fields["User-Agent"] == nil { fields.append(name: "User-Agent", value: "larder") }
        return fields
    }
}

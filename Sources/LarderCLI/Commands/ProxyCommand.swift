import Foundation
import LarderHTTPCache
import LarderKit
import LarderServer

/// `larder proxy`: a caching HTTP proxy that goes on when its origin does not.
struct ProxyCommand: Command {
    private static let listen = Option.value(
        "listen", "ADDRESS:PORT", short: "l", help: "where to listen; port 0 takes any free one",
        default: "127.0.0.1:8080")
    private static let offline = Option.flag("offline", help: "ask no origin; serve what is stored, and 504 otherwise")
    private static let forward = Option.flag(
        "forward", help: "also take requests for whole URLs of the origins, as an http_proxy does")
    private static let host = Option.repeated(
        "host", "NAME", help: "also serve requests for this host, when it listens on this machine alone")
    private static let budget = Option.value("budget", "SIZE", help: "how much the cache keeps", default: "1GB")
    private static let patience = Option.value(
        "patience", "TIME", help: "how long an origin is waited for where something stale may be served instead",
        default: "5s")
    private static let memory = Option.value(
        "memory", "SIZE", help: "how much of it is kept in memory as well", default: "64MiB")
    private static let threads = Option.value("threads", "N", help: "how many threads serve hits", default: "1")
    private static let connections = Option.value(
        "max-connections", "N", help: "more are answered 503", default: "4096")
    private static let json = Option.flag("json", help: "write the access log as a JSON object on each line")
    private static let quiet = Option.flag("quiet", short: "q", help: "write no access log")

    static let spec = CommandSpec(
        "proxy", summary: "Cache an HTTP API for every program on this machine, also when it is away",
        details: """
            Programs ask the proxy in place of the origin. What is fresh is served from the cache; the rest is asked for, \
            conditionally where something is stored. When the origin fails or cannot be reached, what is stored is served \
            unless the origin forbade that (must-revalidate and its kind). Each answer tells in Cache-Status how it came about.

            ORIGIN is a URL such as https://api.example.com, which answers for everything; or /PATH=URL, for what begins with \
            a path; or HOST=URL, for requests to a host. Nothing else is ever asked. It listens on this machine alone unless \
            told otherwise, has no access control, and is not to be opened to a network that is not trusted. There it serves \
            what is asked of localhost, of the origins' hosts and of those given with --host; a web page whose own name leads to this \
            machine is answered 421.

            The access log goes to standard output, without what follows '?' in a URL: time (UTC), client, request, status, how it \
            was answered (see below), size, and how long it took. /.larder/status and /.larder/metrics \
            tell what it has done. Ctrl-C, or SIGTERM, ends it when the requests under way are answered.
            """,
        options: [
            listen, CacheFolder.option,
        ] + HTTPCacheOptions.all + [
            offline, forward, host, patience, budget, memory, threads, connections, json, quiet,
        ],
        positionals: [Positional("ORIGIN", help: "URL, /PATH=URL or HOST=URL", .oneOrMore)],
        tables: [HTTPCacheOptions.rules, results],
        examples: [
            .init("proxy https://api.example.com", "At http://127.0.0.1:8080"),
            .init(
                "proxy /api=https://api.example.com /img=https://images.example.com",
                "Two origins, by path"),
            .init(
                "proxy --rule '*=keep-no-store,for=7d' https://api.example.com",
                "An API that forbids caching, for a week without network"),
            .init("proxy --forward --offline http://example.com", "As http_proxy, with the plug pulled"),
        ])

    private static let results = CommandSpec.Table(
        title: "How a request was answered, in the access log:",
        rows: [
            ("hit, stale", "from the cache: fresh; or not, as when the origin is away"),
            ("revalidated", "from the cache, after the origin said that it still holds"),
            ("collapsed", "with the answer to another's request, which was waited for"),
            ("miss, pass", "from the origin: stored now; or not to be stored"),
            ("failed", "no answer, and nothing to serve: unreachable, timeout, malformed, or offline"),
            ("own, refused", "by the proxy itself; it is no sound request"),
        ])

    let cache: CacheFolder
    let origins: OriginMap
    let front: FrontOptions
    let options: HTTPCache.Options
    let budget: StorageBudget
    let isOffline: Bool
    let isForward: Bool
    let hosts: Set<String>
    let log: LogForm

    enum LogForm: Sendable { case lines, json, none }

    init(_ arguments: ParsedArguments) throws {
        cache = try CacheFolder(arguments[CacheFolder.option])
        do {
            origins = try OriginMap(arguments.positionals)
        } catch {
            throw UsageError("\(error)")
        }
        var front = try ListenAddress(arguments[Self.listen] ?? "127.0.0.1:8080").options
        front.threads = try arguments.int(Self.threads, in: 1...64) ?? 1
        front.maximumConnections = try arguments.int(Self.connections, in: 1...1_000_000) ?? front.maximumConnections
        self.front = front
        var options = try HTTPCacheOptions(arguments)
            .cacheOptions(memoryLimit: try arguments.size(Self.memory) ?? 64 << 20)
        options.patience = try arguments.duration(Self.patience) ?? .seconds(5)
        self.options = options
        budget = try arguments.size(Self.budget).map { StorageBudget(bytes: $0) } ?? CacheFolder.ownBudget
        isOffline = arguments.has(Self.offline)
        isForward = arguments.has(Self.forward)
        hosts = Set(try arguments.all(Self.host).map(Self.hostName))
        log = arguments.has(Self.quiet) ? .none : arguments.has(Self.json) ? .json : .lines
    }

    private static func hostName(_ text: String) throws(UsageError) -> String {
        let isName = text.utf8.allSatisfy { (0x2D...0x7A).contains($0) && !":/;<=>?@\\^`".utf8.contains($0) }
        guard !text.isEmpty, isName || text.hasPrefix("[") && text.hasSuffix("]") else {
            throw UsageError("--host takes the name of a host without a port, such as api.local, not '\(text)'")
        }
        return text.lowercased()
    }

    func run() async throws -> ExitCode {
        let interruption = Interruption()
        let larder: Larder
        do throws(Trouble) {
            larder = try cache.open(for: nil, options: LarderOptions(budget: budget))
        } catch {
            throw CommandFailure(error.message, exitCode: error.exitCode)
        }
        defer { larder.close() }
        var proxyOptions = CachingProxy.Options(origins: origins)
        proxyOptions.front = front
        proxyOptions.isForward = isForward
        proxyOptions.hosts = hosts
        let line = ProgressLine()
        proxyOptions.log = accessLog(line)
        let proxy: CachingProxy
        do throws(HTTPFrontError) {
            proxy = try CachingProxy(proxyOptions, transport: try transport()) {
                HTTPCache(larder.common, transport: $0, options: options)
            }
        } catch {
            throw CommandFailure(error.description, exitCode: .unavailable)
        }
        proxy.cache.isOffline = isOffline
        try StandardStream.error.line(greeting(proxy.url))
        let status = ProxyStatusLine(proxy, on: line)
        _ = await interruption.wait()
        status.end()
        // A second signal ends it at once.
        if Terminal.error.isTerminal { try StandardStream.error.line("Ending when what is under way is answered …") }
        await proxy.stop()
        proxyOptions.log?.flush()
        await larder.settle()
        try StandardStream.error.line(ProxyStatusLine.summary(proxy.current))
        return .success
    }

    private func transport() throws(HTTPFrontError) -> any HTTPTransport { CurlTransport() }

    private func greeting(_ url: String) -> String {
        let names = origins.routes.map { route in
            (route.host ?? route.path) + (route.host == nil && route.path.isEmpty ? "" : " → ") + route.origin
        }
        let kind = options.kind == .shared ? "shared" : "private"
        return "Serving \(names.joined(separator: ", ")) at \(url), a \(kind) cache in \(cache.url.path)"
            + (isOffline ? ", offline" : "") + ". Ctrl-C ends it."
    }

    private func accessLog(_ line: ProgressLine) -> AccessLog? {
        let isJSON: Bool
        switch log {
        case .none: return nil
        case .json: isJSON = true
        case .lines: isJSON = false
        }
        return AccessLog { records, lost in
            var text = records.map { (isJSON ? $0.json : $0.line) + "\n" }.joined()
            if lost > 0, !isJSON { text += "… and \(lost) more, too fast to be written\n" }
            // A closed output silences the log; the proxy goes on.
            let write = { try? StandardStream.output.write(text) }
            if Terminal.output.isTerminal { line.above { write() } } else { write() }
        }
    }
}

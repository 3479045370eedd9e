import Foundation
import LarderServer

/// `larder sample-api`: something to cache, without an account anywhere.
struct SampleAPICommand: Command {
    private static let port = Option.value("port", "N", help: "the port on 127.0.0.1", default: "any free one")
    private static let newEvery = Option.value(
        "new-every", "TIME", help: "let a new post appear this often, such as 5s", default: "never")
    private static let latency = Option.value("latency", "TIME", help: "let every answer take this long", default: "0")
    private static let failEvery = Option.value(
        "fail-every", "N", help: "answer each N-th request with 503", default: "never")
    private static let posts = Option.value("posts", "N", help: "how many posts there are at first", default: "200")
    private static let quiet = Option.flag("quiet", short: "q", help: "do not print a line for each request")

    static let spec = CommandSpec(
        "sample-api", summary: "Serve a small made-up API on this machine, to try a cache against",
        details: """
            It serves a document of shops, a timeline of posts by id, the same posts by cursor (/notes) and by Link \
            (/issues), and products by page number or offset (/products), until Ctrl-C. GET / lists what there is.

            The server's URL goes to standard output, for scripts; everything else goes to standard error.
            """,
        options: [port, newEvery, latency, failEvery, posts, quiet],
        examples: [
            .init("sample-api --port 8080 --new-every 5s", "A timeline that grows while you watch"),
            .init("sample-api --latency 800ms --fail-every 4", "A slow network that fails now and then"),
        ])

    let requestedPort: UInt16
    let options: SampleAPI.Options
    let isQuiet: Bool

    init(_ arguments: ParsedArguments) throws {
        requestedPort = UInt16(try arguments.int(Self.port, in: 0...65_535) ?? 0)
        isQuiet = arguments.has(Self.quiet)
        var options = SampleAPI.Options()
        options.newEvery = try arguments.duration(Self.newEvery)
        options.latency = try arguments.duration(Self.latency)
        options.failEvery = try arguments.int(Self.failEvery, in: 1...Int.max)
        options.posts = try arguments.int(Self.posts, in: 0...100_000) ?? options.posts
        self.options = options
    }

    func run() async throws -> ExitCode {
        let interruption = Interruption()
        let api = SampleAPI(options, start: Date())
        let isQuiet = isQuiet
        let server: HTTPServer
        do {
            server = try api.serve(
                port: requestedPort,
                observe: { request in
                    // A closed standard error silences the log; the server goes on.
                    if !isQuiet { try? StandardStream.error.line(Self.line(for: request)) }
                })
        } catch {
            throw CommandFailure(error.description, exitCode: .unavailable)
        }
        try StandardStream.output.line(server.url)
        try StandardStream.error.write(Self.greeting(server.url))
        _ = await interruption.wait()
        server.stop()
        return .success
    }

    private static func greeting(_ url: String) -> String {
        """
        Serving the sample API at \(url) until Ctrl-C. Try:
          curl \(url)/
          curl -i '\(url)/timeline?limit=3'
          curl -i \(url)/shops
          larder feed \(url)/timeline --order decimal
          larder feed \(url)/notes all --items notes --next next_cursor
          larder feed \(url)/issues all --paging link
          larder feed \(url)/products all --paging page

        """
    }

    private static func line(for request: RequestRecord) -> String {
        let status = Terminal.error.styled(String(request.status), request.status < 400 ? .green : .yellow)
        return "\(status) \(request.method) \(printable(request.target)) \(request.bytes) bytes"
    }

    /// A target comes from outside: nothing in it may steer the terminal.
    private static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : $0 }))
    }
}

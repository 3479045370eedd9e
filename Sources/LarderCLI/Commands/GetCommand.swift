import Foundation
import LarderKit

/// `larder get`: one JSON document, kept under its URL.
struct GetCommand: Command {
    static let spec = CommandSpec(
        "get", summary: "Show a JSON document, and keep it for when the network is gone",
        details: """
            The document goes to standard output as the server sent it, byte by byte; what there is to say of it goes to \
            standard error. With --json both are one object on standard output.

            What is stored is asked for again with its validators (ETag, Last-Modified), so that an unchanged document is \
            not sent twice. What is not JSON is refused, and what is stored stays.

            Where nothing is stored as a document, and the server cannot be asked or is not to be (--offline), the answer is shown \
            that an HTTP cache keeps of the URL ('larder warm', 'larder proxy'), if that may be served and is JSON; a \
            warning says so.

            When the server is slow, and with --policy stale-while-revalidate, what is stored is shown while it is still \
            being asked. The process then stays until the answer is stored, at most for --timeout; longer with --retry, and by \
            some seconds where another process asks for the same. Ctrl-C leaves it.
            """,
        options: ReadingOptions.all,
        positionals: [Positional("URL", help: "the document's URL, http or https")],
        tables: [JSONFields.document, JSONFields.errorKinds, JSONFields.warningKinds],
        examples: [
            .init("get https://api.example.com/shops", "From the network, or from the cache when it fails"),
            .init("get --explain https://api.example.com/shops", "Why it is shown, or asked for"),
            .init("get --offline https://api.example.com/shops", "From the cache alone"),
            .init(
                "get --partition anna --header 'Cookie: …' https://example.com/me",
                "What belongs to one account"),
        ])

    let endpoint: Endpoint
    let options: ReadingOptions

    init(_ arguments: ParsedArguments) throws {
        options = try ReadingOptions(arguments)
        endpoint = try Endpoint(arguments.positional(0) ?? "")
    }

    func run() async throws -> ExitCode {
        if let remark = options.remark { try StandardStream.error.line("larder get: note: \(remark)") }
        let larder: Larder
        do {
            larder = try options.open(for: endpoint)
        } catch {
            return try show(nil, error)
        }
        defer { larder.close() }
        let origin = Origin(
            endpoint: endpoint, headers: options.headers, timeout: options.timeout, retry: options.retry)
        let document = DocumentSource(origin: origin).resource(in: options.partition(of: larder), options)
        let explanation = try options.explanation(command: Self.spec.name) { () throws(LarderError) in
            try document.explain()
        }
        let reading: Reading<Data>?
        let trouble: Trouble?
        do {
            let read = try await document.read()
            (reading, trouble) = (read, read.warnings.trouble(folder: options.cache.url))
        } catch {
            let isStored = (try? document.peek()) != nil
            var missing = Trouble(error, subject, isStored: isStored)
            if !isStored, let kept = KeptAnswer(of: endpoint, instead: error, in: options.partition(of: larder)) {
                return try show(kept, explanation)
            }
            if !isStored, KeptAnswer.isStored(of: endpoint, in: options.partition(of: larder)) {
                missing = Trouble(
                    missing.kind, "\(missing.message) An HTTP answer of this URL is stored: 'larder show' shows it.",
                    exitCode: missing.exitCode)
            }
            (reading, trouble) = (nil, missing)
        }
        let shown = Result { () throws(StreamFailure) in try show(reading, trouble, explanation) }
        try await options.settle(larder, after: reading?.reason, command: Self.spec.name)
        return try shown.get()
    }

    private var subject: Subject {
        Subject(
            origin: endpoint.origin, folder: options.cache.url, isOffline: options.isOffline, thing: "this document")
    }

    private func show(
        _ reading: Reading<Data>?, _ trouble: Trouble?, _ explanation: Explanation? = nil
    ) throws(StreamFailure) -> ExitCode {
        let report = Report(
            command: "get", origin: endpoint.origin, facts: reading.map { Report.Facts($0) },
            notes: (reading?.warnings ?? []).map { Note($0, folder: options.cache.url) }, trouble: trouble)
        return try show(reading?.value, report, explanation)
    }

    private func show(_ kept: KeptAnswer, _ explanation: Explanation?) throws(StreamFailure) -> ExitCode {
        let note = Note(
            "httpAnswer",
            "nothing is stored as a document: this is the answer that the HTTP cache keeps of this URL")
        let report = Report(
            command: "get", origin: endpoint.origin, facts: kept.facts, notes: [note], trouble: nil)
        return try show(kept.body, report, explanation)
    }

    private func show(
        _ value: Data?, _ report: Report, _ explanation: Explanation?
    ) throws(StreamFailure) -> ExitCode {
        if options.isJSON {
            let value = ("value", value.json(JSONText.verbatim))
            try StandardStream.output.write(
                JSONText.object([value] + report.members + options.members(of: explanation)).bytes + Data("\n".utf8))
            try report.writeTrouble()
            return report.exitCode
        }
        if let value, let facts = report.facts {
            try StandardStream.output.write(value)
            if Terminal.output.isTerminal, value.last != 0x0A { try StandardStream.output.line() }
            let size = Units.size(value.count)
            try StandardStream.error.line(Terminal.error.styled("\(size) \(facts.sentence)", .dim))
        }
        try report.writeRemarks()
        return report.exitCode
    }
}

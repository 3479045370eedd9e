import Foundation
import LarderHTTPCache
import LarderKit

/// `larder explain`: what a reading of something stored would do, and why.
struct ExplainCommand: Command {
    private static let json = Option.flag("json", help: "print one JSON object")

    static let spec = CommandSpec(
        "explain", summary: "Tell what a reading would do now, and why",
        details: """
            Tells of what is stored under a key, in the database, in a file or as a list, whether it is fresh, and what a \
            reading by a policy would do: show it, ask the server, or both. Nothing is asked and nothing changed.

            What an app gives for itself (how long a value is fresh, how long it waits) is in the app and not in the cache: \
            say it with --ttl and --policy. What the app has lately learned of a server, such as that it fails, is known \
            in the app's own process alone.

            Of a URL whose answer an HTTP cache keeps it tells what a plain GET would get, by the rules of HTTP (RFC 9111): whether \
            it is fresh and by which field, what is served when the origin is away, and what forbids that. Each variant is told \
            of by itself. A proxy's own offline rules are known to the proxy alone: say them with --rule.

            'get' and 'feed' tell the same of themselves with --explain.
            """,
        options: [CacheFolder.option, PartitionOption.option, ReadingOptions.policyOption, ReadingOptions.ttl]
            + HTTPCacheOptions.judging + [json],
        positionals: [Positional("KEY", help: "a key or URL, as 'larder ls' shows it; of a list, its URL will do")],
        tables: [JSONFields.explain, JSONFields.explainHTTP, JSONFields.decisions, HTTPCacheOptions.rules],
        examples: [
            .init("explain https://api.example.com/shops", "Why it would be asked for again"),
            .init("explain --ttl 1h profile --cache ~/Library/Caches/news", "What an app does with a value of an hour"),
        ])

    let key: String
    let cache: CacheFolder
    /// Empty for what belongs to nobody.
    let partition: String
    let policy: ReadPolicy
    let maxAge: Duration?
    let http: HTTPCacheOptions
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        key = arguments.positional(0) ?? ""
        cache = try CacheFolder(arguments[CacheFolder.option])
        partition = arguments[PartitionOption.option] ?? ""
        policy =
            (try arguments.choice(ReadingOptions.policyOption, of: ReadingOptions.PolicyName.self))?.policy
            ?? .cacheFirst
        maxAge = try arguments.duration(ReadingOptions.ttl)
        http = try HTTPCacheOptions(arguments)
        isJSON = arguments.has(Self.json)
    }

    func run() async throws -> ExitCode {
        do {
            let told = try await told()
            try isJSON ? write(told, nil) : write(lines(told))
            return .success
        } catch let trouble as Trouble {
            if isJSON { try write(Told(), trouble) }
            try StandardStream.error.line(Terminal.error.styled("larder explain: \(trouble.message)", .red))
            return trouble.exitCode
        }
    }

    private struct Told {
        var explanations: [Explanation] = []
        var answers: [AnswerExplanation] = []
    }

    private func told() async throws(Trouble) -> Told {
        let larder = try cache.openExisting(exitCode: .noInput, for: try? Endpoint(key))
        defer { larder.close() }
        let lookup = AnswerLookup(larder: larder, folder: cache.url, partition: partition)
        let answers = AnswerExplanation.all(of: try await lookup.answers(key), http, now: Date())
        let stored: StoredKeys
        do throws(LarderError) {
            let explanations = try explain([key], in: larder)
            guard explanations.isEmpty, answers.isEmpty else {
                return Told(explanations: explanations, answers: answers)
            }
            do throws(StorageError) { stored = try await larder.storedKeys() } catch { throw .storage(error) }
            let meant = try explain(stored.meant(by: key, in: partition), in: larder)
            guard meant.isEmpty else { return Told(explanations: meant) }
        } catch {
            throw Trouble(error, Subject(origin: "", folder: cache.url, isOffline: true, thing: "this key"))
        }
        throw stored.trouble(with: key, in: partition, of: cache.url)
    }

    private func explain(_ keys: [String], in larder: Larder) throws(LarderError) -> [Explanation] {
        let partition = partition.isEmpty ? larder.common : larder.partition(partition)
        var explanations: [Explanation] = []
        for key in keys { explanations += try partition.explain(key, maxAge: maxAge, policy: policy) }
        return explanations
    }

    private func lines(_ told: Told) -> [String] {
        func titled(_ key: String, _ lines: [String]) -> [String] {
            [Terminal.output.styled(Printable.line(Endpoint.shown(key)), .cyan)] + lines
        }
        let blocks =
            told.explanations.map { titled($0.key, $0.lines) } + told.answers.map { titled($0.found.url, $0.lines) }
        return Array(blocks.joined(separator: [""]))
    }

    private func write(_ lines: [String]) throws(StreamFailure) {
        for line in lines { try StandardStream.output.line(line) }
    }

    private func write(_ told: Told, _ trouble: Trouble?) throws(StreamFailure) {
        let objects = (told.explanations.map(\.members) + told.answers.map(\.members)).map {
            JSONText.object([("partition", .string(partition))] + $0)
        }
        let error = trouble.json { .object([("kind", .string($0.kind)), ("message", .string($0.message))]) }
        let object = JSONText.object([("explanations", .array(objects)), ("error", error)])
        try StandardStream.output.write(object.bytes + Data("\n".utf8))
    }
}

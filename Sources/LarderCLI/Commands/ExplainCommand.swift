import Foundation
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

            'get' and 'feed' tell the same of themselves with --explain.
            """,
        options: [CacheFolder.option, PartitionOption.option, ReadingOptions.policyOption, ReadingOptions.ttl, json],
        positionals: [Positional("KEY", help: "a key or URL, as 'larder ls' shows it; of a list, its URL will do")],
        tables: [JSONFields.explain, JSONFields.decisions],
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
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        key = arguments.positional(0) ?? ""
        cache = try CacheFolder(arguments[CacheFolder.option])
        partition = arguments[PartitionOption.option] ?? ""
        policy =
            (try arguments.choice(ReadingOptions.policyOption, of: ReadingOptions.PolicyName.self))?.policy
            ?? .cacheFirst
        maxAge = try arguments.duration(ReadingOptions.ttl)
        isJSON = arguments.has(Self.json)
    }

    func run() async throws -> ExitCode {
        do {
            let explanations = try await explanations()
            try isJSON ? write(explanations, nil) : write(lines(explanations))
            return .success
        } catch let trouble as Trouble {
            if isJSON { try write([], trouble) }
            try StandardStream.error.line(Terminal.error.styled("larder explain: \(trouble.message)", .red))
            return trouble.exitCode
        }
    }

    private func explanations() async throws(Trouble) -> [Explanation] {
        let larder = try cache.openExisting(exitCode: .noInput, for: try? Endpoint(key))
        defer { larder.close() }
        let stored: StoredKeys
        do throws(LarderError) {
            let found = try explain([key], in: larder)
            guard found.isEmpty else { return found }
            do throws(StorageError) { stored = try await larder.storedKeys() } catch { throw .storage(error) }
            let explanations = try explain(stored.meant(by: key, in: partition), in: larder)
            guard explanations.isEmpty else { return explanations }
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

    private func lines(_ explanations: [Explanation]) -> [String] {
        explanations.enumerated().flatMap { index, explanation in
            let title = Printable.line(Endpoint.shown(explanation.key))
            return (index > 0 ? [""] : []) + [Terminal.output.styled(title, .cyan)] + explanation.lines
        }
    }

    private func write(_ lines: [String]) throws(StreamFailure) {
        for line in lines { try StandardStream.output.line(line) }
    }

    private func write(_ explanations: [Explanation], _ trouble: Trouble?) throws(StreamFailure) {
        let objects = explanations.map { JSONText.object([("partition", .string(partition))] + $0.members) }
        let error = trouble.json { .object([("kind", .string($0.kind)), ("message", .string($0.message))]) }
        let object = JSONText.object([("explanations", .array(objects)), ("error", error)])
        try StandardStream.output.write(object.bytes + Data("\n".utf8))
    }
}

import Foundation
import LarderKit

/// `larder stats`: what a cache has done, and what it holds.
struct StatsCommand: Command {
    private static let json = Option.flag("json", help: "print one JSON object")

    static let spec = CommandSpec(
        "stats", summary: "Show how a cache has done: hits, requests, failures, and what it holds",
        details: """
            Counts readings and requests of every program on this cache since it was made. A program saves its counts now \
            and then and when it closes the cache, so that those of the last seconds may not be there yet. Nothing \
            tells of what was read, or for whom.

            It asks no network, and makes no cache where there is none.
            """,
        options: [CacheFolder.option, json],
        tables: [JSONFields.stats, JSONFields.usage],
        examples: [.init("stats --cache ~/Library/Caches/news", "How well an app's cache does")],
        exitCodes: .keeping)

    let cache: CacheFolder
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        cache = try CacheFolder(arguments[CacheFolder.option])
        isJSON = arguments.has(Self.json)
    }

    func run() async throws -> ExitCode {
        try await Outcome.print(
            "stats", isJSON: isJSON,
            besides: {
                let statistics = try await statistics()
                let text =
                    isJSON
                    ? statistics.json.bytes : Data(statistics.lines(terminal: .output).joined(separator: "\n").utf8)
                return (text, .damage(statistics.damaged, in: cache.url))
            })
    }

    private func statistics() async throws(Trouble) -> CacheStatistics {
        let larder = try cache.openExisting()
        defer { larder.close() }
        do throws(StorageError) {
            return CacheStatistics(
                folder: cache.url, sizes: cache.sizes, totals: try await larder.totals(),
                contents: try await larder.contents(), usage: try larder.usage(),
                signOuts: try larder.signOuts())
        } catch {
            throw Trouble(error, folder: cache.url)
        }
    }
}

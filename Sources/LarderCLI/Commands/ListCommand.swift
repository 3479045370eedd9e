import Foundation
import LarderKit

/// `larder ls`: what a cache holds.
struct ListCommand: Command {
    private static let json = Option.flag("json", help: "print one JSON object")

    static let spec = CommandSpec(
        "ls", summary: "Show what a cache holds",
        details: """
            Documents with their sizes and ages, where they lie (in the database, if nothing else is said), when they were \
            last used, and whether they are pinned; feeds with their runs and the gaps between them. A run is a stretch \
            without gaps: all the server had there, each part as of its age. What lies in a gap is not known.

            HTTP answers are what an HTTP cache keeps ('larder proxy', 'larder warm', an app's URLSession): under their URLs, with \
            all of their bodies, as fresh as their own fields say. What an app or 'larder get' has stored by itself is a \
            document, and it is kept whatever its server says of caching: an answer marked no-store is among the documents and \
            not among the HTTP answers, unless an offline rule keeps it.

            It asks no network, and makes no cache where there is none.
            """,
        options: [CacheFolder.option, json],
        tables: [JSONFields.list, JSONFields.httpAnswer],
        examples: [.init("ls --cache ~/Library/Caches/news", "What an app keeps")],
        exitCodes: .keeping)

    let cache: CacheFolder
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        cache = try CacheFolder(arguments[CacheFolder.option])
        isJSON = arguments.has(Self.json)
    }

    func run() async throws -> ExitCode {
        try await Outcome.print(
            "ls", isJSON: isJSON,
            besides: {
                let contents = try await contents()
                let text =
                    isJSON ? contents.json.bytes : Data(contents.lines(terminal: .output).joined(separator: "\n").utf8)
                return (text, contents.trouble)
            })
    }

    private func contents() async throws(Trouble) -> CacheContents {
        let larder = try cache.openExisting()
        defer { larder.close() }
        do throws(StorageError) {
            let (contents, now) = (try await larder.contents(), Date())
            return CacheContents(
                folder: cache.url, size: cache.size, contents,
                answers: try ListedAnswers(contents, in: larder, now: now), now: now)
        } catch {
            throw Trouble(error, folder: cache.url)
        }
    }
}

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

            It asks no network, and makes no cache where there is none.
            """,
        options: [CacheFolder.option, json],
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
            return CacheContents(folder: cache.url, size: cache.size, try await larder.contents(), now: Date())
        } catch {
            throw Trouble(error, folder: cache.url)
        }
    }
}

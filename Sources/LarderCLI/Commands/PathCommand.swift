import Foundation

/// `larder path`: where a cache lies.
struct PathCommand: Command {
    private static let json = Option.flag("json", help: "print one JSON object, with the files")

    static let spec = CommandSpec(
        "path", summary: "Print the folder of a cache",
        details: """
            The one line on standard output is the folder, whether or not there is a cache in it; when there is none, \
            standard error says so. With --json the files are named with their sizes.

            The database is cache.sqlite. What was written lately is in the file beside it that ends in -wal: whoever copies \
            a cache by hand while a program has it open copies half of it, and 'larder export' copies all.

            The file is not opened.
            """,
        options: [CacheFolder.option, json],
        tables: [JSONFields.path],
        examples: [
            .init("path", "Where 'get' and 'feed' keep things"),
            .init("path --json --cache ~/Library/Caches/news", "What an app's cache consists of"),
        ],
        exitCodes: .keeping)

    let cache: CacheFolder
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        cache = try CacheFolder(arguments[CacheFolder.option])
        isJSON = arguments.has(Self.json)
    }

    func run() async throws -> ExitCode {
        try await Outcome.print("path", isJSON: isJSON) { () throws(Trouble) in
            let presence = try cache.isThere(exitCode: .noInput)
            if isJSON { return CacheFiles(folder: cache.url).json.bytes }
            if presence != .cache { try? StandardStream.error.line("larder path: there is no cache in it yet") }
            return Data(cache.url.path.utf8)
        }
    }
}

import Foundation
import LarderKit

/// `larder export`: writes what a cache holds into one file.
struct ExportCommand: Command {
    private static let partition = Option.repeated(
        "partition", "NAME", help: "export this account, as 'larder ls' names it, and not what belongs to none")
    private static let common = Option.flag("common", help: "export what belongs to no account as well")
    private static let force = Option.flag("force", help: "take the place of a file that is there")
    private static let json = Option.flag("json", help: "print one JSON object")

    static let spec = CommandSpec(
        "export", summary: "Write what a cache holds into one file that another can take in",
        details: """
            The file holds documents, wherever their bytes lie, and lists with what is known of them: to look at, to move, or to \
            ship with an app, so that its lists are there at the first start ('larder import', or importSnapshot in the app). \
            It shows the cache as it is at one moment, while programs go on using it, and is complete or not there.

            It holds what belongs to no account; that of accounts goes only where they are named, since whoever has the file can \
            read it. It never holds cookies, tokens, cursors or links to go on with, and what is stored under a URL with a \
            user's name, a password or a token is left out and counted. What the values themselves say is for you to know.
            """,
        options: [CacheFolder.option, partition, common, force, json],
        positionals: [Positional("FILE", help: "the file to write, outside of the cache's folder")],
        tables: [JSONFields.snapshot, JSONFields.omissions],
        examples: [
            .init("export first-start.larder --cache ~/Library/Caches/news", "To ship with an app"),
            .init("export anna.larder --partition anna --force", "What one account has"),
        ],
        exitCodes: .keeping)

    let cache: CacheFolder
    let file: SnapshotPath
    /// The empty one is what belongs to none.
    let partitions: [String]
    let mayReplace: Bool
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        cache = try CacheFolder(arguments[CacheFolder.option])
        file = try SnapshotPath(arguments.positional(0))
        guard !file.isWithin(cache.url) else {
            throw UsageError("\(file.url.path) lies in the cache's own folder: name a file outside of it")
        }
        let named = arguments.all(Self.partition)
        partitions = named + (named.isEmpty || arguments.has(Self.common) ? [""] : [])
        mayReplace = arguments.has(Self.force)
        isJSON = arguments.has(Self.json)
    }

    func run() async throws -> ExitCode {
        try await Interruption.cancelling {
            try await Outcome.print("export", isJSON: isJSON) {
                let output = SnapshotOutput(file: file, report: try await export(), isExport: true)
                return isJSON ? output.json.bytes : Data(output.lines.joined(separator: "\n").utf8)
            }
        }
    }

    private func export() async throws -> SnapshotReport {
        try file.requireRoom(mayReplace: mayReplace)
        let larder = try cache.openExisting()
        defer { larder.close() }
        try await requireKnown(larder)
        return try await file.working("exporting", cache, isWritten: true) { (progress) throws(StorageError) in
            try await larder.exportSnapshot(to: file.url, partitions: .named(partitions), progress: progress)
        }
    }

    /// A name that was mistyped would make an empty file.
    private func requireKnown(_ larder: Larder) async throws(Trouble) {
        let known: [String]
        do throws(StorageError) { known = try await larder.partitionNames() } catch {
            throw Trouble(error, folder: cache.url)
        }
        for name in partitions
        where !name.isEmpty
            && !known.contains(where: { StoreKey(partition: $0, key: "") == StoreKey(partition: name, key: "") })
        {
            let hint = Suggestion.nearest(to: name, among: known).map { " Did you mean \(Printable.line($0))?" } ?? ""
            throw Trouble(
                "notStored",
                "nothing of the account \(Printable.line(name)) is stored in \(cache.url.path).\(hint) 'larder ls' shows what there is.",
                exitCode: .failure)
        }
    }
}

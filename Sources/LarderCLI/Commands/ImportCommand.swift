import Foundation
import LarderKit

/// `larder import`: takes in what `larder export` has written.
struct ImportCommand: Command {
    private static let into = Option.value(
        "into", "NAME", help: "put all of it into this account; '' is none. The file must be of one account then",
        default: "where it was")
    private static let replace = Option.flag(
        "replace", help: "what is in the file counts, also where the cache has something later")
    private static let json = Option.flag("json", help: "print one JSON object")

    static let spec = CommandSpec(
        "import", summary: "Take in what 'larder export' has written",
        details: """
            What is taken in is as old as it was when it was exported, and so is mostly stale: it is shown at once and asked for \
            again. What the cache has that is later stays, and so do its lists, unless --replace is given; what was removed or \
            said to have changed since stays so. Taking in the same file again changes nothing.

            Each row of the file proves itself; what is damaged is left out and counted, and a file that does not fit together is \
            refused. All rows are taken in at once, or none. Programs that have the cache open see them. The cache is made when \
            there is none.
            """,
        options: [CacheFolder.option, into, replace, json],
        positionals: [Positional("FILE", help: "a file that 'larder export' has written; it is only read")],
        tables: [JSONFields.snapshot, JSONFields.omissions],
        examples: [
            .init("import first-start.larder --cache ./cache", "A cache that is filled already"),
            .init("import anna.larder --into test", "Into another account"),
        ],
        exitCodes: .keeping)

    let cache: CacheFolder
    let file: SnapshotPath
    let partition: String?
    let policy: SnapshotPolicy
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        cache = try CacheFolder(arguments[CacheFolder.option])
        file = try SnapshotPath(arguments.positional(0))
        partition = arguments[Self.into]
        policy = arguments.has(Self.replace) ? .replace : .keepNewer
        isJSON = arguments.has(Self.json)
    }

    func run() async throws -> ExitCode {
        try await Interruption.cancelling {
            try await Outcome.print(
                "import", isJSON: isJSON,
                besides: {
                    let output = SnapshotOutput(file: file, report: try await takeIn(), isExport: false)
                    let text = isJSON ? output.json.bytes : Data(output.lines.joined(separator: "\n").utf8)
                    return (text, output.trouble)
                })
        }
    }

    private func takeIn() async throws -> SnapshotReport {
        // Before a cache is made for nothing.
        try file.requireFile()
        let larder = try cache.open(for: nil, options: LarderOptions(budget: .unlimited, damage: .refuse))
        defer { larder.close() }
        return try await file.working("importing", cache) { (progress) throws(StorageError) in
            try await larder.importSnapshot(from: file.url, into: partition, policy: policy, progress: progress)
        }
    }
}

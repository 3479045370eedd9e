import Foundation
import LarderKit

/// `larder repair`: makes a damaged cache a sound one.
struct RepairCommand: Command {
    private static let json = Option.flag("json", help: "print one JSON object")

    static let spec = CommandSpec(
        "repair", summary: "Make a damaged cache a sound one, and tell what was lost",
        details: """
            What proves itself by its checksum is kept; what does not is removed, and asked for again by the program that wants \
            it. Where a list has lost items it has a gap. A sound cache is left as it is.

            Where the structure of the database is damaged, the damaged file is set aside in the folder 'damaged' of the cache \
            before anything is changed, and a new one is built from every row that can be read. It is put in place in one \
            transaction: a program that has the cache open goes on. What was set aside may be deleted when nobody wants to \
            look at it any more.

            An outbox that lies beside the cache is not touched.
            """,
        options: [CacheFolder.option, json],
        tables: [JSONFields.repair],
        examples: [
            .init("repair --cache ~/Library/Caches/news", "Save what can be read"),
            .init("repair --json", "The same for the cache of 'get' and 'feed', told to a program"),
        ],
        exitCodes: .keeping)

    let cache: CacheFolder
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        cache = try CacheFolder(arguments[CacheFolder.option])
        isJSON = arguments.has(Self.json)
    }

    func run() async throws -> ExitCode {
        try await Interruption.cancelling {
            try await Outcome.print("repair", isJSON: isJSON) {
                let output = RepairOutput(folder: cache.url, report: try await repair())
                return isJSON ? output.json.bytes : Data(output.lines.joined(separator: "\n").utf8)
            }
        }
    }

    private func repair() async throws -> RepairReport {
        try cache.requireCache()
        return try await cache.working("repairing") { (progress) throws(StorageError) in
            try await LarderRepair.repair(folder: cache.url, progress: progress)
        }
    }
}

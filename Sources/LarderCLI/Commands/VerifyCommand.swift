import Foundation
import LarderKit

/// `larder verify`: whether a cache is as it was stored.
struct VerifyCommand: Command {
    private static let quick = Option.flag("quick", help: "look at the structure of the database alone")
    private static let limit = Option.value(
        "limit", "N", help: "how many findings are shown to a person", default: "\(VerificationOutput.standardLimit)")
    private static let json = Option.flag("json", help: "print one JSON object")

    static let spec = CommandSpec(
        "verify", summary: "Tell whether a cache is sound, and what is damaged",
        details: """
            Looks at every byte: the pages and indexes of the database, the checksum of every row, the files of large values \
            against the rows that name them, and what is proven of the lists against their items. It changes nothing, and a \
            program that has the cache open goes on meanwhile.

            What is damaged is never served; it costs itself and is asked for again. 'larder repair' removes it, and builds the \
            database anew where that is needed.

            Notes are no damage: something is left over, or not used, and 'larder gc' clears it away.
            """,
        options: [CacheFolder.option, quick, limit, json],
        tables: [JSONFields.verification, JSONFields.findings],
        examples: [
            .init("verify", "The cache of 'get' and 'feed'"),
            .init("verify --json --cache ~/Library/Caches/news", "An app's, for a program"),
        ],
        exitCodes: .keeping)

    let cache: CacheFolder
    let isQuick: Bool
    let limit: Int
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        cache = try CacheFolder(arguments[CacheFolder.option])
        isQuick = arguments.has(Self.quick)
        limit = try arguments.int(Self.limit, in: 0...1_000_000) ?? VerificationOutput.standardLimit
        isJSON = arguments.has(Self.json)
    }

    func run() async throws -> ExitCode {
        try await Interruption.cancelling {
            try await Outcome.print(
                "verify", isJSON: isJSON,
                besides: {
                    let output = VerificationOutput(folder: cache.url, report: try await verify())
                    return (isJSON ? output.json.bytes : output.text(limit: limit, .output), output.trouble)
                })
        }
    }

    private func verify() async throws -> VerificationReport {
        try cache.requireCache()
        return try await cache.working("verifying") { (progress) throws(StorageError) in
            try await LarderRepair.verify(folder: cache.url, isQuick: isQuick, progress: progress)
        }
    }
}

import Foundation
import LarderKit

/// `larder gc`: puts a cache in order.
struct CollectCommand: Command {
    private static let budget = Option.value(
        "budget", "SIZE", help: "trim it to so much, such as 200MB or 64MiB, the least recently used first",
        default: "nothing is trimmed: how much is kept is its app's to say")
    private static let dryRun = Option.flag("dry-run", help: "tell what trimming would take away, and change nothing")
    private static let thorough = Option.flag(
        "thorough", help: "make the file anew where it cannot be made smaller in steps; needs room for a copy")
    private static let json = Option.flag("json", help: "print one JSON object")

    static let spec = CommandSpec(
        "gc", summary: "Trim a cache to a budget, sweep what is left over, and give room back",
        details: """
            Removes files that no value has (left by programs that were killed in the middle of a write) and records that mean \
            nothing any more, and gives the room in the database that nothing is in back to the file system. With --budget it \
            first forgets what was not used for the longest time, until the rest fits; what is pinned stays. It is safe while \
            programs use the cache.

            What is forgotten of a list leaves a floor or a gap, never a hole that looks whole.
            """,
        options: [CacheFolder.option, budget, dryRun, thorough, json],
        tables: [JSONFields.collection, JSONFields.usage],
        examples: [
            .init("gc --cache ~/Library/Caches/news", "Clear away what is left over"),
            .init("gc --budget 50MB --dry-run", "What would go"),
            .init("gc --budget 50MB", "Let it go"),
        ],
        exitCodes: .keeping)

    let cache: CacheFolder
    let budget: Int?
    let isDryRun: Bool
    let isThorough: Bool
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        cache = try CacheFolder(arguments[CacheFolder.option])
        budget = try arguments.size(Self.budget)
        isDryRun = arguments.has(Self.dryRun)
        isThorough = arguments.has(Self.thorough)
        isJSON = arguments.has(Self.json)
        if isDryRun, budget == nil { throw UsageError("--dry-run tells what --budget would take away: say how much") }
        if isDryRun, isThorough { throw UsageError("--dry-run changes nothing: --thorough has no use") }
    }

    func run() async throws -> ExitCode {
        try await Interruption.cancelling {
            try await Outcome.print("gc", isJSON: isJSON) {
                let output = try await collect()
                return isJSON ? output.json.bytes : Data(output.lines.joined(separator: "\n").utf8)
            }
        }
    }

    private func collect() async throws -> CollectionOutput {
        let larder = try cache.openExisting(
            options: LarderOptions(budget: StorageBudget(bytes: budget), damage: .refuse))
        defer { larder.close() }
        return try await cache.working("collecting") { (_) throws(StorageError) in
            var output = CollectionOutput(folder: cache.url, budget: budget, before: try larder.usage())
            if isDryRun {
                output.foreseen = try await larder.wouldRemove()
            } else {
                output.report = try await larder.tidy(isThorough: isThorough)
            }
            return output
        }
    }
}

import Foundation
import LarderKit

/// `larder tail`: tells what is committed to a cache, as it happens.
struct TailCommand: Command {
    private static let partition = Option.value(
        "partition", "NAME", help: "tell of this account alone, '' of none", default: "tell of all")
    private static let count = Option.value("count", "N", help: "end after so many changes", default: "never")
    private static let json = Option.flag("json", help: "print a JSON object on each line")

    static let spec = CommandSpec(
        "tail", summary: "Tell what is changed in a cache, live, by whichever program",
        details: """
            A line for each thing that is another one now, from the moment it begins: a document or a list, or all of an account \
            or of the cache where that is how it was changed. What is there now is to be looked at: 'larder show' and 'larder \
            ls'; it may have been removed. How often something was changed is not told, and neither is by which program: \
            to this one all are others. What lies in files of its own is not told of.

            It ends with Ctrl-C. It reads alone, and keeps nobody from writing.
            """,
        options: [CacheFolder.option, partition, count, json],
        tables: [JSONFields.tail],
        examples: [
            .init("tail --cache ~/Library/Caches/news", "What an app stores, while it runs"),
            .init("tail --json --partition anna", "Of one account, for a program"),
        ],
        exitCodes: .keeping)

    let cache: CacheFolder
    let partition: String?
    let count: Int?
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        cache = try CacheFolder(arguments[CacheFolder.option])
        partition = arguments[Self.partition]
        count = try arguments.int(Self.count, in: 1...Int.max)
        isJSON = arguments.has(Self.json)
    }

    func run() async throws -> ExitCode {
        let code = try await Interruption.cancelling {
            let larder: Larder
            do throws(Trouble) {
                larder = try cache.openExisting()
            } catch {
                return try await Outcome.print("tail", isJSON: isJSON) { () throws(Trouble) -> Data in throw error }
            }
            defer { larder.close() }
            // Asked for first: what happens from the moment of the line on is told.
            let changes = larder.changes()
            if !isJSON, Terminal.error.isTerminal {
                try StandardStream.error.line(
                    Terminal.error.styled("Telling what changes in \(cache.url.path), until Ctrl-C.", .dim))
            }
            var told = 0
            for await change in changes where isMeant(change) {
                try StandardStream.output.write(line(change, at: Date()))
                told += 1
                if told == count { break }
            }
            return .success
        }
        // To be ended by Ctrl-C is what it is for.
        return code.isOfSignal ? .success : code
    }

    /// What may be of any account is of the one that is meant, too.
    private func isMeant(_ change: LarderChange) -> Bool {
        guard let partition else { return true }
        let own: String
        switch change.subject {
        case .resource(let key), .feed(let key): own = key.partition
        case .partition(let name): own = name
        case .everything: return true
        }
        return StoreKey(partition: own, key: "") == StoreKey(partition: partition, key: "")
    }

    private func line(_ change: LarderChange, at time: Date) -> Data {
        let event = TailEvent(change: change, time: time)
        return isJSON ? event.json.bytes + Data("\n".utf8) : Data((event.line + "\n").utf8)
    }
}

import Foundation
import LarderHTTPCache
import LarderKit

/// `larder pin`: exempts what is stored from trimming.
struct PinCommand: Command {
    private static let off = Option.flag("off", help: "exempt it no longer")
    private static let list = Option.flag("list", help: "show what is pinned, of all accounts")
    private static let json = Option.flag("json", help: "print one JSON object")

    static let spec = CommandSpec(
        "pin", summary: "Keep something, however much room the cache has left",
        details: """
            A cache that has a budget forgets what was not used for the longest time. What is pinned stays, a document or a \
            whole list, or the HTTP answers of a URL with their bodies, until the pin is taken off (--off; 'larder rm' leaves it) or the account is signed out of. It is still asked for again when it \
            is stale.
            """,
        options: [CacheFolder.option, PartitionOption.option, KeyArgument.json, off, list, json],
        positionals: [
            Positional("KEY", help: "keys, URLs or names of lists, as 'larder ls' shows them", .any)
        ],
        tables: [JSONFields.pins],
        examples: [
            .init("pin manual --cache ~/Library/Caches/news", "Keep it for the flight"),
            .init("pin --off manual --cache ~/Library/Caches/news", "And no longer"),
            .init("pin --list", "What is pinned"),
        ],
        exitCodes: .keeping)

    let keys: [String]
    let cache: CacheFolder
    let partition: String
    let isOff: Bool
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        keys = try KeyArgument.keys(arguments)
        cache = try CacheFolder(arguments[CacheFolder.option])
        partition = arguments[PartitionOption.option] ?? ""
        isOff = arguments.has(Self.off)
        isJSON = arguments.has(Self.json)
        if arguments.has(Self.list) {
            guard keys.isEmpty, !isOff, !arguments.has(PartitionOption.option) else {
                throw UsageError("--list shows all that is pinned: give nothing else")
            }
        } else if keys.isEmpty {
            throw UsageError("KEY is missing; --list shows what is pinned")
        }
    }

    func run() async throws -> ExitCode {
        var report = PinReport(isOff: isOff, isList: keys.isEmpty)
        do {
            let larder = try cache.openExisting()
            defer { larder.close() }
            if keys.isEmpty {
                report.keys = try pinnedKeys(larder)
            } else {
                try await pin(in: larder, &report)
            }
        } catch let trouble as Trouble {
            report.troubles.append(trouble)
        } catch let error as StorageError {
            report.troubles.append(Trouble(error, folder: cache.url))
        }
        return try report.write(isJSON: isJSON)
    }

    /// Each key once, be it that of a value, of a list, or of both; of HTTP answers, their URLs.
    private func pinnedKeys(_ larder: Larder) throws(StorageError) -> [StoreKey] {
        try larder.pins()
            .compactMap { pin -> StoreKey? in
                switch AnswerRow(name: pin.name) {
                case .bodyPart: nil
                case .answer(let url): StoreKey(partition: pin.partition, key: url)
                case nil: StoreKey(partition: pin.partition, key: pin.name)
                }
            }
            .reduce(into: []) { keys, key in if keys.last != key { keys.append(key) } }
    }

    /// Of the HTTP answers that the text means.
    ///
    /// - Returns: Whether there are any.
    private func pinAnswers(_ text: String, in larder: Larder, _ report: inout PinReport) async throws -> Bool {
        let lookup = AnswerLookup(larder: larder, folder: cache.url, partition: partition)
        let pins = try larder.pins()
        let found = try await lookup.answers(text)
        guard let url = found.first?.url else {
            guard isOff, let url = HTTPRules.key(of: text) else { return false }
            let wasPinned: Bool
            do throws(LarderError) {
                wasPinned = try await lookup.inspector.unpin(url, among: pins)
            } catch {
                throw lookup.trouble(error)
            }
            if wasPinned { report.keys.append(StoreKey(partition: partition, key: url)) }
            return wasPinned
        }
        do throws(LarderError) { try await lookup.inspector.pin(found, !isOff) } catch { throw lookup.trouble(error) }
        report.keys.append(StoreKey(partition: partition, key: url))
        return true
    }

    private func pin(in larder: Larder, _ report: inout PinReport) async throws {
        let lookup = StoredLookup(larder: larder, folder: cache.url, partition: partition)
        let pinned = Set(try pinnedKeys(larder))
        for text in keys {
            let exact = StoreKey(partition: partition, key: text)
            do {
                if try await pinAnswers(text, in: larder, &report), try !larder.isStored(exact) { continue }
                // What is gone may be pinned still.
                let key = isOff && pinned.contains(exact) ? exact : try await lookup.key(text)
                try await larder.setPinned(!isOff, key)
                report.keys.append(key)
            } catch let trouble as Trouble {
                report.troubles.append(trouble)
            }
        }
    }
}

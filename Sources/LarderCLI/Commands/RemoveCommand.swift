import Foundation
import LarderHTTPCache
import LarderKit

/// `larder rm`: removes values and lists from a cache.
struct RemoveCommand: Command {
    private static let prefix = Option.value("prefix", "TEXT", help: "remove all whose key begins so")
    private static let partition = Option.value(
        "partition", "NAME", help: "the account, as 'larder ls' names it; without KEY or --prefix, all of it",
        default: "what belongs to none")
    private static let all = Option.flag("all", help: "remove everything, of all accounts")
    private static let yes = Option.flag("yes", help: "all of an account or of a cache is meant to go")
    private static let json = Option.flag("json", help: "print one JSON object")

    static let spec = CommandSpec(
        "rm", summary: "Remove values and lists from a cache",
        details: """
            What is stored under a key goes, in the database, in files and as a list; of a URL the HTTP answers as well, all \
            variants with all of their bodies. No answer that a program has asked for \
            before brings it back; the next one does. Damaged values go as well. What is pinned goes too, since it was named, \
            and its pin stays.

            All of an account, or of a cache, goes at a terminal with --yes alone; in a script it goes as it is said.

            Programs that have the cache open go on with it. To remove an account is not to sign out of it, which is its app's \
            to do.

            The keys that are there are removed also where others are not; the exit code is 1 then. The room in the file is \
            used again.
            """,
        options: [CacheFolder.option, partition, KeyArgument.json, prefix, all, yes, json],
        positionals: [
            Positional("KEY", help: "keys, URLs or names of lists, as 'larder ls' shows them", .any)
        ],
        tables: [JSONFields.removal],
        examples: [
            .init("rm https://api.example.com/shops", "One document"),
            .init("rm --prefix https://api.example.com/ --cache ~/Library/Caches/news", "Whatever came from there"),
            .init("rm --partition anna --yes", "All of an account"),
            .init("rm --all --yes", "Everything"),
        ],
        exitCodes: .keeping)

    enum What: Sendable, Hashable {
        case keys([String])
        case prefix(String)
        case partition
        case everything
    }

    let what: What
    let cache: CacheFolder
    let partition: String
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        try self.init(arguments, isAsked: isatty(STDIN_FILENO) == 1)
    }

    /// - Parameter isAsked: Somebody sits there who can say `--yes`.
    init(_ arguments: ParsedArguments, isAsked: Bool) throws {
        what = try Self.what(arguments)
        cache = try CacheFolder(arguments[CacheFolder.option])
        partition = arguments[Self.partition] ?? ""
        isJSON = arguments.has(Self.json)
        let account = partition.isEmpty ? "what belongs to no account" : "the account \(Printable.line(partition))"
        let extent: String? =
            switch what {
            case .everything: "everything"
            case .partition, .prefix(""): "all of \(account)"
            case .keys, .prefix: nil
            }
        if isAsked, !arguments.has(Self.yes), let extent {
            throw UsageError("this removes \(extent) from \(cache.url.path): if that is meant, say --yes")
        }
    }

    private static func what(_ arguments: ParsedArguments) throws(UsageError) -> What {
        let keys = try KeyArgument.keys(arguments)
        let prefix = arguments[Self.prefix]
        if arguments.has(all) {
            guard keys.isEmpty, prefix == nil else {
                throw UsageError("--all leaves nothing to name: give no KEY or --prefix")
            }
            guard !arguments.has(partition) else {
                throw UsageError("--all is of all accounts: --partition alone removes all of one")
            }
            return .everything
        }
        if let prefix {
            guard keys.isEmpty else { throw UsageError("--prefix goes without KEY: remove them one after the other") }
            return .prefix(prefix)
        }
        guard keys.isEmpty else { return .keys(keys) }
        guard arguments.has(partition) else {
            throw UsageError("what to remove is missing: KEY, --prefix, --partition or --all")
        }
        return .partition
    }

    func run() async throws -> ExitCode {
        try await Interruption.cancelling {
            var report = RemovalReport(folder: cache.url)
            do {
                let larder = try cache.openExisting()
                defer { larder.close() }
                try await remove(from: larder, &report)
            } catch let trouble as Trouble {
                report.troubles.append(trouble)
            }
            return try report.write(isJSON: isJSON)
        }
    }

    private func remove(from larder: Larder, _ report: inout RemovalReport) async throws {
        let own = partition.isEmpty ? larder.common : larder.partition(partition)
        switch what {
        case .keys(let keys):
            let lookup = StoredLookup(larder: larder, folder: cache.url, partition: partition)
            let answers = AnswerLookup(larder: larder, folder: cache.url, partition: partition)
            for text in keys {
                try Task.checkCancellation()
                let key: StoreKey
                do throws(Trouble) {
                    let found = try await answers.answers(text)
                    try await remove(found, by: answers, &report)
                    if !found.isEmpty {
                        guard try isStored(text, in: larder) else { continue }
                    }
                    key = try await lookup.key(text)
                } catch {
                    report.troubles.append(error)
                    continue
                }
                try await remove(.key(key.key), of: own, &report)
            }
        case .prefix(let prefix):
            try await remove(.prefix(prefix), of: own, &report)
            let answers = AnswerLookup(larder: larder, folder: cache.url, partition: partition)
            try await remove(try await answers.answers(prefix: prefix), by: answers, &report)
            if report.isEmpty { report.troubles.append(nothingThere(Printable.line(prefix))) }
        case .partition:
            try await remove(.all, of: own, &report)
            if report.isEmpty { report.troubles.append(nothingThere(nil)) }
        case .everything:
            for name in try await partitions(larder) {
                try Task.checkCancellation()
                try await remove(.all, of: larder.partition(name), &report)
            }
        }
    }

    private func remove(_ selection: Selection, of partition: Partition, _ report: inout RemovalReport) async throws {
        do throws(LarderError) {
            report.removal += try await partition.remove(selection)
        } catch {
            throw Trouble(error, Subject(origin: "", folder: cache.url, isOffline: true, thing: "this cache"))
        }
    }

    private func remove(
        _ found: [InspectedAnswer], by lookup: AnswerLookup, _ report: inout RemovalReport
    ) async throws(Trouble) {
        guard !found.isEmpty else { return }
        do throws(LarderError) {
            report.removal.bytes += try await lookup.inspector.remove(found)
            report.answers += found.count
        } catch {
            throw lookup.trouble(error)
        }
    }

    private func isStored(_ text: String, in larder: Larder) throws(Trouble) -> Bool {
        do throws(StorageError) { return try larder.isStored(StoreKey(partition: partition, key: text)) } catch {
            throw Trouble(error, folder: cache.url)
        }
    }

    private func partitions(_ larder: Larder) async throws(Trouble) -> [String] {
        do throws(StorageError) { return try await larder.partitionNames() } catch {
            throw Trouble(error, folder: cache.url)
        }
    }

    private func nothingThere(_ prefix: String?) -> Trouble {
        let whose = partition.isEmpty ? "" : " of the account \(Printable.line(partition))"
        let what = prefix.map { "nothing\(whose) is stored whose key begins with \($0)" } ?? "nothing\(whose) is stored"
        return Trouble(
            "notStored", "\(what) in \(cache.url.path). 'larder ls' shows what there is.", exitCode: .failure)
    }
}

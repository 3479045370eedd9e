import Foundation
import LarderKit

/// What `get` and `feed` have in common: where to keep, how to read, what to send.
struct ReadingOptions: Sendable {
    enum PolicyName: String, CaseIterable {
        case cacheFirst = "cache-first"
        case networkFirst = "network-first"
        case staleWhileRevalidate = "stale-while-revalidate"
        case cacheOnly = "cache-only"
        case networkOnly = "network-only"

        var policy: ReadPolicy {
            switch self {
            case .cacheFirst: .cacheFirst
            case .networkFirst: .networkFirst
            case .staleWhileRevalidate: .staleWhileRevalidate
            case .cacheOnly: .cacheOnly
            case .networkOnly: .networkOnly
            }
        }
    }

    static let policyOption = Option.value(
        "policy", "POLICY",
        help: "cache-first, network-first, stale-while-revalidate, cache-only or network-only", default: "cache-first")
    private static let patience = Option.value(
        "patience", "TIME", help: "how long network-first, which this implies, waits before it shows what is stored",
        default: "3s")
    static let ttl = Option.value(
        "ttl", "TIME", help: "for how long what is stored is shown without asking", default: "what the server says")
    private static let header = Option.repeated("header", "FIELD", help: "send this field, 'Name: value'")
    private static let partitionOption = Option.value(
        "partition", "NAME", help: "the account it belongs to; nothing is shared between two",
        default: "none, or one made from the credentials in the headers, if there are some")
    private static let timeoutOption = Option.value(
        "timeout", "TIME", help: "how long a request may take, each attempt by itself", default: "30s")
    private static let retryOption = Option.value(
        "retry", "N",
        help:
            "make a request that failed and may succeed later again, up to N times within a minute, with growing pauses",
        default: "0")
    private static let offline = Option.flag("offline", help: "never ask the network")
    static let explain = Option.flag("explain", help: "tell beforehand what the reading will do, and why")
    private static let json = Option.flag("json", help: "print one JSON object")

    static let all = [
        CacheFolder.option, policyOption, patience, ttl, header, partitionOption, timeoutOption, retryOption,
        offline, explain, json,
    ]
    /// Those that say whether what is stored may stand in for an answer.
    static let choosing = [policyOption, patience, ttl, offline]

    let cache: CacheFolder
    let policy: ReadPolicy
    let maxAge: Duration?
    let headers: RequestHeaders
    /// Empty for what belongs to nobody.
    let partition: String
    /// The partition was chosen because a header carries credentials.
    let isPartitionAssumed: Bool
    let timeout: Duration
    let retry: RetryPolicy
    /// The network is never asked.
    let isOffline: Bool
    /// What will be done is told beforehand.
    let isExplaining: Bool
    let isJSON: Bool

    /// - Throws: ``UsageError``.
    init(_ arguments: ParsedArguments) throws {
        headers = try RequestHeaders(arguments.all(Self.header))
        cache = try CacheFolder(arguments[CacheFolder.option])
        policy = try Self.policy(arguments)
        maxAge = try arguments.duration(Self.ttl)
        let named = arguments[Self.partitionOption]
        isPartitionAssumed = named == nil && !headers.credentials.isEmpty
        partition = try named ?? CredentialPartition.name(for: headers.credentials)
        timeout = try arguments.duration(Self.timeoutOption) ?? .seconds(30)
        guard timeout > .zero else { throw UsageError("--timeout takes a time above zero") }
        retry = RetryPolicy(attempts: 1 + (try arguments.int(Self.retryOption, in: 0...99) ?? 0))
        isOffline = policy == .cacheOnly
        isExplaining = arguments.has(Self.explain)
        isJSON = arguments.has(Self.json)
    }

    private static func policy(_ arguments: ParsedArguments) throws(UsageError) -> ReadPolicy {
        let name = try arguments.choice(policyOption, of: PolicyName.self)
        let patience = try arguments.duration(patience)
        if arguments.has(offline) {
            guard name == nil || name == .cacheOnly else {
                throw UsageError("--offline never asks the network, which --policy \(name?.rawValue ?? "") may do")
            }
            guard patience == nil else { throw UsageError("--offline never asks the network: --patience has no use") }
            return .cacheOnly
        }
        if let patience {
            guard name == nil || name == .networkFirst else {
                throw UsageError("--patience goes with --policy network-first, not with \(name?.rawValue ?? "")")
            }
            return .networkFirst(patience: patience)
        }
        return (name ?? .cacheFirst).policy
    }
}

extension ReadingOptions {
    /// Opens the cache: one that is there, where nothing may be fetched into a new one.
    func open(for endpoint: Endpoint) throws(Trouble) -> Larder {
        isOffline
            ? try cache.openExisting(exitCode: .failure, for: endpoint, options: cache.options)
            : try cache.open(for: endpoint)
    }

    func partition(of larder: Larder) -> Partition {
        partition.isEmpty ? larder.common : larder.partition(partition)
    }

    /// Waits until what is still being asked for has come and is kept: a later call shows it.
    func settle(_ larder: Larder, after reason: ReadingReason?, command: String) async throws(StreamFailure) {
        if reason == .patienceRanOut || reason == .presumedOffline, Terminal.error.isTerminal {
            try StandardStream.error.line(
                "larder \(command): waiting for the late answer, to keep it (Ctrl-C leaves it)")
        }
        await larder.settle()
    }

    /// What to tell a user whose credentials had to be given a place.
    var remark: String? {
        guard isPartitionAssumed else { return nil }
        return "a header carries credentials: kept apart under '\(partition)', which nothing but the same credentials "
            + "lead to. To keep an account's data together when they change, name it with --partition."
    }
}

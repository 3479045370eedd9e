public import LarderKit
import Synchronization

/// An HTTP cache: RFC 9111 over what is stored in one partition of a larder, in front of a transport.
///
/// Answers are kept in the cache file, beside resources and feeds: one budget, one sign-out, one repair. Reading is done on the
/// caller's thread. Bodies go through in pieces; what is large is stored and served a megabyte at a time.
///
/// Requests for the same thing that come while it is being asked for wait for one answer. An answer that is being stored is
/// fetched to its end, also where the one who asked has left.
public final class HTTPCache: Sendable {
    public struct Options: Sendable {
        public var kind: CacheKind
        /// Where the cache may go further than RFC 9111; the first that fits a request counts.
        public var rules: [OfflineRule]
        /// Request fields, in small letters, that do not tell variants apart though `Vary` names them.
        public var ignoredVary: Set<String>
        /// How much of what was lately used is kept in memory as well, in bytes.
        public var memoryLimit: Int
        /// How long the head of an answer is waited for where something stale is stored that may be served should the origin not be
        /// reached; the answer is stored when it comes. `nil` for as long as the transport waits.
        public var patience: Duration?
        /// The largest body that is stored, in bytes; `nil` for half of the larder's budget.
        public var largestBody: Int?

        public init(
            kind: CacheKind = .private, rules: [OfflineRule] = [], ignoredVary: Set<String> = [],
            memoryLimit: Int = 16 << 20, patience: Duration? = nil, largestBody: Int? = nil
        ) {
            self.patience = patience
            self.kind = kind
            self.rules = rules
            self.ignoredVary = ignoredVary
            self.memoryLimit = memoryLimit
            self.largestBody = largestBody
        }
    }

    public let options: Options
    let shelf: Shelf
    let transport: any HTTPTransport
    let exchanges = Exchanges()
    private let offline = Atomic(false)

    /// A cache in front of a transport.
    ///
    /// - Parameters:
    ///   - partition: Whose answers these are. Several caches may share one, also in other processes.
    ///   - transport: What brings requests to origins.
    ///   - options: Whose cache it is, and how far it goes.
    public init(_ partition: Partition, transport: any HTTPTransport, options: Options = Options()) {
        self.options = options
        self.transport = transport
        shelf = Shelf(AnswerStorage(partition), kind: options.kind, memoryLimit: options.memoryLimit)
    }

    /// Nothing is asked as long as this is set: what is stored is served where that may be, and 504 otherwise.
    public var isOffline: Bool {
        get { offline.load(ordering: .relaxed) }
        set { offline.store(newValue, ordering: .relaxed) }
    }

    /// How many exchanges with origins are under way that others may join.
    package var exchangeCount: Int { exchanges.count }

    func context(of request: HTTPRequestHead, client: String?) -> ReuseContext {
        ReuseContext(
            kind: options.kind, now: shelf.storage.clock.now(),
            rule: OfflineRule.first(of: options.rules, for: request.url),
            isOffline: isOffline, client: client)
    }

    /// What at most is stored of one body.
    var largestBody: Int { options.largestBody ?? shelf.storage.budget.map { $0 / 2 } ?? .max }
}

/// What is tried, and in which order, where RFC 9111 leaves that to the app.
public enum HTTPCachePolicy: Sendable, Hashable {
    /// As RFC 9111 has it: what is fresh is served, the rest asked for.
    case standard
    /// The origin is asked in any case, conditionally. Where its whole answer does not come within `patience`, or it fails, what
    /// is stored is served in its place, and the answer is stored when it comes.
    case networkFirst(patience: Duration)
    /// Nothing is asked. What is stored is served, also when stale, unless that is forbidden; 504 otherwise.
    case cacheOnly
}

/// An answer, from the origin or from the cache.
public struct HTTPAnswer: Sendable {
    /// With a `Cache-Status` that tells how it came about.
    public var head: HTTPResponseHead
    public var body: HTTPBody
    /// Where it came from.
    public var source: Source
    /// It is served although it is not fresh.
    public var isStale: Bool
    /// Another's request was waited for.
    public internal(set) var isCollapsed = false
    /// It comes from the origin, and will be stored when it has come whole.
    public internal(set) var isBeingStored = false

    public enum Source: Sendable, Hashable {
        case origin
        case cache
        /// From the cache, after the origin has said that it still holds.
        case revalidated
    }
}

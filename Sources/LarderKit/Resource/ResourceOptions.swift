/// What else can be said of a resource.
public struct ResourceOptions: Sendable {
    /// Where a value is kept.
    public enum Storage: Sendable {
        /// In the cache's database.
        case database
        /// In a file of its own, replaced whole.
        case files
        /// In memory, until the larder is gone.
        case memory
        /// In a store of one's own.
        case store(any Store)
    }

    public var storage: Storage
    /// For how long a value that has become stale stands in for a request that failed (RFC 5861 section 4); `nil` for
    /// ever.
    public var staleIfError: Duration?
    /// When a request that does not end is given up.
    public var fetchTimeout: Duration
    /// How long a read waits for the network when something is stored that can be shown instead, unless the policy says
    /// otherwise.
    public var patience: Patience
    /// Whether a request that failed is made again before that is told.
    public var retry: RetryPolicy
    /// Names that several resources and feeds have in common, to say of all of them that they have changed
    /// (``Partition/invalidate(_:)``).
    public var tags: [String]
    /// Whose word counts on what may be kept, and shown when stale.
    public var serverRules: ServerRules
    /// The host that is asked, by any name. Hosts are judged apart: one that fails or asks for a pause is left alone for a
    /// while, and of each a few requests are under way at a time. Without a name, a resource is judged by itself, and all
    /// of them share one budget.
    public var origin: String?

    public init(
        storage: Storage = .database, staleIfError: Duration? = nil, fetchTimeout: Duration = .seconds(60),
        patience: Patience = .standard, retry: RetryPolicy = .none, tags: [String] = [],
        serverRules: ServerRules = .advisory, origin: String? = nil
    ) {
        self.patience = patience
        self.retry = retry
        self.tags = tags
        self.serverRules = serverRules
        self.origin = origin
        self.storage = storage
        self.staleIfError = staleIfError
        self.fetchTimeout = fetchTimeout
    }
}

/// What a server's rules for caches mean to a resource (RFC 9111 section 5.2.2, RFC 5861). They come with raw answers.
public enum ServerRules: Sendable, Hashable {
    /// Its `max-age` counts where the app sets none. What it forbids to keep, or to show when stale, is kept and shown all
    /// the same: the app asked for that, and most servers forbid it without a thought.
    case advisory
    /// They are kept to: `no-store` is not kept; `must-revalidate` and `no-cache` are not shown when stale;
    /// `stale-if-error` and `stale-while-revalidate` are the limits for that.
    case binding
}

extension ResourceOptions {
    /// Whether what is stored may be shown in place of what failed. Where the server's rules are kept to, only for what RFC 5861
    /// section 4 calls an error.
    func allowStale(after failure: FetchFailure) -> Bool {
        guard serverRules == .binding else { return !failure.isAnswer }
        return switch failure.kind {
        case .offline, .timedOut, .wrongAnswer, .circular, .other: true
        case .server(let status): [500, 502, 503, 504].contains(status)
        case .unauthorised, .forbidden, .gone, .throttled, .unexpectedStatus: false
        }
    }
}

extension ResourceOptions.Storage {
    /// Tells places apart: what is fetched for one is not stored in another.
    var identity: String {
        switch self {
        case .database: "database"
        case .files: "files"
        case .memory: "memory"
        case .store(let store):
            // Two stores of one class are two places. Of a struct there is no telling.
            type(of: store) is any AnyObject.Type
                ? "\(type(of: store)) \(ObjectIdentifier(store as AnyObject))" : "\(type(of: store))"
        }
    }
}

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

    public init(
        storage: Storage = .database, staleIfError: Duration? = nil, fetchTimeout: Duration = .seconds(60)
    ) {
        self.storage = storage
        self.staleIfError = staleIfError
        self.fetchTimeout = fetchTimeout
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

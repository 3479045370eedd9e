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

extension LarderCore {
    func store(_ storage: ResourceOptions.Storage) -> any Store {
        switch storage {
        case .database: sqliteStore
        case .files: fileStore
        case .memory: memoryStore
        case .store(let store): store
        }
    }
}

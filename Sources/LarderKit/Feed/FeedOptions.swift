/// What else can be said of a feed.
public struct FeedOptions: Sendable {
    /// For how long a page that has become stale stands in for a request that failed (RFC 5861 section 4); `nil` for
    /// ever.
    public var staleIfError: Duration?
    /// When a request that does not end is given up.
    public var fetchTimeout: Duration

    public init(staleIfError: Duration? = nil, fetchTimeout: Duration = .seconds(60)) {
        self.staleIfError = staleIfError
        self.fetchTimeout = fetchTimeout
    }
}

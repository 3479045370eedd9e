/// What else can be said of a feed.
public struct FeedOptions: Sendable {
    /// For how long a page that has become stale stands in for a request that failed (RFC 5861 section 4); `nil` for
    /// ever.
    public var staleIfError: Duration?
    /// When a request that does not end is given up.
    public var fetchTimeout: Duration
    /// How much of the feed is kept; everything, unless said otherwise.
    public var keep: FeedKeep
    /// By how many stored items ``Feed/refresh(limit:overlap:)`` overlaps what is stored. More than one finds items whose ids
    /// appear later than greater ones, which a request from the newest id alone never sees.
    public var overlap: Int
    /// After how many answers in a row that bring nothing new a continuation is given up, until the next refresh.
    public var fruitlessPages: Int
    /// A name for the kind of item that the feed holds, the same for feeds of one partition whose items of one id are the
    /// same thing (the home timeline and the bookmarks, both of posts). What one of them is told of an item, all of them
    /// show. `nil` shares nothing.
    public var sharing: String?

    /// How long a read waits for the network when something is stored that can be shown instead, unless the policy says
    /// otherwise.
    public var patience: Patience
    /// Whether a request that failed is made again before that is told.
    public var retry: RetryPolicy
    /// Names that several resources and feeds have in common, to say of all of them that they have changed
    /// (``Partition/invalidate(_:)``).
    public var tags: [String]
    /// The host that is asked, by any name (``ResourceOptions/origin``).
    public var origin: String?

    public init(
        staleIfError: Duration? = nil, fetchTimeout: Duration = .seconds(60), keep: FeedKeep = .everything,
        overlap: Int = 1, fruitlessPages: Int = 10, sharing: String? = nil, patience: Patience = .standard,
        retry: RetryPolicy = .none, tags: [String] = [], origin: String? = nil
    ) {
        self.patience = patience
        self.retry = retry
        self.tags = tags
        self.origin = origin
        self.sharing = sharing
        self.staleIfError = staleIfError
        self.fetchTimeout = fetchTimeout
        self.keep = keep
        self.overlap = overlap
        self.fruitlessPages = fruitlessPages
    }
}

/// How much of a feed is kept. What goes leaves an unknown floor, or a gap: never the look of completeness.
///
/// It is enforced when an answer about the head is taken in. A feed that is pinned keeps everything.
public struct FeedKeep: Sendable, Hashable {
    /// The newest items, at most so many.
    public var newest: Int?
    /// The newest items, as long as they take no more bytes than this; one of them in any case.
    public var bytes: Int?
    /// What the server showed within this time.
    public var seenWithin: Duration?

    public static let everything = FeedKeep()

    public static func newest(_ count: Int) -> FeedKeep {
        var keep = FeedKeep()
        keep.newest = max(1, count)
        return keep
    }

    public static func bytes(_ count: Int) -> FeedKeep {
        var keep = FeedKeep()
        keep.bytes = max(0, count)
        return keep
    }

    public static func seen(within duration: Duration) -> FeedKeep {
        var keep = FeedKeep()
        keep.seenWithin = duration
        return keep
    }
}

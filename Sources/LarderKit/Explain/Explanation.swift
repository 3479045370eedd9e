public import Foundation

/// What a read would do now, and every fact that this rests on.
///
/// To look changes nothing: no request is made, no permission to make one is taken, and nothing is counted. Printed, an
/// explanation tells nothing private: keys, tags and the origin's name are in its properties and ``facts`` alone.
public struct Explanation: Sendable, Hashable {
    public enum Subject: Sendable, Hashable {
        /// A value, and where it is kept: `database`, `files`, `memory`, or the type of a store of the app's own.
        case resource(storage: String)
        /// A page of a feed.
        case feed(FeedPosition)
    }

    public let subject: Subject
    /// The key of the resource, or the name of the feed.
    public let key: String
    /// What is stored of it, if it can be looked at.
    public let stored: Stored?
    /// Why what is stored cannot be shown, in one sentence.
    public let trouble: String?
    /// Of a feed: what is stored of the page, and what is not.
    public let page: Page?
    /// The policy that counts; where a server's rules are kept to, as they have it.
    public let policy: ReadPolicy
    /// How long the network is waited for when something is stored that can be shown instead.
    public let patience: Duration
    /// For how long a value that is stale stands in for a request that failed; `nil` for ever.
    public let staleIfError: Duration?
    public let network: Network
    public let tags: [String]
    public let decision: Decision
}

extension Explanation {
    /// What is known of what is stored, without its bytes.
    public struct Stored: Sendable, Hashable {
        /// The bytes of the value, or of the page's items.
        public let bytes: Int
        /// `nil` of a page whose items do not all name the same one.
        public let codec: CodecID?
        /// When it was true at the server; of a page, the oldest part.
        public let storedAt: Date
        /// Negative when it was stored in the future: the clock was set back, and it counts as stale.
        public let age: Duration
        /// For how long it is shown without asking.
        public let lifetime: Duration
        public let lifetimeSource: LifetimeSource
        public let isFresh: Bool
        /// For how long it has been stale.
        public let staleFor: Duration
        /// The app has said that it has changed since.
        public let isInvalidated: Bool
        /// The header fields that a request is made conditional with: `ETag`, `Last-Modified`.
        public let validators: [String]
        /// For how long the server itself allows it to be shown when stale. It counts where the server's rules are kept to.
        public let stale: StaleWindows
    }

    /// Who says how long something is fresh.
    public enum LifetimeSource: String, Sendable, Hashable {
        /// The app, by its `maxAge`.
        case app
        /// The server, by its `max-age`.
        case server
        /// Nobody: it is asked for again at each read.
        case none
    }

    /// What is stored of a page of a feed.
    public struct Page: Sendable, Hashable {
        /// How many of the items that are wanted are stored without a gap.
        public let items: Int
        /// Whether that is all there is to show.
        public let isComplete: Bool
        /// How many gaps the feed has below the position; `nil` where they cannot be counted.
        public let gapsBelow: Int?
        /// What the server would be asked for.
        public let asked: Asked
    }

    public enum Asked: String, Sendable, Hashable {
        case nothing
        /// What lies below, or above, the items that are there and fresh.
        case missing
        case wholePage
    }

    /// What is known of the network and of requests under way.
    public struct Network: Sendable, Hashable {
        public let connectivity: Connectivity
        /// The host as the app names it (``ResourceOptions/origin``).
        public let origin: String?
        public let standing: Standing
        public let underWay: UnderWay
    }

    /// Whether the origin is worth asking.
    public enum Standing: Sendable, Hashable {
        case open
        /// Left alone for a while: it failed again and again, or asked for that.
        case heldBack(for: Duration, FetchFailure)
        /// It was left alone for long enough, and one request may find out whether it is back.
        case probeDue(FetchFailure)
    }

    /// Who is asking for the same thing already.
    public enum UnderWay: String, Sendable, Hashable {
        case nobody
        /// The cache cannot be read, so that there is no telling.
        case unknown
        /// A read that asks joins that request.
        case thisProcess
        /// A read that asks waits for what that one brings.
        case anotherProcess
    }
}

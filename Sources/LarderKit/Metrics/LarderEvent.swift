/// Something that happened in a larder, for a log.
///
/// Nothing in it is private: no key, no id, no URL, no partition, no body. What it happened to is a ``Subject``.
public enum LarderEvent: Sendable, Hashable {
    /// A request is sent.
    case requestStarted(Subject)
    /// It has ended. A request that is made again starts and ends again.
    case requestEnded(Subject, Outcome, after: Duration)
    /// A read returned what was stored or fetched.
    ///
    /// - Parameter bytes: The size of the value as it is stored.
    case served(Subject, ReadingReason, age: Duration, isStale: Bool, bytes: Int)
    /// A read waits for a request that another one has made.
    case joined(Subject)
    /// A read waits for a request that another process has made.
    case joinedOtherProcess(Subject)
    /// A request failed, and is made again after a while.
    case retry(Subject, FetchFailure.Kind, after: Duration)
    /// A request was not sent, since its origin is left alone for now.
    case heldBack(Subject)
    /// An answer came when the reader's patience had run out.
    case lateAnswer(Subject)
    /// A value came and could not be kept.
    case notKept(Subject)
    /// A value came and was not kept: a later one is stored already, or the app has said since that it has changed.
    case superseded(Subject)
    /// An answer left a gap in a feed.
    case gapFound(Subject)
    /// Everything of a partition was removed.
    case signedOut
    /// Things stored were said to be stale.
    case invalidated(count: Int)
    /// The cache was damaged, and is sound again without what was lost.
    ///
    /// - Parameter lost: The rows that are known to be gone.
    case repaired(kept: Int, lost: Int, gaps: Int)
    /// The cache is damaged, and could not be repaired.
    case repairFailed(StorageError.Kind)
    /// Values and items of feeds were trimmed away, to keep to the budget or since nobody used them.
    case trimmed(count: Int, bytes: Int)
    /// The write-ahead log of the cache has become as large as this: a reader, perhaps of another process, keeps it from being
    /// emptied. Told once each time it has doubled; beyond its limit, nothing is stored any more until that reader has ended.
    case logGrows(bytes: Int)

    /// What something happened to: a number that is the same for one resource or feed as long as the process runs, and
    /// tells nothing about it.
    public struct Subject: Sendable, Hashable {
        public enum Kind: String, Sendable, Hashable {
            case resource
            case feed
        }

        public let kind: Kind
        public let number: UInt32

        public init(_ kind: Kind, number: UInt32) {
            self.kind = kind
            self.number = number
        }
    }

    /// How a request ended.
    public enum Outcome: Sendable, Hashable {
        /// With a value of that size.
        case value(bytes: Int)
        /// The server said that what is stored is still right, which saved that much.
        case notModified(bytesSaved: Int)
        case failed(FetchFailure.Kind)
        /// Nobody waited for it any more.
        case cancelled
    }
}

extension LarderEvent.Subject {
    /// The number of what is stored under `key`. Each process counts another way, so none can be traced back to a key.
    init(_ kind: Kind, _ key: StoreKey) {
        var hasher = Hasher()
        hasher.combine(key)
        self.init(kind, number: UInt32(truncatingIfNeeded: hasher.finalize()))
    }
}

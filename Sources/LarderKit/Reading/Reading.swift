public import Foundation

/// What every read returns: the value, and all there is to know about it. Trouble stands beside the value, never in its
/// place.
public struct Reading<Value: Sendable>: Sendable {
    public let value: Value
    public let source: ReadingSource
    /// When the value was true at the server; of a value made of several answers, the oldest part.
    public let storedAt: Date
    /// How long ago that was; never negative.
    public let age: Duration
    /// Whether the value is older than it may be to be shown without asking again.
    public let isStale: Bool
    /// Why this was served.
    public let reason: ReadingReason
    /// What went wrong on the network, if it was asked and gave nothing new.
    public let failure: FetchFailure?
    /// What went wrong besides; the value is there all the same.
    public let warnings: [ReadingWarning]

    public init(
        value: Value, source: ReadingSource, storedAt: Date, age: Duration, isStale: Bool, reason: ReadingReason,
        failure: FetchFailure? = nil, warnings: [ReadingWarning] = []
    ) {
        self.value = value
        self.source = source
        self.storedAt = storedAt
        self.age = age
        self.isStale = isStale
        self.reason = reason
        self.failure = failure
        self.warnings = warnings
    }

    /// The same reading of another value.
    public func map<Other: Sendable>(_ transform: (Value) throws -> Other) rethrows -> Reading<Other> {
        Reading<Other>(
            value: try transform(value), source: source, storedAt: storedAt, age: age, isStale: isStale, reason: reason,
            failure: failure, warnings: warnings)
    }
}

/// Where a value came from.
public enum ReadingSource: String, Sendable, Hashable {
    case network
    /// From the cache, after the server said that it has not changed.
    case revalidated
    case cache
}

/// Why a value was served.
public enum ReadingReason: String, Sendable, Hashable {
    /// It was just fetched.
    case fetched
    /// The server said that it has not changed.
    case notModified
    /// It is fresh enough to be shown without asking.
    case fresh
    /// It is stale, and is being asked for again in the background.
    case staleWhileRevalidate
    /// The network was asked and failed.
    case networkFailed
    /// The network was asked and did not answer in time; a late answer is still stored.
    case patienceRanOut
    /// Only the cache was asked.
    case cacheOnly
    /// What is stored was looked at, and nothing else.
    case peeked
}

/// Something that went wrong beside a value that is there.
public enum ReadingWarning: Sendable {
    /// The value was fetched and could not be kept.
    case notKept(StorageError)
    /// A later answer is stored already; this one is shown and not kept.
    case superseded
    /// Items that do not decode. Their bytes stay until they are replaced.
    case undecodableItems([UndecodableItem])
    /// The page held items without an id. Its other items are kept, not as neighbours across those.
    case itemsWithoutID(count: Int)
    /// The page held items twice. The first place counts.
    case duplicates(count: Int)
    /// The page held items outside the interval asked for. They are kept, and prove nothing.
    case outsideInterval(count: Int)
    /// Nothing tells where the page's items belong, so they are shown and not kept. Reading on from an item that is stored
    /// has a place.
    case notPlaced(count: Int)
    /// The page was not in the feed's order, so its items prove no neighbours.
    case outOfOrder
    /// The server showed an empty page over stored items. They go if it does so once more.
    case emptyAnswerDistrusted
}

/// An item whose bytes are stored and do not decode.
public struct UndecodableItem: Error, Sendable {
    public let id: ItemID
    public let error: any Error
}

/// A stored value that cannot be decoded. Never the same as a value that is not stored.
public struct UndecodableValue: Error, Sendable {
    public let key: String
    /// The codec the row names, and the one that was to read it.
    public let stored: CodecID
    public let wanted: CodecID
    public let underlying: (any Error)?

    init(key: String, stored: CodecID, wanted: CodecID, underlying: (any Error)? = nil) {
        self.key = key
        self.stored = stored
        self.wanted = wanted
        self.underlying = underlying
    }
}

extension UndecodableValue: CustomStringConvertible {
    public var description: String {
        guard stored.name == wanted.name else {
            return "the value stored under '\(key)' is in codec \(stored), and \(wanted) was to read it"
        }
        return "the value stored under '\(key)' by codec \(stored) does not decode by \(wanted)"
    }
}

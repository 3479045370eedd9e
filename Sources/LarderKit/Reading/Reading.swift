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
    /// The network is believed to be gone. It is asked all the same, without waiting; a late answer is still stored.
    case presumedOffline
    /// The network was not asked: requests to this host have failed several times in a row, or it asked to be left alone for
    /// a while. The failure says which.
    case heldBack
    /// The network was asked and answered; the answer could not be kept, and what is stored says more.
    case notKept
    /// There is nothing to ask the server with for what is missing, until the head has been asked for again.
    case nothingToAsk
    /// Only the cache was asked.
    case cacheOnly
    /// What is stored was looked at, and nothing else.
    case peeked
}

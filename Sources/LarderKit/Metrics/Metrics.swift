/// What a larder has done, counted. Nothing in it tells of what, or for whom.
///
/// Every reading from the cache is one of ``hits`` or ``staleHits``; what a request brought is one of ``fetched``,
/// ``revalidated`` or ``failures``, unless nobody waited for its end. To peek, or to have something explained, counts as
/// nothing.
public struct Metrics: Sendable, Hashable, Codable {
    /// Readings that were fresh and took no request.
    public var hits = 0
    /// Readings of what was stored, stale or in place of an answer that did not come.
    public var staleHits = 0
    /// Requests to which the server said that nothing has changed (304).
    public var revalidated = 0
    /// Requests that brought a new value or page.
    public var fetched = 0
    /// Requests sent, each attempt counted.
    public var requests = 0
    /// Bytes of the values that requests brought.
    public var bytesReceived = 0
    /// Bytes of the values that were not transferred, thanks to hits and to "not modified".
    public var bytesSaved = 0
    /// Reads that joined a request under way in this process.
    public var sharedFlights = 0
    /// Reads that took what another process on the same cache was asking for.
    public var sharedAcrossProcesses = 0
    /// Requests made again after a failure.
    public var retries = 0
    /// Requests that were not sent, since the origin is left alone for now.
    public var heldBack = 0
    /// Answers that came when the reader's patience had run out.
    public var late = 0
    /// Gaps that answers have left in feeds.
    public var gaps = 0
    /// Values that came and could not be kept.
    public var notKept = 0
    /// Requests that failed, by ``FetchFailure/Kind/name``.
    public var failures: [String: Int] = [:]

    public init() {}

    /// Whether nothing has been counted.
    public var isEmpty: Bool { self == Metrics() }
}

extension Metrics {
    /// What two larders, or two runs of one, have done together.
    public static func + (left: Metrics, right: Metrics) -> Metrics {
        left.combined(with: right) { $0.addingReportingOverflow($1) }
    }

    /// What was done between an earlier snapshot, on the right, and a later one.
    public static func - (left: Metrics, right: Metrics) -> Metrics {
        left.combined(with: right) { $0.subtractingReportingOverflow($1) }
    }

    public static func += (left: inout Metrics, right: Metrics) { left = left + right }
    public static func -= (left: inout Metrics, right: Metrics) { left = left - right }

    /// Stored counters may be damaged, so what does not fit is left as it was on the left.
    private func combined(
        with other: Metrics, by combine: (Int, Int) -> (partialValue: Int, overflow: Bool)
    ) -> Metrics {
        func sum(_ left: Int, _ right: Int) -> Int {
            let result = combine(left, right)
            return result.overflow ? left : result.partialValue
        }
        var result = self
        for counter in Self.counters {
            result[keyPath: counter.path] = sum(self[keyPath: counter.path], other[keyPath: counter.path])
        }
        for (name, count) in other.failures {
            result.failures[name] = sum(failures[name] ?? 0, count)
        }
        result.failures = result.failures.filter { $0.value != 0 }
        return result
    }
}

extension Metrics {
    /// The counters besides ``failures``, under the names they are stored and shown by, in the order of their declaration.
    package static let counters: [(name: String, path: any WritableKeyPath<Metrics, Int> & Sendable)] = [
        ("hits", \.hits), ("staleHits", \.staleHits), ("revalidated", \.revalidated), ("fetched", \.fetched),
        ("requests", \.requests), ("bytesReceived", \.bytesReceived), ("bytesSaved", \.bytesSaved),
        ("sharedFlights", \.sharedFlights), ("sharedAcrossProcesses", \.sharedAcrossProcesses),
        ("retries", \.retries), ("heldBack", \.heldBack), ("late", \.late), ("gaps", \.gaps), ("notKept", \.notKept),
    ]

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }

        static let failures = Name(stringValue: "failures")
    }

    /// Counters that are not there are zero, and those of a later version are passed over.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        for counter in Self.counters {
            self[keyPath: counter.path] =
                try container.decodeIfPresent(Int.self, forKey: Name(stringValue: counter.name)) ?? 0
        }
        failures = try container.decodeIfPresent([String: Int].self, forKey: .failures) ?? [:]
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for counter in Self.counters {
            try container.encode(self[keyPath: counter.path], forKey: Name(stringValue: counter.name))
        }
        try container.encode(failures, forKey: .failures)
    }
}

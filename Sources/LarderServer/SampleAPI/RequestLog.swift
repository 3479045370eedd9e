import Synchronization

/// One request that was answered.
package struct RequestRecord: Sendable, Hashable {
    /// Counts from 1.
    package let number: Int
    package let method: String
    package let target: String
    package let path: String
    package let status: Int
    /// The bytes of the body that went over the network: none for HEAD and 304.
    package let bytes: Int
}

/// How much was asked of one path.
package struct RequestTotal: Sendable, Hashable {
    package var requests = 0
    package var bytes = 0

    package init(requests: Int = 0, bytes: Int = 0) {
        self.requests = requests
        self.bytes = bytes
    }
}

/// What was asked of the network: the latest requests, and the totals of all.
struct RequestLog {
    private(set) var records: [RequestRecord] = []
    /// By path, without the query.
    private(set) var totals: [String: RequestTotal] = [:]

    /// More than a demonstration makes; a server that runs for days must not grow.
    static let limit = 10_000

    mutating func append(_ record: RequestRecord) {
        // Dropped by halves, so that a full log does not move its records for each request.
        if records.count >= Self.limit { records.removeFirst(Self.limit / 2) }
        records.append(record)
        if totals[record.path] == nil, totals.count >= Self.limit { return }
        totals[record.path, default: RequestTotal()].requests += 1
        totals[record.path, default: RequestTotal()].bytes += record.bytes
    }
}

extension SampleAPI {
    /// The requests answered so far, oldest first: at least the latest 5,000.
    package var log: [RequestRecord] { state.withLock { $0.requests.records } }

    /// What was asked of each path so far.
    package var totals: [String: RequestTotal] { state.withLock { $0.requests.totals } }
}

import Synchronization

/// What each origin's recent answers took.
struct RecentLatencies: Sendable {
    /// How many answers of one origin are remembered.
    static let samples = 32

    private struct Origin {
        var latencies: [Duration] = []
        /// Where the next one goes once there are as many as are kept.
        var next = 0
        var lastAnswer: UInt64 = 0

        mutating func add(_ latency: Duration) {
            if latencies.count < RecentLatencies.samples {
                latencies.append(latency)
            } else {
                latencies[next] = latency
                next = (next + 1) % RecentLatencies.samples
            }
        }
    }

    private var origins: [String: Origin] = [:]
    private var answers: UInt64 = 0
    private let limit: Int

    /// - Parameter limit: How many origins are remembered; the one that was silent the longest goes first.
    init(limit: Int = 256) {
        self.limit = max(limit, 1)
    }

    var count: Int { origins.count }

    /// The latest ones, in no order.
    subscript(origin: String) -> [Duration] { origins[origin]?.latencies ?? [] }

    mutating func add(_ latency: Duration, of origin: String) {
        answers += 1
        if origins[origin] == nil, origins.count >= limit,
            let silent = origins.min(by: { $0.value.lastAnswer < $1.value.lastAnswer })
        {
            origins[silent.key] = nil
        }
        origins[origin, default: Origin()].add(max(latency, .zero))
        origins[origin]?.lastAnswer = answers
    }
}

/// The same, told and asked from any thread.
///
/// It is told of whole answers that brought something, and of nothing else: a refusal is fast, and an outage slow.
final class LatencyMemory: Sendable {
    private let recent = Mutex(RecentLatencies())

    func note(_ latency: Duration, of origin: String) {
        recent.withLock { $0.add(latency, of: origin) }
    }

    /// How long to wait for an answer of `origin`.
    func duration(of patience: Patience, for origin: String) -> Duration {
        patience.duration(latencies: patience.isLearned ? recent.withLock { $0[origin] } : [])
    }
}

/// Whether, and after how long, a request that failed is made again.
///
/// Each delay is drawn between zero and a bound that doubles with each attempt up to ``cap`` (exponential backoff with full
/// jitter), so that those who failed together do not come back together, at the cap neither. Only what may pass by itself
/// is asked for again; what the server has answered is not.
public struct RetryPolicy: Sendable, Hashable {
    /// How many requests are made at most, the first one included: 1 to 100.
    public let attempts: Int
    /// The bound of the delay before the second request.
    public let base: Duration
    /// What the bound of a delay grows to.
    public let cap: Duration
    /// How long after the beginning of the first request another one may still be made.
    public let budget: Duration

    /// Settings outside of what makes sense are taken for the nearest that does: fewer than one attempt for one, a negative
    /// duration for zero.
    public init(
        attempts: Int, base: Duration = .milliseconds(500), cap: Duration = .seconds(30),
        budget: Duration = .seconds(60)
    ) {
        self.attempts = min(max(attempts, 1), 100)
        self.base = Self.clamped(base)
        self.cap = Self.clamped(cap)
        self.budget = Self.clamped(budget)
    }

    /// A request that failed is not made again.
    public static let none = RetryPolicy(attempts: 1)

    /// Three requests at most, within a minute.
    public static let standard = RetryPolicy(attempts: 3)

    /// No longer than header fields count, so that sums of two do not overflow.
    private static func clamped(_ duration: Duration) -> Duration {
        min(max(duration, .zero), .seconds(DeltaSeconds.limit))
    }
}

extension RetryPolicy {
    /// How long to wait before the next request; `nil` for giving up.
    ///
    /// What the server asked for is the least delay, and is spread above; a wait that the budget does not allow is not begun.
    ///
    /// - Parameters:
    ///   - attempt: Which request failed, from 1.
    ///   - elapsed: The time since the beginning of the first one.
    package func delay(
        after failure: FetchFailure, attempt: Int, elapsed: Duration, random: some RandomSource
    ) -> Duration? {
        let elapsed = max(elapsed, .zero)
        guard attempt < attempts, failure.mayPass, elapsed <= budget else { return nil }
        let remaining = budget - elapsed
        let bound = bound(attempt: attempt)
        // Zero is what a date gone by says, and no wish.
        guard let least = failure.retryAfter, least > .zero else {
            let delay = random.duration(upTo: bound)
            return delay <= remaining ? delay : nil
        }
        guard least <= remaining else { return nil }
        // All who were refused together were told the same time: the longer it is, the further apart they come.
        let spread = min(max(bound, least / 10), cap)
        return least + random.duration(upTo: min(spread, remaining - least))
    }

    /// The longest delay after request number `attempt` where the server asked for none.
    func bound(attempt: Int) -> Duration {
        guard base > .zero, base < cap else { return min(base, cap) }
        var bound = base
        var doublings = max(attempt, 1) - 1
        while doublings > 0 {
            guard bound < cap / 2 else { return cap }
            bound *= 2
            doublings -= 1
        }
        return bound
    }
}

extension FetchFailure {
    /// Whether the same request may succeed a little later. All requests are reads, so each is safe to repeat.
    var mayPass: Bool {
        switch kind {
        case .offline, .timedOut, .throttled: true
        case .server(let status): [500, 502, 503, 504].contains(status)
        case .unauthorised, .forbidden, .gone, .unexpectedStatus, .wrongAnswer, .circular, .other: false
        }
    }
}

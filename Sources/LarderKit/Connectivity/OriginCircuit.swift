/// Keeps requests away from an origin that failed, and lets one through from time to time: a circuit breaker.
///
/// Closed, it counts failures in a row. Open, it holds everyone back. Half-open, it waits for the outcome of one request,
/// the probe. What the server itself asks for (`Retry-After`) comes on top, and no answer cuts it short.
struct OriginCircuit: Sendable, Hashable {
    static let failuresThatOpen = 3
    static let firstStep = Duration.seconds(1)
    static let longestStep = Duration.seconds(60)
    /// What a server asks for beyond this is a mistake.
    static let longestHold = Duration.seconds(86_400)
    /// A probe that has not come back after this is not waited for any longer.
    static let probeLimit = Duration.seconds(60)

    private enum Phase: Hashable {
        case closed(failures: Int)
        case open(until: Duration)
        case halfOpen
        case probing(Probe, until: Duration)
    }

    private var phase = Phase.closed(failures: 0)
    /// How often it was opened again by a probe.
    private var reopenings = 0
    /// Until when the server wants to be left alone.
    private var holdEnd: Duration?
    private var failure: FetchFailure

    /// For an origin that just failed; nothing is counted yet.
    init(_ failure: FetchFailure) {
        self.failure = failure
    }

    /// Whether nothing is held back. Such a circuit is no more than a count.
    var isClosed: Bool {
        if case .closed = phase { holdEnd == nil } else { false }
    }

    /// Whether there is nothing to remember.
    var isIdle: Bool { phase == .closed(failures: 0) && holdEnd == nil }

    /// When ``advance(to:)`` has something to do.
    var nextEvent: Duration? {
        if let holdEnd { return holdEnd }
        return switch phase {
        case .closed, .halfOpen: nil
        case .open(let until), .probing(_, let until): until
        }
    }

    func standing(at now: Duration) -> OriginStanding {
        if let until = nextEvent, now < until { return .heldBack(remaining: until - now, failure: failure) }
        if case .closed = phase { return .open }
        return .probeDue(failure: failure)
    }

    mutating func claim(_ probe: Probe, at now: Duration) -> Bool {
        guard case .probeDue = standing(at: now) else { return false }
        holdEnd = nil
        phase = .probing(probe, until: now + Self.probeLimit)
        return true
    }

    /// Takes a probe back that nothing was asked with.
    ///
    /// - Returns: Whether it was out, so that whoever was held back by it may ask in its place.
    mutating func giveBack(_ probe: Probe) -> Bool {
        guard isProbing(probe) else { return false }
        phase = .halfOpen
        return true
    }

    /// - Returns: Whether requests are worth making from now on that were not before.
    mutating func advance(to now: Duration) -> Bool {
        guard let due = nextEvent, due <= now else { return false }
        holdEnd = nil
        if case .closed = phase { return true }
        phase = .halfOpen
        return true
    }

    /// Another network may lead to an origin that could not be reached. What a server asked for stays.
    ///
    /// - Returns: Whether a probe is due now that was not before.
    mutating func reopenHalf() -> Bool {
        guard case .open = phase, holdEnd == nil else { return false }
        phase = .halfOpen
        return true
    }
}

// MARK: Outcomes

extension OriginCircuit {
    /// To be called when ``advance(to:)`` was.
    ///
    /// - Returns: Whether requests are worth making from now on that were not before.
    mutating func note(
        _ outcome: RequestOutcome, probe: Probe?, at now: Duration, random: any RandomSource
    ) -> Bool {
        switch outcome {
        case .answered:
            let wasClosed = if case .closed = phase { true } else { false }
            phase = .closed(failures: 0)
            reopenings = 0
            return !wasClosed && holdEnd == nil
        case .unreachable(let failure), .intercepted(let failure), .ill(let failure):
            fail(failure, probe: probe, at: now, random: random)
        case .throttled(let failure, let wait):
            var until = max(now + min(wait, Self.longestHold), holdEnd ?? now)
            if case .open(let end) = phase { until = max(until, end) }
            holdEnd = until
            phase = .halfOpen
            self.failure = failure
        case .givenUp:
            if isProbing(probe) { phase = .halfOpen }
        }
        return false
    }

    private mutating func fail(_ failure: FetchFailure, probe: Probe?, at now: Duration, random: any RandomSource) {
        // Asked before the server wanted to be left alone, or by somebody who insists.
        guard holdEnd == nil else { return }
        self.failure = failure
        switch phase {
        case .closed(let failures) where failures + 1 < Self.failuresThatOpen:
            phase = .closed(failures: failures + 1)
        case .closed, .halfOpen:
            open(at: now, random: random)
        case .probing where isProbing(probe):
            reopenings += 1
            open(at: now, random: random)
        case .probing, .open:
            // A straggler from before, which says nothing new.
            break
        }
    }

    private func isProbing(_ probe: Probe?) -> Bool {
        guard case .probing(let running, _) = phase else { return false }
        return running == probe
    }

    /// Opens for at least half a step and a whole one at most: each device another moment, at the longest step too.
    private mutating func open(at now: Duration, random: any RandomSource) {
        let half = Self.step(reopenings) / 2
        phase = .open(until: now + half + random.duration(upTo: half))
    }

    static func step(_ reopenings: Int) -> Duration {
        // Past 2^6 it is the longest in any case.
        min(longestStep, firstStep * (1 << min(reopenings, 6)))
    }
}

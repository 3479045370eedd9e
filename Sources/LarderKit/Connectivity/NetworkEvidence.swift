/// What is known about the network and its origins, from what the link says and how requests end.
///
/// The link gives hints, which count when it has been quiet; requests have the last word, until the link changes after
/// them. Pure: time comes with each call, as what a monotonic clock shows, and never goes back.
struct NetworkEvidence: Sendable, Hashable {
    private var link = LinkHint()
    /// Since the link last changed in a way that counts.
    private var requests = RequestEvidence()
    /// Since the link last said something that does not count yet.
    private var laterRequests = RequestEvidence()
    private var circuits = OriginCircuits()
    /// Whether being online again is news.
    private var wasCutOff = false

    var connectivity: Connectivity { requests.connectivity(link: link.settled) }

    /// Whether waiting for an answer is likely to be in vain: as the link says, or since the last requests took their time to
    /// fail. Where they fail at once, nothing is lost by waiting for the next.
    var isDead: Bool {
        switch connectivity {
        case .unknown, .online: false
        case .offline: true
        case .suspect: link.settled == .suspect || requests.isSlow
        }
    }

    /// When ``advance(to:)`` has something to do.
    var nextEvent: Duration? { [link.settlesAt, circuits.nextEvent].compactMap(\.self).min() }

    func standing(of origin: String, at now: Duration) -> OriginStanding {
        circuits.standing(of: origin, at: now)
    }

    /// The permission to make the one request that finds out whether an origin is back; `nil` when none is due, or another
    /// has it. To be called when ``advance(to:)`` was.
    mutating func claimProbe(of origin: String, at now: Duration) -> Probe? {
        circuits.claimProbe(of: origin, at: now)
    }

    /// Takes a probe back that nothing was asked with.
    mutating func giveBack(_ probe: Probe, of origin: String) -> [Reconnection] {
        circuits.giveBack(probe, of: origin) ? [.origin(origin)] : []
    }

    /// Takes in what the link says.
    ///
    /// - Parameter isFlapping: Whether changes may follow each other unseen, so that this one has to prove itself.
    mutating func note(link hint: Connectivity, at now: Duration, isFlapping: Bool = true) -> [Reconnection] {
        let due = advance(to: now)
        switch link.hear(hint, at: now, isFlapping: isFlapping) {
        case .nothingNew:
            return due
        case .waits:
            laterRequests = RequestEvidence()
            return due
        case .counts:
            return due + linkChanged(to: RequestEvidence())
        }
    }

    /// Takes in how a request ended.
    ///
    /// - Parameter probe: What the request was allowed by, if it was made to find out whether the origin is back.
    mutating func note(
        _ outcome: RequestOutcome, of origin: String, probe: Probe? = nil, at now: Duration, random: any RandomSource
    ) -> [Reconnection] {
        var reconnections = advance(to: now)
        requests.note(outcome)
        laterRequests.note(outcome)
        reconnections += recovery()
        if circuits.note(outcome, of: origin, probe: probe, at: now, random: random) {
            reconnections.append(.origin(origin))
        }
        return reconnections
    }

    /// Does what time alone brings about.
    mutating func advance(to now: Duration) -> [Reconnection] {
        var reconnections: [Reconnection] = []
        if link.settle(at: now) { reconnections = linkChanged(to: laterRequests) }
        return reconnections + circuits.advance(to: now).map { .origin($0) }
    }

    private mutating func linkChanged(to evidence: RequestEvidence) -> [Reconnection] {
        requests = evidence
        let origins = link.settled == .online ? circuits.reopenHalf() : []
        return recovery() + origins.map { .origin($0) }
    }

    private mutating func recovery() -> [Reconnection] {
        switch connectivity {
        case .offline, .suspect: wasCutOff = true
        case .online where wasCutOff:
            wasCutOff = false
            return [.network]
        case .online, .unknown: break
        }
        return []
    }
}

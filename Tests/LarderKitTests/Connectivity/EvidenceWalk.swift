import Testing

@testable import LarderKit

/// What may happen to network evidence.
enum EvidenceEvent: Hashable, Sendable {
    case link(Connectivity)
    case answer(String)
    case miss(String)
    case portal(String)
    case ill(String)
    case throttle(String)
    case giveUp(String)
    case claim(String)
    /// The probe under way comes back.
    case probeAnswers(String)
    case probeFails(String)
    case probeGivenUp(String)
    case pass(Duration)
}

/// One way that things may go, step by step, with what must hold after each.
struct EvidenceWalk {
    static let origins = ["a", "b"]
    static let retryAfter = Duration.seconds(100)

    private(set) var rig = EvidenceRig()
    private(set) var history: [(event: EvidenceEvent, at: Duration)] = []
    private var probes: [String: (probe: Probe, until: Duration)] = [:]
    private var holds: [String: Duration] = [:]
    /// Being online is news.
    private var wasCutOff = false

    /// What tells two walks apart from here on.
    struct Place: Hashable {
        let evidence: NetworkEvidence
        let now: Duration
        let probes: [String: Probe]
        let holds: [String: Duration]
        let wasCutOff: Bool
    }

    var place: Place {
        Place(
            evidence: rig.evidence, now: rig.now, probes: probes.mapValues(\.probe), holds: holds, wasCutOff: wasCutOff)
    }

    private var told: String { history.map { "\($0.event)" }.joined(separator: ", ") }

    /// - Returns: `false` when the event cannot happen here.
    mutating func take(_ event: EvidenceEvent) throws -> Bool {
        guard let reconnections = happen(event) else { return false }
        history.append((event, rig.now))
        try check(event, reconnections)
        return true
    }

    private mutating func happen(_ event: EvidenceEvent) -> [Reconnection]? {
        switch event {
        case .link(let hint): return rig.link(hint)
        case .answer(let origin): return rig.answer(origin)
        case .miss(let origin): return rig.miss(origin)
        case .portal(let origin): return rig.note(.intercepted(EvidenceRig.portal), of: origin)
        case .ill(let origin): return rig.note(.ill(EvidenceRig.ill), of: origin)
        case .giveUp(let origin): return rig.note(.givenUp, of: origin)
        case .throttle(let origin):
            holds[origin] = rig.now + Self.retryAfter
            return rig.note(.throttled(EvidenceRig.busy, Self.retryAfter), of: origin)
        case .claim(let origin):
            let isDue = if case .probeDue = rig.standing(origin) { true } else { false }
            let probe = rig.claim(origin)
            // A probe is there for the taking when it is said to be due, and never two at the same time.
            #expect(isDue == (probe != nil), "\(told)")
            guard let probe else { return nil }
            #expect((probes[origin]?.until ?? .zero) <= rig.now, "\(told)")
            probes[origin] = (probe, rig.now + OriginCircuit.probeLimit)
            return []
        case .probeAnswers(let origin): return report(.answered, origin)
        case .probeFails(let origin): return report(.unreachable(EvidenceRig.down), origin)
        case .probeGivenUp(let origin): return report(.givenUp, origin)
        case .pass(let duration): return rig.wait(duration)
        }
    }

    private mutating func report(_ outcome: RequestOutcome, _ origin: String) -> [Reconnection]? {
        guard let (probe, _) = probes.removeValue(forKey: origin) else { return nil }
        return rig.note(outcome, of: origin, probe: probe)
    }

    // MARK: What must hold

    private mutating func check(_ event: EvidenceEvent, _ reconnections: [Reconnection]) throws {
        let connectivity = rig.connectivity
        try #require(connectivity == expectedConnectivity, "\(told)")

        try #require(Set(reconnections).count == reconnections.count, "\(told)")
        try #require(reconnections.contains(.network) == (wasCutOff && connectivity == .online), "\(told)")
        wasCutOff = connectivity == .offline || connectivity == .suspect || wasCutOff && connectivity == .unknown

        for origin in Self.origins { try check(origin, event, reconnections) }
        // All that time brings about was done, and the next of it lies ahead.
        var later = rig
        try #require(later.wait(.zero).isEmpty, "\(told)")
        try #require(rig.evidence.nextEvent.map { $0 > rig.now } ?? true, "\(told)")
        // Nobody is held back for ever.
        _ = later.wait(Self.retryAfter + OriginCircuit.probeLimit)
        try #require(later.evidence.nextEvent == nil, "\(told)")
        for origin in Self.origins { try #require(later.standing(origin).remaining == nil, "\(told)") }
    }

    private mutating func check(_ origin: String, _ event: EvidenceEvent, _ reconnections: [Reconnection]) throws {
        if let hold = holds[origin], hold <= rig.now { holds[origin] = nil }
        let standing = rig.standing(origin)
        let held = holds[origin].map { $0 - rig.now }
        let remaining = standing.remaining ?? .zero
        try #require(remaining <= max(OriginCircuit.longestStep, held ?? .zero), "\(told)")
        if let held { try #require(remaining >= held, "\(told)") }
        if held == nil, event == .answer(origin) || event == .probeAnswers(origin) {
            try #require(standing == .open, "\(told)")
        }
        if reconnections.contains(.origin(origin)) { try #require(standing.remaining == nil, "\(told)") }
    }

    /// The state, worked out anew from all that happened.
    private var expectedConnectivity: Connectivity {
        var hint = Connectivity.unknown
        var words: [(index: Int, at: Duration)] = []
        for (index, entry) in history.enumerated() {
            guard case .link(let said) = entry.event, said != hint else { continue }
            hint = said
            words.append((index, entry.at))
        }
        // The first counts, and each that was followed by enough quiet.
        let counts = words.indices.last { index in
            let end = index + 1 < words.count ? words[index + 1].at : rig.now
            return index == 0 || end - words[index].at >= LinkHint.quietTime
        }
        var link = Connectivity.unknown
        var since = 0
        if let counts, case .link(let said) = history[words[counts].index].event {
            link = said
            since = words[counts].index
        }
        var isReached = false
        var misses = 0
        for entry in history[since...] {
            switch entry.event {
            case .answer, .probeAnswers: (isReached, misses) = (true, 0)
            case .miss, .probeFails: misses += 1
            case .portal: misses = 2
            default: break
            }
            if misses >= 2 { isReached = false }
        }
        if misses >= 2 { return link == .offline ? .offline : .suspect }
        return isReached ? .online : link
    }
}

import LarderTestKit
import Testing

@testable import LarderKit

/// Network evidence with a time of its own, for tests that tell what happens one after the other.
struct EvidenceRig {
    static let down = FetchFailure(.offline, "nobody there")
    static let slow = FetchFailure(.timedOut, "too slow")
    static let portal = FetchFailure.interception("a sign-in page")
    static let ill = FetchFailure.http(status: 500)
    static let busy = FetchFailure.http(status: 503, retryAfter: .seconds(120))

    var evidence = NetworkEvidence()
    var now = Duration.zero
    var random: any RandomSource = SameEachTime.most

    var connectivity: Connectivity { evidence.connectivity }

    mutating func wait(_ duration: Duration) -> [Reconnection] {
        now += duration
        return evidence.advance(to: now)
    }

    mutating func link(_ hint: Connectivity) -> [Reconnection] {
        evidence.note(link: hint, at: now)
    }

    mutating func note(_ outcome: RequestOutcome, of origin: String = "a", probe: Probe? = nil) -> [Reconnection] {
        evidence.note(outcome, of: origin, probe: probe, at: now, random: random)
    }

    mutating func answer(_ origin: String = "a", probe: Probe? = nil) -> [Reconnection] {
        note(.answered, of: origin, probe: probe)
    }

    mutating func miss(_ origin: String = "a", probe: Probe? = nil) -> [Reconnection] {
        note(.unreachable(Self.down), of: origin, probe: probe)
    }

    /// What it takes to open the circuit of an origin.
    mutating func fail(_ origin: String = "a") {
        for _ in 0..<OriginCircuit.failuresThatOpen { _ = note(.ill(Self.ill), of: origin) }
    }

    mutating func claim(_ origin: String = "a") -> Probe? {
        evidence.claimProbe(of: origin, at: now)
    }

    /// The permission that is due.
    mutating func probe(_ origin: String = "a") throws -> Probe {
        let probe = claim(origin)
        return try #require(probe)
    }

    func standing(_ origin: String = "a") -> OriginStanding {
        evidence.standing(of: origin, at: now)
    }
}

/// Chance that always falls the same way.
struct SameEachTime: RandomSource {
    static let least = SameEachTime(bits: 0)
    static let most = SameEachTime(bits: .max)

    let bits: UInt64

    func next() -> UInt64 { bits }
}

extension OriginStanding {
    /// How long requests are held back yet.
    var remaining: Duration? {
        if case .heldBack(let remaining, _) = self { remaining } else { nil }
    }
}

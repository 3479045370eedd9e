import LarderTestKit
import Testing

@testable import LarderKit

@Suite struct OriginCircuitTests {
    private var rig = EvidenceRig()

    @Test(
        arguments: [
            .unreachable(EvidenceRig.down), .intercepted(EvidenceRig.portal), .ill(EvidenceRig.ill),
        ] as [RequestOutcome])
    mutating func `three failures in a row hold everyone back from that origin, and no other`(outcome: RequestOutcome) {
        for _ in 0..<2 {
            #expect(rig.note(outcome).isEmpty)
            #expect(rig.standing() == .open)
        }
        _ = rig.note(outcome)
        #expect(rig.standing().remaining == .seconds(1))
        #expect(rig.standing("b") == .open)
        #expect(rig.claim() == nil)
        #expect(rig.evidence.nextEvent == .seconds(1))
    }

    @Test mutating func `an answer between failures begins the count anew, what was given up does not`() {
        for _ in 0..<4 {
            _ = rig.miss()
            _ = rig.miss()
            _ = rig.answer()
        }
        #expect(rig.standing() == .open)
        _ = rig.miss()
        _ = rig.miss()
        _ = rig.note(.givenUp)
        _ = rig.miss()
        #expect(rig.standing().remaining == .seconds(1))
    }

    @Test mutating func `after its time one request may find out, and the others wait for it`() throws {
        rig.fail()
        #expect(rig.wait(.seconds(1)) == [.origin("a")])
        #expect(rig.wait(.seconds(1)).isEmpty)
        #expect(rig.standing() == .probeDue(failure: EvidenceRig.ill))
        let probe = try rig.probe()
        #expect(rig.claim() == nil)
        #expect(rig.standing() == .heldBack(remaining: OriginCircuit.probeLimit, failure: EvidenceRig.ill))
        #expect(rig.answer(probe: probe) == [.origin("a")])
        #expect(rig.standing() == .open)
        #expect(rig.evidence.nextEvent == nil)
    }

    @Test mutating func `a probe is due by the clock, whether or not anybody woke for it`() {
        rig.fail()
        rig.now = .seconds(5)
        #expect(rig.standing() == .probeDue(failure: EvidenceRig.ill))
        #expect(rig.claim() != nil)
    }

    @Test(
        arguments: [
            (SameEachTime.most, [1, 2, 4, 8, 16, 32, 60, 60, 60]),
            (SameEachTime.least, [0.5, 1, 2, 4, 8, 16, 30, 30, 30]),
        ] as [(SameEachTime, [Double])])
    mutating func `each probe that fails doubles the step, up to a minute, of which chance takes half at most`(
        chance: SameEachTime, steps: [Double]
    ) throws {
        rig.random = chance
        rig.fail()
        for step in steps {
            let remaining = try #require(rig.standing().remaining)
            #expect(remaining == .seconds(step))
            _ = rig.wait(remaining)
            let probe = try rig.probe()
            _ = rig.miss(probe: probe)
        }
        _ = rig.answer()
        rig.fail()
        #expect(rig.standing().remaining == .seconds(steps[0]))
    }

    /// Case R03: at the longest step too, a hundred devices come back at different moments, none later than the step.
    @Test func `devices spread at the longest step`() throws {
        var waits: Set<Duration> = []
        for device in 0..<100 {
            var rig = EvidenceRig(random: SeededRandom(seed: UInt64(device)))
            rig.fail()
            for _ in 0..<8 {
                _ = rig.wait(.seconds(60))
                let probe = try rig.probe()
                _ = rig.miss(probe: probe)
            }
            let remaining = try #require(rig.standing().remaining)
            #expect(remaining <= .seconds(60))
            #expect(remaining >= .seconds(30))
            waits.insert(remaining)
        }
        #expect(waits.count >= 50)
    }

    @Test mutating func `stragglers do not make it longer`() {
        rig.fail()
        for _ in 0..<10 { _ = rig.miss() }
        #expect(rig.standing().remaining == .seconds(1))
        _ = rig.wait(.seconds(1))
        _ = rig.miss()
        #expect(rig.standing().remaining == .seconds(1))
    }

    @Test mutating func `only the probe decides while it is under way, unless somebody gets an answer`() throws {
        rig.fail()
        _ = rig.wait(.seconds(1))
        let probe = try rig.probe()
        _ = rig.miss()
        _ = rig.note(.givenUp)
        #expect(rig.standing().remaining == OriginCircuit.probeLimit)
        #expect(rig.answer() == [.origin("a")])
        #expect(rig.standing() == .open)
        #expect(rig.miss(probe: probe).isEmpty)
        #expect(rig.standing() == .open)
    }

    @Test mutating func `a probe that is given up leaves its place to the next, and says nothing`() throws {
        rig.fail()
        _ = rig.wait(.seconds(1))
        let probe = try rig.probe()
        #expect(rig.note(.givenUp, probe: probe).isEmpty)
        #expect(rig.standing() == .probeDue(failure: EvidenceRig.ill))
        let next = try rig.probe()
        #expect(next != probe)
        _ = rig.note(.givenUp, probe: probe)
        #expect(rig.claim() == nil)
        _ = rig.miss(probe: next)
        #expect(rig.standing().remaining == .seconds(2))
    }

    @Test mutating func `a probe that never comes back is not waited for longer than a minute`() throws {
        rig.fail()
        _ = rig.wait(.seconds(1))
        #expect(rig.claim() != nil)
        #expect(rig.wait(OriginCircuit.probeLimit - .nanoseconds(1)).isEmpty)
        #expect(rig.claim() == nil)
        #expect(rig.wait(.nanoseconds(1)) == [.origin("a")])
        #expect(rig.claim() != nil)
    }

    // MARK: Retry-After

    /// Case R03.
    @Test(arguments: [FetchFailure.http(status: 429, retryAfter: .seconds(120)), EvidenceRig.busy])
    mutating func `an origin that wants to be left alone is, at once and for that long`(failure: FetchFailure) {
        _ = rig.note(RequestOutcome(failure))
        #expect(rig.standing() == .heldBack(remaining: .seconds(120), failure: failure))
        #expect(rig.wait(.seconds(119)).isEmpty)
        #expect(rig.standing().remaining == .seconds(1))
        #expect(rig.claim() == nil)
        #expect(rig.wait(.seconds(1)) == [.origin("a")])
        #expect(rig.claim() != nil)
    }

    @Test mutating func `no longer than a day, whatever a server says`() {
        _ = rig.note(.throttled(EvidenceRig.busy, .seconds(2_147_483_648)))
        #expect(rig.standing().remaining == .seconds(86_400))
    }

    @Test mutating func `the longest of several counts, and an open circuit is not cut short`() {
        _ = rig.note(.throttled(EvidenceRig.busy, .seconds(100)))
        _ = rig.note(.throttled(EvidenceRig.busy, .seconds(2)))
        #expect(rig.standing().remaining == .seconds(100))
        rig.fail("b")
        _ = rig.note(.throttled(EvidenceRig.busy, .milliseconds(1)), of: "b")
        #expect(rig.standing("b").remaining == .seconds(1))
    }

    @Test mutating func `an answer that was under way does not cut it short, and then nothing has to be found out`() {
        _ = rig.note(.throttled(EvidenceRig.busy, .seconds(120)))
        #expect(rig.answer().isEmpty)
        #expect(rig.standing().remaining == .seconds(120))
        #expect(rig.wait(.seconds(120)) == [.origin("a")])
        #expect(rig.standing() == .open)
    }

    @Test mutating func `failures meanwhile add nothing`() {
        _ = rig.note(.throttled(EvidenceRig.busy, .seconds(120)))
        rig.fail()
        #expect(rig.standing() == .heldBack(remaining: .seconds(120), failure: EvidenceRig.busy))
    }

    // MARK: The link

    @Test mutating func `a link that comes back lets one request through at once, but to no origin that throttles`() {
        _ = rig.link(.online)
        rig.fail("a")
        rig.fail("b")
        _ = rig.note(.throttled(EvidenceRig.busy, .seconds(120)), of: "c")
        _ = rig.link(.offline)
        _ = rig.link(.online)
        rig.random = SameEachTime.least
        #expect(rig.wait(LinkHint.quietTime) == [.origin("a"), .origin("b")])
        #expect(rig.standing("a") == .probeDue(failure: EvidenceRig.ill))
        #expect(rig.claim("a") != nil)
        #expect(rig.claim("a") == nil)
        #expect(rig.standing("c").remaining != nil)
    }

    @Test mutating func `a link that goes lets nothing through`() {
        _ = rig.link(.online)
        rig.fail()
        _ = rig.link(.offline)
        #expect(rig.wait(LinkHint.quietTime).isEmpty)
        #expect(rig.standing().remaining != nil)
    }

    // MARK: Memory

    @Test func `origins that answer take no room, and of the others no more than a few hundred are remembered`() {
        var circuits = OriginCircuits()
        func note(_ outcome: RequestOutcome, _ origin: String, _ seconds: Int) {
            _ = circuits.note(
                outcome, of: origin, probe: nil, at: .seconds(seconds), random: SameEachTime.most)
        }
        for number in 0..<1000 { note(.answered, "\(number)", 0) }
        note(.givenUp, "x", 0)
        #expect(circuits.count == 0)

        note(.throttled(EvidenceRig.busy, .seconds(86_400)), "held", 0)
        for number in 0..<1000 {
            note(.ill(EvidenceRig.ill), "\(number)", number)
            note(.ill(EvidenceRig.ill), "0", number)
        }
        #expect(circuits.count == OriginCircuits.limit)
        // Held back, and used all the time: both are kept. The others went in the order they were last heard of.
        #expect(circuits.standing(of: "held", at: .seconds(1000)).remaining != nil)
        #expect(circuits.standing(of: "0", at: .seconds(3)) != .open)
        for _ in 0..<2 { note(.ill(EvidenceRig.ill), "500", 1000) }
        #expect(circuits.standing(of: "500", at: .seconds(1000)) == .open)
        for _ in 0..<2 { note(.ill(EvidenceRig.ill), "999", 1000) }
        #expect(circuits.standing(of: "999", at: .seconds(1000)).remaining != nil)
        for number in 0..<1000 { note(.throttled(EvidenceRig.busy, .seconds(9)), "held \(number)", 2000) }
        #expect(circuits.count == OriginCircuits.limit)
    }
}

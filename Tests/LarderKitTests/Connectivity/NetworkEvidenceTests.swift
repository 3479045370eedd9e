import Testing

@testable import LarderKit

@Suite struct NetworkEvidenceTests {
    private var rig = EvidenceRig()

    // MARK: The link

    @Test func `nothing is known before anything was heard`() {
        #expect(rig.connectivity == .unknown)
        #expect(rig.evidence.nextEvent == nil)
    }

    @Test(arguments: [Connectivity.online, .offline, .suspect])
    mutating func `the first word of the link counts at once`(hint: Connectivity) {
        #expect(rig.link(.unknown).isEmpty)
        #expect(rig.link(hint).isEmpty)
        #expect(rig.connectivity == hint)
        #expect(rig.evidence.nextEvent == nil)
    }

    @Test mutating func `a later word counts when the link has been quiet for half a second`() {
        _ = rig.link(.online)
        #expect(rig.link(.offline).isEmpty)
        #expect(rig.connectivity == .online)
        #expect(rig.evidence.nextEvent == LinkHint.quietTime)
        #expect(rig.wait(LinkHint.quietTime - .nanoseconds(1)).isEmpty)
        #expect(rig.connectivity == .online)
        #expect(rig.wait(.nanoseconds(1)).isEmpty)
        #expect(rig.connectivity == .offline)
    }

    @Test mutating func `the same word again changes nothing and delays nothing`() {
        _ = rig.link(.online)
        _ = rig.link(.offline)
        _ = rig.wait(.milliseconds(400))
        #expect(rig.link(.offline).isEmpty)
        _ = rig.wait(.milliseconds(100))
        #expect(rig.connectivity == .offline)
    }

    @Test mutating func `a state that is found by looking now and then counts at once, unless the link is flapping`() {
        _ = rig.link(.online)
        #expect(rig.evidence.note(link: .offline, at: rig.now, isFlapping: false).isEmpty)
        #expect(rig.connectivity == .offline)
        #expect(rig.evidence.note(link: .online, at: rig.now, isFlapping: false) == [.network])
        _ = rig.link(.offline)
        #expect(rig.evidence.note(link: .suspect, at: rig.now, isFlapping: false).isEmpty)
        #expect(rig.connectivity == .online)
        _ = rig.wait(LinkHint.quietTime)
        #expect(rig.connectivity == .suspect)
    }

    /// Case R02.
    @Test mutating func `a flapping link is one change at most`() {
        #expect(rig.link(.online).isEmpty)
        #expect(rig.wait(.milliseconds(50)).isEmpty)
        #expect(rig.link(.offline).isEmpty)
        #expect(rig.wait(.milliseconds(50)).isEmpty)
        #expect(rig.link(.online).isEmpty)
        #expect(rig.wait(.milliseconds(100)).isEmpty)
        #expect(rig.link(.online).isEmpty)
        #expect(rig.wait(.milliseconds(2800)).isEmpty)
        #expect(rig.connectivity == .online)

        _ = rig.link(.offline)
        _ = rig.wait(.seconds(1))
        for hint in [Connectivity.online, .offline, .online, .online] {
            #expect(rig.link(hint).isEmpty)
            #expect(rig.wait(.milliseconds(50)).isEmpty)
        }
        #expect(rig.wait(.seconds(3)) == [.network])
        #expect(rig.connectivity == .online)
    }

    @Test mutating func `a link that came back may be another one, so what requests said before does not count`() {
        _ = rig.link(.online)
        _ = rig.note(.intercepted(EvidenceRig.portal))
        #expect(rig.connectivity == .suspect)
        _ = rig.link(.offline)
        _ = rig.link(.online)
        #expect(rig.connectivity == .suspect)
        #expect(rig.wait(LinkHint.quietTime) == [.network])
        #expect(rig.connectivity == .online)
    }

    // MARK: Requests

    /// Case R01: the path is there and nothing behind it.
    @Test(arguments: [Connectivity.online, .unknown])
    mutating func `two requests in a row that reach nobody are suspect, of whatever origin`(hint: Connectivity) {
        _ = rig.link(hint)
        #expect(rig.note(.unreachable(EvidenceRig.slow), of: "a").isEmpty)
        #expect(rig.connectivity == hint)
        #expect(rig.note(.unreachable(EvidenceRig.slow), of: "b").isEmpty)
        #expect(rig.connectivity == .suspect)
    }

    @Test mutating func `an answer between two that reach nobody counts for the network`() {
        _ = rig.link(.online)
        for _ in 0..<5 {
            _ = rig.miss("a")
            _ = rig.answer("b")
        }
        #expect(rig.connectivity == .online)
    }

    @Test mutating func `one sign-in page is enough`() {
        _ = rig.link(.online)
        _ = rig.note(.intercepted(EvidenceRig.portal))
        #expect(rig.connectivity == .suspect)
    }

    /// Case R01: the path is said to be away, and requests work.
    @Test mutating func `an answer means online whatever the link says, until the link changes after it`() {
        _ = rig.link(.offline)
        #expect(rig.connectivity == .offline)
        #expect(rig.answer() == [.network])
        #expect(rig.connectivity == .online)
        #expect(rig.answer().isEmpty)
        _ = rig.link(.suspect)
        _ = rig.wait(.seconds(1))
        #expect(rig.connectivity == .suspect)
    }

    @Test mutating func `an answer that comes while the link settles is later than what the link said`() {
        _ = rig.link(.online)
        _ = rig.link(.offline)
        _ = rig.wait(.milliseconds(100))
        _ = rig.answer()
        #expect(rig.wait(.seconds(1)).isEmpty)
        #expect(rig.connectivity == .online)
    }

    @Test mutating func `failures under a link that is away are offline`() {
        _ = rig.link(.offline)
        _ = rig.answer()
        _ = rig.miss()
        _ = rig.miss()
        #expect(rig.connectivity == .offline)
    }

    @Test mutating func `a server that is ill says nothing of the network, one that throttles is there`() {
        _ = rig.link(.offline)
        #expect(rig.note(.ill(EvidenceRig.ill)).isEmpty)
        #expect(rig.note(.throttled(EvidenceRig.busy, .seconds(1))).isEmpty)
        #expect(rig.note(.givenUp).isEmpty)
        #expect(rig.connectivity == .offline)
        #expect(rig.note(.ill(.http(status: 429)), of: "b") == [.network])
        #expect(rig.connectivity == .online)
    }

    @Test mutating func `what was given up says nothing`() {
        _ = rig.miss()
        #expect(rig.note(.givenUp).isEmpty)
        #expect(rig.connectivity == .unknown)
        _ = rig.miss()
        #expect(rig.connectivity == .suspect)
    }

    // MARK: Reconnections

    @Test mutating func `to be online for the first time is no reconnection`() {
        #expect(rig.link(.online).isEmpty)
        #expect(rig.answer().isEmpty)
    }

    @Test mutating func `the first answer after an outage is one, and no other`() {
        _ = rig.link(.online)
        _ = rig.miss("a")
        _ = rig.miss("b")
        #expect(rig.connectivity == .suspect)
        #expect(rig.answer("b") == [.network])
        #expect(rig.answer("a").isEmpty)
    }

    @Test mutating func `a link that comes back by way of a doubt is one reconnection`() {
        _ = rig.link(.offline)
        var news: [Reconnection] = []
        for hint in [Connectivity.suspect, .unknown, .online] {
            news += rig.link(hint)
            news += rig.wait(.seconds(1))
        }
        #expect(news == [.network])
        #expect(rig.answer().isEmpty)
    }
}

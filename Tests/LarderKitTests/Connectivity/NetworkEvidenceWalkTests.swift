import Testing

@testable import LarderKit

/// Everything that may happen in a few steps.
@Suite struct NetworkEvidenceWalkTests {
    /// - Parameter fork: How many steps in which each way goes on by itself; after that, from each place once, however it
    ///   was reached.
    private func walk(
        from start: EvidenceWalk = EvidenceWalk(), _ alphabet: [EvidenceEvent], steps: Int, fork: Int = 0
    ) throws -> Int {
        var walks = [start]
        var taken = 0
        for step in 0..<steps {
            var next: [EvidenceWalk] = []
            var places: Set<EvidenceWalk.Place> = []
            for walk in walks {
                for event in alphabet {
                    var walk = walk
                    guard try walk.take(event) else { continue }
                    taken += 1
                    if step < fork || places.insert(walk.place).inserted { next.append(walk) }
                }
            }
            walks = next
        }
        return taken
    }

    @Test(arguments: [(steps: 4, fork: 4), (steps: 6, fork: 0)])
    func `the link and the requests of two origins`(steps: Int, fork: Int) throws {
        let taken = try walk(
            [
                .link(.online), .link(.offline), .link(.suspect), .answer("a"), .miss("a"), .miss("b"), .portal("b"),
                .pass(.milliseconds(300)), .pass(.milliseconds(500)),
            ], steps: steps, fork: fork)
        #expect(taken > 5000)
    }

    @Test func `the circuit of one origin`() throws {
        var start = EvidenceWalk()
        for _ in 0..<3 { _ = try start.take(.ill("a")) }
        let taken = try walk(
            from: start,
            [
                .answer("a"), .ill("a"), .throttle("a"), .giveUp("a"), .claim("a"), .probeAnswers("a"),
                .probeFails("a"), .probeGivenUp("a"), .link(.online), .link(.offline), .pass(.seconds(1)),
                .pass(.seconds(60)),
            ], steps: 6)
        #expect(taken > 5000)
    }

    @Test func `the circuits of two origins`() throws {
        var start = EvidenceWalk()
        for _ in 0..<2 {
            for origin in EvidenceWalk.origins { _ = try start.take(.miss(origin)) }
        }
        let perOrigin = EvidenceWalk.origins.flatMap {
            [
                .answer($0), .miss($0), .throttle($0), .claim($0), .probeAnswers($0), .probeFails($0),
                .probeGivenUp($0),
            ] as [EvidenceEvent]
        }
        let taken = try walk(from: start, perOrigin + [.link(.online), .link(.offline), .pass(.seconds(1))], steps: 5)
        #expect(taken > 5000)
    }

    /// Case R02: whatever a link says in a burst, it is one change at most, to what it said last.
    @Test(arguments: [Connectivity.unknown, .online, .offline, .suspect])
    func `a burst is one reconnection at most`(before: Connectivity) {
        for pattern in 0..<(1 << 8) {
            var rig = EvidenceRig()
            _ = rig.link(before)
            var news: [Reconnection] = []
            for place in 0..<8 {
                news += rig.link(pattern & (1 << place) == 0 ? .offline : .online)
                news += rig.wait(.milliseconds(20))
            }
            news += rig.wait(LinkHint.quietTime)
            let last: Connectivity = pattern & (1 << 7) == 0 ? .offline : .online
            #expect(rig.connectivity == last)
            // Before anything was heard, the first word counts at once and may be an outage too.
            let wasCutOff = before == .offline || before == .suspect || before == .unknown && pattern & 1 == 0
            #expect(news == (wasCutOff && last == .online ? [.network] : []))
        }
    }
}

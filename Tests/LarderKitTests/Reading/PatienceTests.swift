import Testing

@testable import LarderKit

struct PatienceTests {
    private static func milliseconds(_ latencies: Int...) -> [Duration] { latencies.map { .milliseconds($0) } }

    @Test(
        arguments: [
            (.standard, [], .seconds(3)), (.standard, milliseconds(1, 1, 1, 1, 1, 1), .seconds(3)),
            (.fixed(.seconds(7)), [], .seconds(7)), (.fixed(.zero), [], .zero), (.fixed(.seconds(-1)), [], .zero),
            (.learned, [], .seconds(3)), (.learned, milliseconds(10, 10, 10, 10), .seconds(3)),
            (.learned, milliseconds(10, 10, 10, 10, 10), .milliseconds(250)),
            (.learned, milliseconds(400, 100, 300, 200, 500), .seconds(1)),
            // Of ten, the slowest one is an exception; two are not.
            (.learned, milliseconds(9000, 200, 200, 200, 200, 200, 200, 200, 200, 200), .milliseconds(400)),
            (.learned, milliseconds(9000, 9000, 200, 200, 200, 200, 200, 200, 200, 200), .seconds(3)),
            (.learned, milliseconds(0, 0, 0, 0, 0), .milliseconds(250)),
            (.learned(atMost: .seconds(10)), milliseconds(1, 1), .seconds(3)),
            (.learned(atMost: .seconds(10)), milliseconds(4000, 4000, 4000, 4000, 4000), .seconds(8)),
            (.learned(atMost: .seconds(10)), milliseconds(6000, 6000, 6000, 6000, 6000), .seconds(10)),
            (.learned(atMost: .seconds(1)), [], .seconds(1)),
            (.learned(atMost: .milliseconds(100)), milliseconds(1, 1, 1, 1, 1), .milliseconds(100)),
            (.learned(atMost: .seconds(-1)), milliseconds(1, 1, 1, 1, 1), .zero),
            (.learned, [Duration](repeating: .seconds(Int64.max), count: 9), .seconds(3)),
        ] as [(Patience, [Duration], Duration)])
    func `patience is what was said, or what answers usually take`(
        patience: Patience, latencies: [Duration], wait: Duration
    ) {
        #expect(patience.duration(latencies: latencies) == wait)
    }

    @Test func `an origin is known by its latest answers`() {
        var recent = RecentLatencies()
        #expect(recent["a"].isEmpty)
        for number in 1...40 { recent.add(.milliseconds(number), of: "a") }
        recent.add(.seconds(-1), of: "b")
        #expect(recent["a"].sorted() == (9...40).map { .milliseconds($0) })
        #expect(recent["b"] == [.zero])
    }

    @Test func `of many origins the one that was silent the longest is forgotten`() {
        var recent = RecentLatencies(limit: 3)
        for origin in ["a", "b", "c", "a", "d"] { recent.add(.seconds(1), of: origin) }
        #expect(recent.count == 3)
        #expect(recent["b"].isEmpty)
        #expect(recent["a"].count == 2 && recent["c"].count == 1 && recent["d"].count == 1)

        var standard = RecentLatencies()
        for number in 0..<1000 { standard.add(.zero, of: "\(number)") }
        #expect(standard.count == 256)
    }

    @Test func `origins do not learn from each other`() {
        let memory = LatencyMemory()
        for _ in 0..<5 { memory.note(.milliseconds(300), of: "fast") }
        for _ in 0..<5 { memory.note(.seconds(1), of: "slow") }
        #expect(memory.duration(of: .learned, for: "fast") == .milliseconds(600))
        #expect(memory.duration(of: .learned, for: "slow") == .seconds(2))
        #expect(memory.duration(of: .learned, for: "new") == .seconds(3))
        #expect(memory.duration(of: .standard, for: "fast") == .seconds(3))
    }
}

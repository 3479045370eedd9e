import LarderTestKit
import Testing

@testable import LarderKit

/// What goes, as a table and by properties.
struct EvictionPlanTests {
    typealias Candidate = EvictionPlan.Candidate<String>
    typealias Window = EvictionPlan.Window<String>

    private static func thing(
        _ name: String, _ bytes: Int, at usedAt: Int64, isPinned: Bool = false, tellsUse: Bool = true
    ) -> Candidate {
        Candidate(subject: name, bytes: bytes, usedAt: usedAt, isPinned: isPinned, tellsUse: tellsUse)
    }

    private static let values = Window(candidates: [
        thing("a", 10, at: 1), thing("b", 10, at: 3), thing("c", 10, at: 5),
    ])
    private static let files = Window(candidates: [thing("f", 100, at: 2), thing("g", 100, at: 6)])

    static let cases: [(name: String, plan: EvictionPlan, windows: [Window], gone: [String])] = [
        ("nothing is to go", EvictionPlan(bytes: 0), [values, files], []),
        ("less than nothing", EvictionPlan(bytes: -5), [values, files], []),
        ("one is enough", EvictionPlan(bytes: 1), [values, files], ["a"]),
        ("in the order of use, whatever it is", EvictionPlan(bytes: 111), [values, files], ["a", "f", "b"]),
        ("all there is", EvictionPlan(bytes: .max), [values, files], ["a", "f", "b", "c", "g"]),
        (
            "not what is pinned", EvictionPlan(bytes: .max),
            [Window(candidates: [thing("p", 10, at: 0, isPinned: true), thing("q", 10, at: 9)])], ["q"]
        ),
        ("what was not used for long", EvictionPlan(bytes: 0, unusedSince: 3), [values, files], ["a", "f"]),
        ("and more than that", EvictionPlan(bytes: 115, unusedSince: 2), [values, files], ["a", "f", "b"]),
        (
            "what is only old does not go for that",
            EvictionPlan(bytes: 0, unusedSince: 9), [Window(candidates: [thing("s", 1, at: 1, tellsUse: false)])], []
        ),
        ("at most so many", EvictionPlan(bytes: .max, limit: 2), [values, files], ["a", "f"]),
        (
            "nothing beyond what is known", EvictionPlan(bytes: .max),
            [Window(candidates: values.candidates, horizon: 5), Window(candidates: files.candidates, horizon: 3)],
            ["a", "f", "b"]
        ),
        (
            "what was used at one time, in the order it comes", EvictionPlan(bytes: 25),
            [Window(candidates: [thing("x", 10, at: 1), thing("y", 10, at: 1), thing("z", 10, at: 1)])],
            ["x", "y", "z"]
        ),
    ]

    @Test(arguments: cases)
    func `what goes`(name: String, plan: EvictionPlan, windows: [Window], gone: [String]) {
        #expect(plan.chosen(from: windows).map(\.subject) == gone, "\(name)")
    }

    @Test(arguments: 0..<200)
    func `the least recently used goes, and no more than is needed`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let windows = (0..<3).map { kind in
            let times = (0..<Int.random(in: 0...12, using: &random)).map { _ in Int64.random(in: 0...20, using: &random)
            }
            return Window(
                candidates: times.sorted().enumerated().map { index, time in
                    Self.thing(
                        "\(kind) \(index)", .random(in: 1...50, using: &random), at: time,
                        isPinned: .random(in: 0...4, using: &random) == 0)
                }, horizon: Bool.random(using: &random) ? .max : times.max() ?? .max)
        }
        let plan = EvictionPlan(
            bytes: .random(in: 0...600, using: &random),
            unusedSince: Bool.random(using: &random) ? .min : .random(in: 0...20, using: &random),
            limit: Bool.random(using: &random) ? .max : .random(in: 1...9, using: &random))
        let chosen = plan.chosen(from: windows)
        let names = Set(chosen.map(\.subject))
        let stays = windows.flatMap(\.candidates).filter { !$0.isPinned && !names.contains($0.subject) }
        #expect(!chosen.contains { $0.isPinned })
        #expect(chosen.count <= plan.limit)
        #expect(chosen.map(\.usedAt) == chosen.map(\.usedAt).sorted())
        if let last = chosen.last, let next = stays.map(\.usedAt).min() { #expect(last.usedAt <= next) }
        // Without the last one it would not be enough, unless that went for not being used.
        if let last = chosen.last, last.usedAt >= plan.unusedSince {
            #expect(chosen.dropLast().reduce(0) { $0 + $1.bytes } < plan.bytes)
        }
        let horizon = windows.map(\.horizon).min() ?? .max
        if chosen.reduce(0, { $0 + $1.bytes }) < plan.bytes, chosen.count < plan.limit {
            #expect(stays.allSatisfy { $0.usedAt > horizon })
        }
    }
}

import LarderTestKit

@testable import LarderKit

/// What happens to a server and to the cache of its feed, step by step. Numbers pick among what there is when the step
/// comes, so that a history stays one when steps are taken out of it.
struct FeedHistory: Sendable {
    enum Step: Sendable, Hashable {
        case change(ServerChange)
        case ask(Question)
        /// An answer under way arrives.
        case land(Int)
        /// The app learns that an item is gone.
        case remove(Int)
    }

    struct Question: Sendable, Hashable {
        enum Kind: Sendable, Hashable, CaseIterable {
            case newest, refresh, older, missingOlder, newer, between, upward
        }

        var kind: Kind
        var anchor = 0
        var other = 0
        var limit: Int
        var fault: SimulatedFeedServer.Fault?
        /// The item of the answer that comes without its id.
        var nameless: Int?
    }

    let setup: FeedSetup
    var steps: [Step]
}

extension FeedHistory {
    static func random(_ setup: FeedSetup, length: Int, using random: inout SplitMix64) -> FeedHistory {
        FeedHistory(setup: setup, steps: (0..<length).map { _ in step(setup, &random) })
    }

    private static func step(_ setup: FeedSetup, _ random: inout SplitMix64) -> Step {
        func number() -> Int { Int.random(in: 0..<1000, using: &random) }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5: return .change(.insert(number()))
        case 5..<7: return .change(.delete(number()))
        case 7: return .change(.edit(number()))
        case 8 where setup.order == .ranked || setup.hasBumps: return .change(.move(number(), to: number()))
        case 9 where setup.hasFaults && setup.shortPages == .proveNothing: return .change(.hide(number()))
        case 10: return .remove(number())
        case 11..<14 where setup.areAnswersLate: return .land(number())
        default:
            var question = Question(
                kind: Question.Kind.allCases.randomElement(using: &random) ?? .newest, anchor: number(),
                other: number(), limit: Int.random(in: 1...6, using: &random))
            if setup.hasFaults, number() < 300 { question.fault = fault(setup, &random) }
            if setup.hasFaults, question.fault == nil, number() < 100 { question.nameless = number() }
            return .ask(question)
        }
    }

    /// A fault that does not make the server say what the app has declared it not to say.
    private static func fault(_ setup: FeedSetup, _ random: inout SplitMix64) -> SimulatedFeedServer.Fault {
        var faults: [SimulatedFeedServer.Fault] = [.duplicate, .status(503)]
        if setup.shortPages == .proveNothing {
            faults += [.short(by: 1), .short(by: 3), .oversize(by: 2), .empty]
        }
        // In a list by position nothing shows that a page is in disorder.
        if setup.order.isByID { faults.append(.unsorted) }
        return faults.randomElement(using: &random) ?? .duplicate
    }
}

extension Array where Element: Sendable {
    /// The shortest list of steps found that still fails, by leaving out some.
    func shrunk(while fails: ([Element]) async -> Bool) async -> [Element] {
        var best = self
        var size = Swift.max(1, count / 2)
        while true {
            var isShorter = false
            var start = 0
            while start < best.count {
                var candidate = best
                candidate.removeSubrange(start..<Swift.min(start + size, candidate.count))
                if await fails(candidate) {
                    best = candidate
                    isShorter = true
                } else {
                    start += size
                }
            }
            if size == 1, !isShorter { return best }
            size = Swift.max(1, size / 2)
        }
    }
}

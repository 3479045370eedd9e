import LarderTestKit

@testable import LarderKit

/// What an app does with a feed while its server changes, step by step.
enum SteppingStep: Sendable, Hashable {
    case change(ServerChange)
    case call(Call, Upset = Upset())
    /// Forgets all but the newest.
    case trim(Int)
    /// Forgets what lies between two items.
    case forget(Int, Int)
    /// The app learns that an item is gone.
    case remove(Int)
    case anchor(Int)
    /// The cache is closed and opened again.
    case restart

    enum Call: Sendable, Hashable {
        case refresh(limit: Int)
        case older(limit: Int)
        case fill(Int, GapSide, limit: Int)
        case page(Int, PageKind, limit: Int, isNetworkOnly: Bool)
    }

    enum PageKind: Sendable, Hashable, CaseIterable {
        case newest, older, newer
    }

    /// What goes wrong while a call is under way: at its first request, or at one that it sends besides.
    struct Upset: Sendable, Hashable {
        var fault: SimulatedFeedServer.Fault?
        var faultAt = 0
        var change: ServerChange?
        var changeAt = 0
    }
}

struct SteppingHistory: Sendable {
    let setup: SteppingSetup
    /// How many items the server has at first.
    let initial: Int
    var steps: [SteppingStep]

    static func random(_ setup: SteppingSetup, length: Int, using random: inout SplitMix64) -> SteppingHistory {
        let initial = Int.random(in: setup.changes == .any ? 0...20 : 8...30, using: &random)
        let steps = (0..<length).map { _ in SteppingStep.random(setup, using: &random) }
        return SteppingHistory(setup: setup, initial: initial, steps: steps)
    }
}

extension SteppingStep {
    fileprivate static func random(_ setup: SteppingSetup, using random: inout SplitMix64) -> SteppingStep {
        func number() -> Int { Int.random(in: 0..<1000, using: &random) }
        switch Int.random(in: 0..<26, using: &random) {
        case 0..<6: return change(setup, &random).map { .change($0) } ?? .restart
        case 6 where !setup.hasLoops: return .trim(Int.random(in: 1...12, using: &random))
        case 7 where !setup.hasLoops: return .forget(number(), number())
        case 8 where number() < 500 && [.any, .deletions].contains(setup.changes): return .remove(number())
        case 9: return .anchor(number())
        case 10: return .restart
        default:
            var upset = Upset()
            if setup.hasFaults, number() < 300 {
                upset.fault = fault(setup, &random)
                upset.faultAt = number() < 700 ? 0 : 1
            }
            if setup.kind == .pageNumber, number() < 300 {
                upset.change = change(setup, &random)
                upset.changeAt = Int.random(in: 0...2, using: &random)
            }
            return .call(call(&random), upset)
        }
    }

    private static func call(_ random: inout SplitMix64) -> Call {
        func number() -> Int { Int.random(in: 0..<1000, using: &random) }
        let limit = Int.random(in: 1...6, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: return .refresh(limit: limit)
        case 3..<6: return .older(limit: limit)
        case 6..<8: return .fill(number(), number() < 500 ? .newer : .older, limit: limit)
        default:
            let kind = PageKind.allCases.randomElement(using: &random) ?? .newest
            return .page(number(), kind, limit: limit, isNetworkOnly: number() < 300)
        }
    }

    /// A change that the setup allows.
    private static func change(_ setup: SteppingSetup, _ random: inout SplitMix64) -> ServerChange? {
        func number() -> Int { Int.random(in: 0..<1000, using: &random) }
        switch (setup.changes, Int.random(in: 0..<10, using: &random)) {
        case (.insertions, _): return .insert(number())
        case (.none, _): return nil
        case (.deletions, 0..<6): return .delete(number())
        case (.deletions, _): return .edit(number())
        case (.any, 0..<5): return .insert(number())
        case (.any, 5..<7): return .delete(number())
        case (.any, 7) where setup.kind != .pageNumber && (setup.order == .ranked || setup.hasBumps):
            return .move(number(), to: number())
        case (.any, 8) where setup.hasFaults && setup.shortPages == .proveNothing: return .hide(number())
        case (.any, _): return .edit(number())
        }
    }

    /// A fault that does not make the server say what the app has declared it not to say.
    private static func fault(_ setup: SteppingSetup, _ random: inout SplitMix64) -> SimulatedFeedServer.Fault {
        var faults: [SimulatedFeedServer.Fault] = [
            .duplicate, .status(503), .oversize(by: 2), .firstPage, .expired(status: 410), .expired(status: 400),
        ]
        // A short page with a number loses what it leaves out, and nothing shows it.
        if setup.shortPages == .proveNothing {
            faults += setup.kind == .pageNumber ? [] : [.short(by: 1), .short(by: 3), .empty]
        }
        // In a list by position nothing shows that a page is in disorder.
        if setup.order.isByID { faults.append(.unsorted) }
        // What leads back to where only new items stand looks like any page.
        if setup.hasLoops, setup.kind == .link || setup.kind == .cursor {
            faults += [.loop(pages: 1), .loop(pages: 2)]
        }
        if setup.kind == .link { faults.append(.foreignLink) }
        return faults.randomElement(using: &random) ?? .duplicate
    }
}

import LarderTestKit

@testable import LarderKit

/// One way a feed may be declared and its server may behave.
struct FeedSetup: Sendable, Hashable {
    let order: SimulatedFeedServer.Order
    var parameters: Set<Paging.Parameter> = [.since, .max]
    var shortPages = Paging.ShortPages.proveNothing
    var emptyPages = Paging.EmptyPages.mustComeTwice
    var rules = SimulatedFeedServer.Rules()
    /// The server says when nothing follows a page.
    var isEndSaid = false
    var hasFaults = false
    /// Items of a list by position are taken away and added again on top.
    var hasBumps = false
    /// Answers are applied in another order than they were asked for.
    var areAnswersLate = false
    var spacing = KeySpacing.standard

    init(order: SimulatedFeedServer.Order) {
        self.order = order
    }

    var paging: Paging {
        switch order {
        case .decimal:
            .byID(.decimal, parameters: parameters, shortPages: shortPages, emptyPages: emptyPages)
        case .text:
            .byID(.text, parameters: parameters, shortPages: shortPages, emptyPages: emptyPages)
        case .newestOnTop:
            .afterItem(
                order: .newestOnTop, parameters: parameters, shortPages: shortPages, emptyPages: emptyPages)
        case .ranked:
            .afterItem(order: .ranked, parameters: parameters, shortPages: shortPages, emptyPages: emptyPages)
        }
    }

    /// Whether the server answers as if a bound that it does not have were not there, and so may put any items beside it.
    func ignores(_ missing: ItemID, of request: PageRequest) -> Bool {
        guard !order.isByID else { return false }
        let isSince = request.above == missing && request.countedFrom == .newest
        return rules.missingAnchor == .fromTheHead || isSince && !rules.parameters.contains(.since)
    }

    static let parameterSets: [Set<Paging.Parameter>] = [
        [.max], [.since, .max], [.min, .max], [.since, .min, .max],
    ]

    /// Any setup in which what the server says and the app declares is true.
    static func random(
        _ order: SimulatedFeedServer.Order, areAnswersLate: Bool = false, hasBumps: Bool = false,
        using random: inout SplitMix64
    ) -> FeedSetup {
        func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
        var setup = FeedSetup(order: order)
        setup.areAnswersLate = areAnswersLate
        setup.hasBumps = hasBumps && !order.isByID
        setup.parameters = parameterSets[Int.random(in: 0..<parameterSets.count, using: &random)]
        setup.isEndSaid = one(in: 3)
        setup.hasFaults = one(in: 2)
        setup.rules.cap = [3, 5, 40][Int.random(in: 0..<3, using: &random)]
        setup.rules.missingAnchor = [.notFound, .empty, .fromTheHead][Int.random(in: 0..<3, using: &random)]
        setup.rules.parameters = setup.parameters
        if one(in: 5) { setup.rules.parameters.remove(.since) }
        if one(in: 3) {
            setup.rules.inclusive = setup.parameters.filter { _ in Bool.random(using: &random) }
        }
        // A server that answers with nothing about an item it does not have must not be believed.
        let isEmptinessTrue = order.isByID || setup.rules.missingAnchor != .empty
        if isEmptinessTrue, one(in: 4), !setup.hasFaults { setup.emptyPages = .areTrusted }
        if isEmptinessTrue, one(in: 3) { setup.shortPages = .proveTheEnd }
        if !order.isByID, one(in: 3) { setup.spacing = KeySpacing(item: 4, run: 16) }
        return setup
    }
}

extension FeedSetup: CustomStringConvertible {
    var description: String {
        var parts = ["\(order)", "parameters \(parameters.map(\.rawValue).sorted())", "cap \(rules.cap)"]
        if rules.parameters != parameters { parts.append("since is ignored") }
        if !rules.inclusive.isEmpty { parts.append("inclusive \(rules.inclusive.map(\.rawValue).sorted())") }
        if !order.isByID { parts.append("missing anchor \(rules.missingAnchor)") }
        if shortPages == .proveTheEnd { parts.append("short pages prove the end") }
        if emptyPages == .areTrusted { parts.append("empty pages are trusted") }
        if isEndSaid { parts.append("the end is said") }
        if hasFaults { parts.append("faults") }
        if hasBumps { parts.append("bumps") }
        if areAnswersLate { parts.append("late answers") }
        if spacing != .standard { parts.append("narrow keys") }
        return parts.joined(separator: ", ")
    }
}

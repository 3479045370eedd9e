import LarderTestKit

@testable import LarderKit

/// One way a feed may be paged and its server may behave, as an app sees both.
struct SteppingSetup: Sendable, Hashable {
    enum Kind: Sendable, Hashable, CaseIterable {
        case item, cursor, link, pageNumber, offset
    }

    /// What may happen to the list.
    enum Changes: Sendable, Hashable {
        case any
        /// Items come on top (by id: anywhere), and nothing else happens.
        case insertions
        case deletions
        case none
    }

    let kind: Kind
    let order: SimulatedFeedServer.Order
    var parameters: Set<Paging.Parameter> = [.since, .max]
    var shortPages = Paging.ShortPages.proveNothing
    var emptyPages = Paging.EmptyPages.mustComeTwice
    var rules = SimulatedFeedServer.Rules()
    var changes = Changes.any
    /// What a cursor leads back to may have been forgotten: then it looks like any page, so nothing is forgotten.
    var hasLoops = false
    var hasFaults = false
    var hasBumps = false
    /// The feed takes answers as bytes.
    var isRaw = false
    /// How long what is stored is fresh, in steps of a history.
    var freshSteps: Int?
    var fruitlessPages = 10

    init(_ kind: Kind, _ order: SimulatedFeedServer.Order) {
        self.kind = kind
        self.order = order
        rules.continuations =
            switch kind {
            case .item: .none
            case .cursor: .cursor
            case .link: .link
            case .pageNumber: .pageNumber(first: 1)
            case .offset: .offset
            }
    }

    var paging: Paging {
        let listOrder = order == .ranked ? Paging.ListOrder.ranked : .newestOnTop
        switch (kind, order) {
        case (.item, .decimal):
            return .byID(.decimal, parameters: parameters, shortPages: shortPages, emptyPages: emptyPages)
        case (.item, .text):
            return .byID(.text, parameters: parameters, shortPages: shortPages, emptyPages: emptyPages)
        case (.item, .newestOnTop), (.item, .ranked):
            return .afterItem(
                order: listOrder, parameters: parameters, shortPages: shortPages, emptyPages: emptyPages)
        case (.cursor, _): return .cursor(order: listOrder, emptyPages: emptyPages)
        case (.link, _): return .link(order: listOrder, emptyPages: emptyPages)
        case (.pageNumber, _):
            return .pageNumber(order: listOrder, shortPages: shortPages, emptyPages: emptyPages)
        case (.offset, _): return .offset(order: listOrder, shortPages: shortPages, emptyPages: emptyPages)
        }
    }

    /// Every kind with every order it can have.
    static let all: [SteppingSetup] = Kind.allCases.flatMap { kind in
        SimulatedFeedServer.Order.allCases.filter { kind == .item || !$0.isByID }.map { SteppingSetup(kind, $0) }
    }

    /// A setup of this kind and order in which what the server says and the app declares is true.
    func varied(using random: inout SplitMix64) -> SteppingSetup {
        func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
        var setup = self
        let sets = FeedSetup.parameterSets
        setup.parameters = sets[Int.random(in: 0..<sets.count, using: &random)]
        setup.rules.parameters = setup.parameters
        setup.rules.cap = [3, 5, 40][Int.random(in: 0..<3, using: &random)]
        setup.rules.missingAnchor = one(in: 3) ? .empty : .notFound
        setup.rules.endOfList = one(in: 3) ? .said : .unsaid
        setup.hasFaults = one(in: 2)
        // An empty text is no id in a raw answer.
        setup.isRaw = kind == .link ? !one(in: 3) : one(in: 3) && order != .text
        setup.freshSteps = one(in: 2) ? nil : 12
        setup.fruitlessPages = one(in: 2) ? 10 : 4
        if one(in: 4) { setup.rules.inclusive = setup.parameters.filter { _ in Bool.random(using: &random) } }
        if kind == .cursor || kind == .link, one(in: 3) {
            setup.rules.cursorLife = .changes(Int.random(in: 0...4, using: &random), status: one(in: 2) ? 400 : 410)
        }
        if one(in: 3) { setup.rules.hasETags = false }
        let isEmptinessTrue = kind != .item || order.isByID || setup.rules.missingAnchor != .empty
        if isEmptinessTrue, one(in: 4), !setup.hasFaults { setup.emptyPages = .areTrusted }
        if isEmptinessTrue, one(in: 4), !setup.hasFaults { setup.shortPages = .proveTheEnd }
        setup.changes = one(in: 3) ? .insertions : .any
        // What comes and goes in equal numbers between two looks at a numbered page is not noticed.
        if kind == .pageNumber { setup.changes = one(in: 2) ? .insertions : .deletions }
        return setup
    }
}

extension SteppingSetup: CustomStringConvertible {
    var description: String {
        var parts = ["\(kind) \(order)", "cap \(rules.cap)", "changes \(changes)"]
        if kind == .item { parts.append("parameters \(parameters.map(\.rawValue).sorted())") }
        if !rules.inclusive.isEmpty { parts.append("inclusive \(rules.inclusive.map(\.rawValue).sorted())") }
        if kind == .item, !order.isByID { parts.append("missing anchor \(rules.missingAnchor)") }
        if rules.cursorLife != .unlimited { parts.append("cursors live \(rules.cursorLife)") }
        if shortPages == .proveTheEnd { parts.append("short pages prove the end") }
        if emptyPages == .areTrusted { parts.append("empty pages are trusted") }
        if rules.endOfList == .said { parts.append("the end is said") }
        if !rules.hasETags { parts.append("no entity tags") }
        if hasFaults { parts.append("faults") }
        if hasBumps { parts.append("bumps") }
        if isRaw { parts.append("raw") }
        if let freshSteps { parts.append("fresh for \(freshSteps)") }
        parts.append("\(fruitlessPages) fruitless pages")
        return parts.joined(separator: ", ")
    }
}

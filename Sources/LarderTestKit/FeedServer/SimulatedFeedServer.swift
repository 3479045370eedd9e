public import LarderKit
import Synchronization

/// A server of one feed that keeps the rules real servers keep, so that a feed under test meets what it will meet, and a
/// test can ask what was true at any moment.
///
/// ```swift
/// let server = try SimulatedFeedServer(.decimal, holding: 1...100)
/// let feed = me.feed("home", paging: .byID, fetch: server.fetchPage)
/// try server.insert("101")
/// try server.delete("95")
/// #expect(server.ids(at: answer.version) == …)
/// ```
///
/// Every change makes a new version of the whole list, and all versions are kept: memory grows with changes times length.
/// A request costs a walk over the list. Safe to use from many tasks: a request is answered as of one version.
public final class SimulatedFeedServer: Sendable {
    private struct State {
        var rules: Rules
        var versions: [ServedList]
        var faults: [(fault: Fault, times: Int)] = []
        var log: [Exchange] = []

        /// The fault of the next answer.
        mutating func takeFault() -> Fault? {
            guard let first = faults.first else { return nil }
            faults[0].times -= 1
            if faults[0].times <= 0 { faults.removeFirst() }
            return first.fault
        }

        var version: Int { versions.count - 1 }

        /// A page of the newest version, which a list without an end makes first where the page needs it.
        mutating func page(for request: PageRequest, fault: Fault?) throws(ServedList.Refusal) -> ServedList.ServedPage
        {
            let page = try newestPage(for: request, fault: fault)
            guard rules.isEndless, page.lacking > 0, !versions[version].order.isByID else { return page }
            var list = versions[version]
            list.grow(by: page.lacking)
            versions.append(list)
            return try newestPage(for: request, fault: fault)
        }

        private func newestPage(
            for request: PageRequest, fault: Fault?
        ) throws(ServedList.Refusal) -> ServedList.ServedPage {
            try versions[version].page(
                for: ServedList.Question(request: request, rules: rules, fault: fault, version: version))
        }
    }

    private let state: Mutex<State>
    public let order: Order

    /// An empty list, at version 0.
    public init(_ order: Order, rules: Rules = Rules()) {
        self.order = order
        state = Mutex(State(rules: rules, versions: [ServedList(order: order)]))
    }

    /// A list of these ids, newest first, at version 0. For orders by id the ids themselves tell their places.
    public init(_ order: Order, holding ids: [ItemID], rules: Rules = Rules()) throws(Misuse) {
        var list = ServedList(order: order)
        for id in ids.reversed() { try list.insert(Item(id)) }
        self.order = order
        state = Mutex(State(rules: rules, versions: [list]))
    }

    /// A list of numbered items at version 0, the highest number on top. A text order sorts "9" above "10".
    public convenience init(
        _ order: Order, holding numbers: ClosedRange<Int>, rules: Rules = Rules()
    ) throws(Misuse) {
        try self.init(order, holding: numbers.reversed().map { ItemID($0) }, rules: rules)
    }

    /// How the server answers from now on.
    public var rules: Rules {
        get { state.withLock { $0.rules } }
        set { state.withLock { $0.rules = newValue } }
    }

    /// Lets the next `times` answers go wrong in this way, `.max` for all to come. Several faults are taken one an
    /// answer, in order.
    public func inject(_ fault: Fault, times: Int = 1) {
        guard times > 0 else { return }
        state.withLock { $0.faults.append((fault, times)) }
    }

    /// Lets all further answers be right.
    public func clearFaults() {
        state.withLock { $0.faults = [] }
    }

    // MARK: Answering

    /// Answers a request as of the newest version, and logs both.
    public func answer(_ request: PageRequest) -> Answer {
        state.withLock { state in
            let fault = state.takeFault()
            let answer: Answer
            do throws(ServedList.Refusal) {
                let page = try state.page(for: request, fault: fault)
                answer = Answer(
                    page, to: request, version: state.version, fault: fault, hasETag: state.rules.hasETags)
            } catch {
                answer = Answer(error, version: state.version, fault: fault)
            }
            state.log.append(Exchange(request: request, answer: answer))
            return answer
        }
    }

    /// All requests and answers, in order.
    public var log: [Exchange] {
        state.withLock { $0.log }
    }

    /// All requests, in order.
    public var requests: [PageRequest] { log.map(\.request) }

    /// Forgets the log; the list and its versions stay.
    public func clearLog() {
        state.withLock { $0.log = [] }
    }

    // MARK: What is true

    /// The number of the newest version.
    public var version: Int {
        state.withLock { $0.version }
    }

    /// All that a reader could see at a version, newest first. `version` must be one there was.
    public func list(at version: Int) -> [Item] {
        state.withLock { $0.versions[version].entries.filter { !$0.isHidden }.map(\.item) }
    }

    /// The ids of ``list(at:)``.
    public func ids(at version: Int) -> [ItemID] {
        list(at: version).map(\.itemID)
    }

    /// The ids a reader could see now, newest first.
    public var ids: [ItemID] {
        state.withLock { $0.versions[$0.version].entries.filter { !$0.isHidden }.map(\.id) }
    }

    /// Makes the next version, or none when the change is refused.
    func change(_ body: (inout ServedList) throws(Misuse) -> Void) throws(Misuse) -> Int {
        try state.withLock { state throws(Misuse) in
            var list = state.versions[state.version]
            try body(&list)
            state.versions.append(list)
            return state.version
        }
    }
}

import LarderKit

extension ServedList {
    typealias Rules = SimulatedFeedServer.Rules
    typealias Fault = SimulatedFeedServer.Fault
    typealias Item = SimulatedFeedServer.Item

    /// A request, and what else decides how it is answered.
    struct Question: Sendable {
        var request: PageRequest
        let rules: Rules
        let fault: Fault?
        /// The number of the list's version.
        let version: Int
    }

    /// The entries a request is about, as the server understood it.
    struct Interval: Sendable {
        var entries: Range<Int>
        var isCountedFromOldest = false
    }

    struct ServedPage: Sendable {
        let items: [Item]
        let hasMore: Bool
        let follows: PageFollowing
        /// How many older entries the list would need for something to follow the page at its end.
        let lacking: Int
    }

    /// The status of an answer that is no page.
    struct Refusal: Error {
        let status: Int
    }

    /// What a request gets, as the rules say, with a fault if there is one.
    func page(for question: Question) throws(Refusal) -> ServedPage {
        var question = question
        let limit = question.request.limit
        switch question.fault {
        case .status(let status): throw Refusal(status: status)
        case .expired(let status) where question.request.continuation != nil: throw Refusal(status: status)
        case .firstPage: question.request = PageRequest(limit: limit)
        default: break
        }
        guard limit > 0, question.rules.cap > 0 else { throw Refusal(status: 400) }

        let usual = min(limit, question.rules.cap)
        let size = Self.size(usual, fault: question.fault)
        guard let interval = try interval(of: question, size: usual) else {
            let follows = following(0..<0, of: 0..<0, question, size: usual)
            return ServedPage(items: [], hasMore: false, follows: follows, lacking: 0)
        }
        let all = interval.entries
        let page = interval.isCountedFromOldest ? all.suffix(size) : all.prefix(size)
        let isAtTheEnd = page.upperBound == entries.endIndex && !interval.isCountedFromOldest
        return ServedPage(
            items: Self.disturb(entries[page].filter { !$0.isHidden }.map(\.item), by: question.fault),
            hasMore: page.count < all.count,
            follows: following(page, of: all, question, size: usual),
            lacking: isAtTheEnd ? size - page.count + 1 : 0)
    }

    /// What lies between the request's bounds, or from where it goes on: no server here understands both.
    private func interval(of question: Question, size: Int) throws(Refusal) -> Interval? {
        let start = try start(of: question, size: size)
        guard var interval = try interval(boundedBy: question.request, rules: question.rules) else { return nil }
        interval.entries = interval.entries.clamped(to: start..<entries.endIndex)
        return interval
    }

    private static func size(_ usual: Int, fault: Fault?) -> Int {
        switch fault {
        case .oversize(let extra): usual + extra
        case .short(let missing): max(usual - missing, 0)
        case .empty: 0
        case .duplicate, .unsorted, .status, .expired, .loop, .firstPage, .foreignLink, nil: usual
        }
    }

    private static func disturb(_ items: [Item], by fault: Fault?) -> [Item] {
        switch fault {
        case .duplicate: items.prefix(1) + items
        case .unsorted: items.suffix(1) + items.dropLast()
        case .oversize, .short, .empty, .status, .expired, .loop, .firstPage, .foreignLink, nil: items
        }
    }
}

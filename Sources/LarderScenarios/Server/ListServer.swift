import Foundation
import LarderKit

/// The server of a case: pages of the list it holds, as its rule says.
///
/// A cursor stands for the items that were still to come when it was given. Followed later, it goes on with the first of
/// them that is still there.
struct ListServer: Sendable {
    /// A page and what follows it, or the status of an answer that is none.
    enum Page: Sendable {
        case items([ServerScript.Item], next: Next?)
        case refusal(status: Int)
    }

    /// How the server says where to go on, as a query item.
    struct Next: Sendable, Hashable {
        let name: String
        let value: String
    }

    let script: ServerScript
    let rule: ServerRule
    let words: PagingWords
    private var tokens: [[ItemID]] = []

    init(_ script: ServerScript, rule: ServerRule, words: PagingWords) {
        self.script = script
        self.rule = rule
        self.words = words
    }

    mutating func page(for request: AskedRequest, at time: Double) -> Page {
        let items = script.items(at: time)
        let wanted = request.count("limit") ?? rule.limit
        let size = min(wanted, rule.cap ?? wanted)
        guard size > 0 else { return .refusal(status: 400) }
        switch words.kind {
        case .idRange, .afterItem: return bounded(items, request, size)
        case .pageNumber: return numbered(items, request, size)
        case .offset: return slice(items, from: request.count("offset") ?? 0, size)
        case .cursor, .link: return continued(items, request, size)
        }
    }

    // MARK: By position

    private func slice(_ items: [ServerScript.Item], from start: Int, _ size: Int) -> Page {
        .items(Array(items.dropFirst(max(0, start)).prefix(size)), next: nil)
    }

    private func numbered(_ items: [ServerScript.Item], _ request: AskedRequest, _ size: Int) -> Page {
        slice(items, from: ((request.count("page") ?? rule.firstPage) - rule.firstPage) * size, size)
    }

    private mutating func continued(_ items: [ServerScript.Item], _ request: AskedRequest, _ size: Int) -> Page {
        guard let start = start(in: items, request, size) else { return .refusal(status: 410) }
        let page = Array(items.dropFirst(start).prefix(size))
        let end = start + page.count
        guard end < items.count, let last = page.last else { return .items(page, next: nil) }
        switch rule.token {
        case .maxID where words.kind == .link: return .items(page, next: Next(name: "max_id", value: last.id.rawValue))
        case .pageNumber where words.kind == .link:
            let number = request.count("page") ?? rule.firstPage
            return .items(page, next: Next(name: "page", value: String(number + 1)))
        case .index, .pageNumber: return .items(page, next: Next(name: "cursor", value: "i\(end)"))
        case .item, .maxID:
            tokens.append(items.dropFirst(end).map(\.id))
            return .items(page, next: Next(name: "cursor", value: "t\(tokens.count)"))
        }
    }

    /// Where a page begins, or `nil` for a cursor that was never given.
    private func start(in items: [ServerScript.Item], _ request: AskedRequest, _ size: Int) -> Int? {
        if let id = request.parameter("max_id").map({ ItemID($0) }) {
            return interval(of: items, below: (id, rule.max), above: nil)?.lowerBound
        }
        if let page = request.count("page") { return (page - rule.firstPage) * size }
        guard let token = request.parameter("cursor") else { return 0 }
        guard let number = Int(token.dropFirst()) else { return nil }
        if token.hasPrefix("i") { return number }
        guard token.hasPrefix("t"), tokens.indices.contains(number - 1) else { return nil }
        let rest = Set(tokens[number - 1])
        return items.firstIndex { rest.contains($0.id) } ?? items.count
    }

    // MARK: By item

    private func bounded(_ items: [ServerScript.Item], _ request: AskedRequest, _ size: Int) -> Page {
        let bound = { (name: String, rule: ServerRule.Bound?) -> (ItemID, ServerRule.Bound)? in
            guard let rule, rule.isUnderstood else { return nil }
            return request.parameter(name).map { (ItemID($0), rule) }
        }
        let lower = bound("min_id", rule.min) ?? bound("since_id", rule.since)
        guard let interval = interval(of: items, below: bound("max_id", rule.max), above: lower) else {
            return .refusal(status: 404)
        }
        let held = items[interval]
        let page = lower?.1.countsFromOldest == true ? held.suffix(size) : held.prefix(size)
        return .items(Array(page), next: nil)
    }

    /// The places between two bounds, or `nil` where ids do not compare and a bound's item is not there.
    private func interval(
        of items: [ServerScript.Item], below upper: (ItemID, ServerRule.Bound)?,
        above lower: (ItemID, ServerRule.Bound)?
    ) -> Range<Int>? {
        var start = 0
        var end = items.count
        if let (id, bound) = upper {
            guard let place = place(of: id, in: items) else { return nil }
            start = bound.isInclusive ? place.lowerBound : place.upperBound
        }
        if let (id, bound) = lower {
            guard let place = place(of: id, in: items) else { return nil }
            end = bound.isInclusive ? place.upperBound : place.lowerBound
        }
        return start..<max(start, end)
    }

    /// How many items are newer than an id, and how many with itself.
    private func place(of id: ItemID, in items: [ServerScript.Item]) -> Range<Int>? {
        guard words.comparesIDs else {
            return items.firstIndex { $0.id == id }.map { $0..<($0 + 1) }
        }
        let order = IDComparison(isText: words.idType == .text)
        let newer = items.firstIndex { !order.isNewer($0.id, than: id) } ?? items.count
        let through = items[newer...].firstIndex { order.isNewer(id, than: $0.id) } ?? items.count
        return newer..<through
    }
}

/// How a server compares ids: as decimal numbers of any length, or byte by byte.
struct IDComparison: Sendable {
    let isText: Bool

    func isNewer(_ id: ItemID, than other: ItemID) -> Bool {
        let (left, right) = (Array(id.rawValue.utf8), Array(other.rawValue.utf8))
        if !isText, left.count != right.count { return left.count > right.count }
        return right.lexicographicallyPrecedes(left)
    }
}

import Foundation

/// Which part of the timeline is asked for, and what of it makes a page.
///
/// The part is the open interval above `since_id` and `min_id` and below `max_id`; each may be left out. A page holds
/// at most `limit` posts of it, newest first: those next above the lower end when `min_id` is given, else the newest.
struct TimelineQuery: Hashable {
    struct Mistake: Error, Hashable {
        let explanation: String
    }

    var sinceID: UInt64?
    var minID: UInt64?
    var maxID: UInt64?
    var limit = 20

    static let limitCap = 40

    init() {}

    /// - Throws: ``Mistake`` for a parameter given twice, an id that is no decimal number, and a limit below 1.
    init(_ request: ServerRequest) throws(Mistake) {
        sinceID = try Self.id("since_id", request)
        minID = try Self.id("min_id", request)
        maxID = try Self.id("max_id", request)
        limit = try Self.limit(request) ?? limit
    }

    /// The size of a page, `nil` when none is asked for.
    static func limit(_ request: ServerRequest) throws(Mistake) -> Int? {
        guard let text = try value("limit", request) else { return nil }
        guard let limit = Int(text), limit >= 1 else {
            throw Mistake(explanation: "limit must be a whole number from 1 to \(limitCap)")
        }
        return min(limit, limitCap)
    }

    static func value(_ name: String, _ request: ServerRequest) throws(Mistake) -> String? {
        let values = request.queryValues(name)
        guard values.count <= 1 else { throw Mistake(explanation: "\(name) is given \(values.count) times") }
        return values.first
    }

    private static func id(_ name: String, _ request: ServerRequest) throws(Mistake) -> UInt64? {
        guard let text = try value(name, request) else { return nil }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw Mistake(explanation: "\(name) must be an id: a decimal number")
        }
        // A larger number is above every post, as the largest one is.
        return UInt64(text) ?? .max
    }

    /// A page of `ids`, which ascend.
    func page(of ids: [UInt64]) -> TimelinePage {
        let above = [sinceID, minID].compactMap(\.self).max()
        let start = above.map { bound in ids.partitioningIndex { $0 > bound } } ?? 0
        let end = max(start, maxID.map { bound in ids.partitioningIndex { $0 >= bound } } ?? ids.count)
        let part =
            minID == nil ? ids[start..<end].suffix(limit) : ids[start..<end].prefix(limit)
        var page = TimelinePage(ids: part.reversed())
        if let oldest = part.first, part.startIndex > start { page.next = following(next: oldest) }
        if let newest = part.last { page.previous = following(previous: newest) }
        return page
    }

    /// The rest of the same interval, below a page that ends with `oldest`.
    private func following(next oldest: UInt64) -> TimelineQuery {
        var query = self
        query.maxID = oldest
        return query
    }

    /// What is newer than a page that begins with `newest`, up to the same upper end.
    private func following(previous newest: UInt64) -> TimelineQuery {
        var query = self
        query.sinceID = nil
        query.minID = newest
        return query
    }

    /// As a target relative to the server: it stays true behind a proxy.
    var target: String {
        let items = [("since_id", sinceID), ("min_id", minID), ("max_id", maxID)]
        let bounds = items.compactMap { name, value in value.map { "\(name)=\($0)" } }
        return "/timeline?" + (bounds + ["limit=\(limit)"]).joined(separator: "&")
    }
}

struct TimelinePage: Hashable {
    /// Newest first.
    var ids: [UInt64]
    /// Older posts; `nil` when the interval holds none.
    var next: TimelineQuery?
    /// Newer posts; there for every page with posts, as newer ones may yet appear.
    var previous: TimelineQuery?

    /// The value of a Link field (RFC 8288 section 3).
    var link: String? {
        let links = [("next", next), ("prev", previous)].compactMap { relation, query in
            query.map { "<\($0.target)>; rel=\"\(relation)\"" }
        }
        return links.isEmpty ? nil : links.joined(separator: ", ")
    }
}

extension Array {
    /// The first index from which on `isInSecondPart` holds, by halving.
    func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// What a cache tells of an answer (RFC 9211).
public struct CacheStatus: Sendable, Hashable {
    /// What the cache calls itself.
    public var cache: String
    /// It answered without asking.
    public var isHit = false
    /// Why the request went on, where it did: `uri-miss`, `vary-miss`, `stale`, `request` and others of section 2.2.
    public var forwarded: String?
    /// The status that came back.
    public var forwardStatus: Int?
    /// For how many seconds the answer is still fresh, below zero for how long it has been stale.
    public var timeToLive: Int?
    /// The answer was stored.
    public var isStored = false
    /// The request waited for another that was under way.
    public var isCollapsed = false
    /// More, in the cache's own words.
    public var detail: String?

    /// It was served although it is not fresh.
    public var isStale: Bool { (timeToLive ?? 0) < 0 || detail.map { Self.ofStale.contains($0) } ?? false }

    /// How Larder says why it serves what is not fresh, be it by less than a second.
    private static let ofStale: Set = [
        "stale-while-revalidate", "stale-on-error", "max-stale", "offline", "offline-rule",
    ]

    /// The origin said that what was stored still holds.
    public var isRevalidated: Bool { forwardStatus == 304 }

    /// One member of a `Cache-Status` field; `nil` where that is none.
    init?(_ member: Substring) {
        var parts = member.split(outsideQuotesAt: ";").map { $0.trimmed }
        let name = parts.removeFirst()
        guard !name.isEmpty else { return nil }
        cache = Self.text(name)
        for part in parts {
            let pair = part.split(separator: "=", maxSplits: 1)
            let value = pair.count > 1 ? String(pair[1]) : nil
            switch pair.first {
            case "hit": isHit = value != "?0"
            case "fwd": forwarded = value.map { Self.text($0) }
            case "fwd-status": forwardStatus = value.flatMap { Int($0) }
            case "ttl": timeToLive = value.flatMap { Int($0) }
            case "stored": isStored = value != "?0"
            case "collapsed": isCollapsed = value != "?0"
            case "detail": detail = value.map { Self.text($0) }
            default: break
            }
        }
    }

    /// A token or a string (RFC 9651 section 3.3).
    private static func text(_ item: String) -> String {
        guard item.first == "\"" else { return item }
        var text = ""
        var isEscaped = false
        for character in item.dropFirst() {
            if !isEscaped, character == "\\" { isEscaped = true; continue }
            if !isEscaped, character == "\"" { break }
            text.append(character)
            isEscaped = false
        }
        return text
    }
}

extension HTTPURLResponse {
    /// What the cache nearest to the app tells of this answer: Larder's own, where the answer came through it. `nil` where no cache
    /// says anything.
    public var cacheStatus: CacheStatus? {
        guard let field = value(forHTTPHeaderField: "Cache-Status") else { return nil }
        return field[...].split(outsideQuotesAt: ",").last.flatMap { CacheStatus($0) }
    }
}

extension Substring {
    fileprivate func split(outsideQuotesAt separator: Character) -> [Substring] {
        var parts: [Substring] = []
        var start = startIndex
        var isQuoted = false
        var isEscaped = false
        for index in indices {
            let character = self[index]
            if isEscaped { isEscaped = false; continue }
            if isQuoted, character == "\\" { isEscaped = true }
            if character == "\"" { isQuoted.toggle() }
            if !isQuoted, character == separator {
                parts.append(self[start..<index])
                start = self.index(after: index)
            }
        }
        return parts + [self[start...]]
    }

    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

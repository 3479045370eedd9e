internal import LarderKit

internal import struct Foundation.Date

/// An entity tag (RFC 9110 section 8.8.3). What is not in the form of one is compared as it stands.
struct EntityTag: Sendable, Hashable {
    let isWeak: Bool
    let opaque: String

    /// `nil` for an empty value, which is none.
    init?(_ value: String) {
        let bytes = ListMembers.trimmed(Array(value.utf8)[...])
        guard !bytes.isEmpty else { return nil }
        isWeak = bytes.starts(with: "W/".utf8)
        opaque = String(decoding: isWeak ? bytes.dropFirst(2) : bytes, as: UTF8.self)
    }

    /// The first of a message.
    init?(_ headers: HeaderFields) {
        guard let value = headers.first("ETag") else { return nil }
        self.init(value)
    }

    /// Whether they name the same, or what may be used in place of each other.
    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// Whether they name the same, byte for byte.
    func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    /// The members of an `If-None-Match`. A tag has no escapes: it ends at the next quote.
    static func list(_ value: String) -> [EntityTag] {
        var tags: [EntityTag] = []
        var rest = Array(value.utf8)[...]
        while true {
            rest = rest.drop { $0.isBlank || $0 == UInt8(ascii: ",") }
            guard let first = rest.first else { return tags }
            let prefix = rest.starts(with: "W/\"".utf8) ? 3 : first == UInt8(ascii: "\"") ? 1 : 0
            let body = rest.dropFirst(prefix)
            let end =
                prefix > 0
                ? body.firstIndex(of: UInt8(ascii: "\"")).map { $0 + 1 }
                : body.firstIndex(of: UInt8(ascii: ","))
            if let tag = EntityTag(String(decoding: rest[..<(end ?? rest.endIndex)], as: UTF8.self)) {
                tags.append(tag)
            }
            rest = rest[(end ?? rest.endIndex)...]
        }
    }
}

extension HTTPRules {
    /// Fields that make a request conditional, in small letters (RFC 9110 section 13.1).
    static let conditions: Set = ["if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range"]

    /// Conditions that only the origin can judge, since what is stored may be older (RFC 9110 sections 13.1.1 and 13.1.4).
    static func isForOriginAlone(_ request: HeaderFields) -> Bool {
        request.has("If-Match") || request.has("If-Unmodified-Since")
    }

    /// How this request is answered with this stored answer, whose fitness is taken for granted: the client's conditions
    /// first, then its range (RFC 9110 section 13.2.2). `nil` where it cannot be: the bytes asked for are not there, or several
    /// ranges are asked for, which only the origin puts together.
    package static func form(for request: HTTPRequestHead, of stored: StoredAnswer) -> Serving.Form? {
        if isUnmodified(request.headers, stored) { return .notModified }
        guard request.method == "GET" else { return stored.part == nil ? .whole : nil }
        return rangeForm(request.headers, stored)
    }

    /// Whether the client's own condition says that it has this (RFC 9111 section 4.3.2): `If-None-Match` by weak comparison, and
    /// only without one `If-Modified-Since`, against `Last-Modified` or else the time it was made.
    private static func isUnmodified(_ request: HeaderFields, _ stored: StoredAnswer) -> Bool {
        guard 200..<300 ~= stored.status else { return false }
        if let condition = request["If-None-Match"] {
            if String(decoding: ListMembers.trimmed(Array(condition.utf8)[...]), as: UTF8.self) == "*" { return true }
            guard let own = EntityTag(stored.headers) else { return false }
            return EntityTag.list(condition).contains { $0.matchesWeakly(own) }
        }
        guard let condition = request["If-Modified-Since"],
            let since = HTTPDate.parse(condition, now: stored.receivedAt)
        else { return false }
        return (lastModified(stored) ?? made(stored)) <= since
    }

    /// Whether a range may be served from this answer (RFC 9110 section 13.1.5): by a strong tag, or by the exact date.
    static func fitsIfRange(_ request: HeaderFields, _ stored: StoredAnswer) -> Bool {
        guard let condition = request["If-Range"] else { return true }
        if let date = HTTPDate.parse(condition, now: stored.receivedAt) {
            return lastModified(stored) == date && isStrongDate(stored)
        }
        guard let tag = EntityTag(condition), let own = EntityTag(stored.headers) else { return false }
        return tag.matchesStrongly(own)
    }

    static func lastModified(_ stored: StoredAnswer) -> Date? {
        stored.headers.first("Last-Modified").flatMap { HTTPDate.parse($0, now: stored.receivedAt) }
    }

    static func made(_ stored: StoredAnswer) -> Date {
        stored.headers["Date"].flatMap { HTTPDate.parse($0, now: stored.receivedAt) } ?? stored.receivedAt
    }

    /// Whether `Last-Modified` tells one state of the content from every other: it was made a second later at least
    /// (RFC 9110 section 8.8.2.2).
    static func isStrongDate(_ stored: StoredAnswer) -> Bool {
        guard let modified = lastModified(stored),
            let made = stored.headers["Date"].flatMap({ HTTPDate.parse($0, now: stored.receivedAt) })
        else { return false }
        return made.timeIntervalSince(modified) >= 1
    }
}

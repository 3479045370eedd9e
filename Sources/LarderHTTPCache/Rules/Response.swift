internal import LarderKit

package import struct Foundation.Date

extension HTTPRules {
    /// The head for a client: `Age` set, the form's status and fields, nothing else changed (RFC 9111 section 4.2.3, 5.1).
    package static func response(_ stored: StoredAnswer, as form: Serving.Form, now: Date) -> HTTPResponseHead {
        response(stored, as: form, age: age(of: stored, now: now))
    }

    /// The same with the age that ``FreshnessFacts/age(at:)`` says.
    package static func response(_ stored: StoredAnswer, as form: Serving.Form, age: Double) -> HTTPResponseHead {
        var head = HTTPResponseHead(status: stored.status, reason: stored.reason, headers: stored.headers)
        switch form {
        case .whole: head.headers = stored.headers.without(["age"])
        case .notModified:
            // What describes a body that is not sent would describe none (RFC 9110 section 15.4.5).
            head = HTTPResponseHead(
                status: 304, reason: "Not Modified",
                headers: stored.headers.without([
                    "age", "content-encoding", "content-language", "content-length", "content-range", "content-type",
                ]))
        case .part(let range):
            head = HTTPResponseHead(
                status: 206, reason: "Partial Content",
                headers: stored.headers.without(["age", "content-length", "content-range"]))
            let total = stored.part.map { $0.total.map { String($0) } ?? "*" } ?? String(stored.size)
            head.headers.append(
                name: "Content-Range", value: "bytes \(range.lowerBound)-\(range.upperBound)/\(total)")
            head.headers.append(name: "Content-Length", value: String(bytes(of: form, in: stored).count))
        case .unsatisfiable:
            // Nothing of the stored answer but how long it is (RFC 9110 section 15.5.17).
            let total = stored.part?.total ?? stored.size
            return HTTPResponseHead(
                status: 416, reason: "Range Not Satisfiable",
                headers: ["Content-Range": "bytes */\(total)", "Content-Length": "0"])
        }
        head.headers.append(name: "Age", value: String(wholeSeconds(age)))
        return head
    }

    /// The head for the client whose own exchange brought `response`, a 304 or the rest of a body: with the cookies that this
    /// sets, which are for that client alone and not stored for others.
    package static func settingCookies(of response: HTTPResponseHead, _ head: HTTPResponseHead) -> HTTPResponseHead {
        let cookies = response.headers.fields.filter { $0.name.equalsIgnoringCase("Set-Cookie") }
        guard !cookies.isEmpty else { return head }
        var head = head
        head.headers = HeaderFields(head.headers.without(["set-cookie"]).fields + cookies)
        return head
    }

    /// How long an answer is still fresh, in whole seconds, below zero when it is stale.
    package static func timeToLive(_ facts: FreshnessFacts, now: Date) -> Int {
        let left = facts.lifetime - facts.age(at: now)
        return left < 0 ? -wholeSeconds(-left) : wholeSeconds(left)
    }

    /// Downwards, from none to 2^31.
    private static func wholeSeconds(_ seconds: Double) -> Int {
        guard seconds < Double(DeltaSeconds.limit) else { return DeltaSeconds.limit }
        return seconds > 0 ? Int(seconds) : 0
    }

    /// The value of a `Cache-Status` field (RFC 9211).
    package static func cacheStatus(_ facts: CacheStatusFacts) -> String {
        var value = "Larder"
        if facts.isHit { value += "; hit" }
        if let reason = facts.forwarded { value += "; fwd=\(reason.rawValue)" }
        if let status = facts.forwardStatus { value += "; fwd-status=\(status)" }
        if let seconds = facts.timeToLive { value += "; ttl=\(seconds)" }
        if facts.isStored { value += "; stored" }
        if facts.isCollapsed { value += "; collapsed" }
        if let detail = facts.detail { value += "; detail=\(structured(detail))" }
        return value
    }

    /// A token where it is one, else a string; what neither can hold becomes a question mark (RFC 9651 sections 3.3.3, 3.3.4).
    private static func structured(_ text: String) -> String {
        if let first = text.utf8.first, first.isLetter, text.utf8.allSatisfy({ $0.isTokenByte }) { return text }
        let bytes = text.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
            case 0x20...0x7E: [byte]
            default: [UInt8(ascii: "?")]
            }
        }
        return "\"\(String(decoding: bytes, as: UTF8.self))\""
    }
}

/// What an answer of the cache tells of itself (RFC 9211).
package struct CacheStatusFacts: Sendable, Hashable {
    /// It came from the cache without asking: `hit`.
    package var isHit = false
    /// Why the request went on to the origin: `fwd`, and the status that came: `fwd-status`.
    package var forwarded: Asking.Reason?
    package var forwardStatus: Int?
    /// How long it is still fresh, in seconds, below zero when stale: `ttl`.
    package var timeToLive: Int?
    package var isStored = false
    /// The request waited for another's: `collapsed`.
    package var isCollapsed = false
    /// In a word or a few: `detail`. `stale-if-error`, `offline`, `offline-rule`, why nothing was stored.
    package var detail: String?

    package init() {}
}

package import LarderKit

package import struct Foundation.Date

/// RFC 9111 and what belongs to it, as functions of what was asked, what is stored and what time it is.
package enum HTTPRules {
    // MARK: Keys and variants

    /// What answers to a GET or HEAD of `url` are stored under: scheme and host in small letters, no default port, no fragment, an
    /// empty path as `/`; nothing else is changed (RFC 9110 section 4.2.3). `nil` for what is no absolute http or https URI.
    package static func key(of url: String) -> String? { preconditionFailure("not written yet") }

    /// The names in an answer's `Vary`, in small letters, sorted, each once, `ignored` ones left out; `nil` where `*` is among them.
    package static func varyNames(of headers: HeaderFields, ignoring ignored: Set<String>) -> [String]? {
        preconditionFailure("not written yet")
    }

    /// The variant that `request` selects under these names.
    package static func variant(of request: HeaderFields, names: [String]) -> Variant {
        preconditionFailure("not written yet")
    }

    /// Whether an answer of this variant may serve the request (RFC 9111 section 4.1). More than equal variants: a stored
    /// `Content-Language` that is the request's first choice fits `Accept-Language`.
    package static func matches(_ stored: StoredAnswer, _ request: HeaderFields) -> Bool {
        preconditionFailure("not written yet")
    }

    // MARK: A request comes

    /// Judges a request against all that is stored under its URI, in any order.
    package static func plan(_ request: HTTPRequestHead, _ stored: [StoredAnswer], _ context: ReuseContext) -> ReusePlan
    { preconditionFailure("not written yet") }

    // MARK: An answer comes

    /// Whether an answer counts as the origin having failed: 500, 502, 503, 504 (RFC 5861 section 4).
    package static func isFailure(_ status: Int) -> Bool { preconditionFailure("not written yet") }

    /// Whether and how an answer to `request` is stored. `request` is what the client asked, with its own fields.
    package static func store(
        _ response: HTTPResponseHead, to request: HTTPRequestHead, asked: Date, received: Date,
        ignoredVary: Set<String>,
        _ context: ReuseContext
    ) -> StorePlan { preconditionFailure("not written yet") }

    /// The stored answer that a 304 confirms, freshened by its fields (RFC 9111 section 4.3.4, RFC 9111 section 3.2); `nil`
    /// where it confirms none of it.
    package static func freshened(
        _ stored: StoredAnswer, by response: HTTPResponseHead, asked: Date, received: Date
    ) -> StoredAnswer? { preconditionFailure("not written yet") }

    /// The same by the 200 to a HEAD request (RFC 9111 section 4.3.5); `nil` where length or validators say that it is another one,
    /// which is then to count as invalidated.
    package static func updated(
        _ stored: StoredAnswer, byHead response: HTTPResponseHead, asked: Date, received: Date
    ) -> StoredAnswer? { preconditionFailure("not written yet") }

    /// Whether a 206 continues what is stored, exactly (RFC 9111 section 3.4, RFC 9110 section 15.3.7.3).
    package static func continues(_ stored: StoredAnswer, by response: HTTPResponseHead, from first: Int)
        -> StoredAnswer?
    { preconditionFailure("not written yet") }

    /// The URIs whose stored answers count as invalidated after this exchange (RFC 9111 section 4.4).
    package static func invalidated(by response: HTTPResponseHead, to request: HTTPRequestHead) -> [String] {
        preconditionFailure("not written yet")
    }

    // MARK: An answer goes out

    /// What a client is given of a stored answer that serves it: the whole, a part, or that it has it already.
    package static func form(for request: HTTPRequestHead, of stored: StoredAnswer) -> Serving.Form {
        preconditionFailure("not written yet")
    }

    /// The head for a client: `Age` set, the form's status and fields, nothing else changed (RFC 9111 section 4.2.3, 5.1).
    package static func response(
        _ stored: StoredAnswer, as form: Serving.Form, now: Date
    ) -> HTTPResponseHead { preconditionFailure("not written yet") }

    /// The age of a stored answer in seconds, never below zero (RFC 9111 section 4.2.3).
    package static func age(of stored: StoredAnswer, now: Date) -> Double { preconditionFailure("not written yet") }
    /// For how long it is fresh, in seconds (RFC 9111 section 4.2.1, RFC 9213); zero where it does not say and may not be guessed.
    package static func lifetime(of stored: StoredAnswer, kind: CacheKind, now: Date) -> Double {
        preconditionFailure("not written yet")
    }

    /// The fields of a message without those that concern one connection only, the ones its `Connection` names included
    /// (RFC 9110 section 7.6.1).
    package static func endToEnd(_ headers: HeaderFields) -> HeaderFields { preconditionFailure("not written yet") }

    /// The value of a `Cache-Status` field (RFC 9211).
    package static func cacheStatus(_ facts: CacheStatusFacts) -> String { preconditionFailure("not written yet") }
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

package import LarderKit

package import struct Foundation.Date

/// What a request is judged in the light of.
package struct ReuseContext: Sendable, Hashable {
    package var kind: CacheKind
    package var now: Date
    /// The first of the user's rules whose host and path fit.
    package var rule: OfflineRule?
    /// Nothing is to be asked: what is stored is the only chance.
    package var isOffline = false
    /// Who asks, for answers that one client alone may have; see ``StoredAnswer/client``.
    package var client: String?

    package init(
        kind: CacheKind, now: Date, rule: OfflineRule? = nil, isOffline: Bool = false, client: String? = nil
    ) {
        self.kind = kind
        self.now = now
        self.rule = rule
        self.isOffline = isOffline
        self.client = client
    }
}

/// What is done with a request (RFC 9111 section 4).
package enum ReusePlan: Sendable, Hashable {
    /// Answer from what is stored.
    case serve(Serving)
    /// Ask the origin.
    case ask(Asking)
    /// Answer 504 without asking: `only-if-cached` (RFC 9111 section 5.2.1.7), or offline, with nothing to serve.
    case refuse
}

/// An answer from the cache.
package struct Serving: Sendable, Hashable {
    /// Which of the stored answers.
    package var index: Int
    package var form: Form
    /// `nil` for a fresh one.
    package var stale: StaleReason?
    /// It is to be asked for again meanwhile (RFC 5861 section 3).
    package var revalidates = false
    /// Only an ``OfflineRule`` allows it.
    package var isByRule = false

    package init(
        index: Int, form: Form = .whole, stale: StaleReason? = nil, revalidates: Bool = false, isByRule: Bool = false
    ) {
        self.index = index
        self.form = form
        self.stale = stale
        self.revalidates = revalidates
        self.isByRule = isByRule
    }

    package enum Form: Sendable, Hashable {
        /// The stored status and body; to a HEAD request, without the body.
        case whole
        /// 304: the client's own condition says that it has this (RFC 9111 section 4.3.2).
        case notModified
        /// 206 with these bytes of the whole body (RFC 9110 section 14).
        case part(ClosedRange<Int>)
        /// 416: the range asked for lies behind the end.
        case unsatisfiable
    }

    package enum StaleReason: String, Sendable, Hashable {
        /// `stale-while-revalidate`.
        case whileRevalidate = "stale-while-revalidate"
        /// The origin failed, or could not be reached, and nothing forbids it (RFC 9111 section 4.2.4, RFC 5861 section 4).
        case onError = "stale-on-error"
        /// The request's `max-stale`.
        case maxStale = "max-stale"
        /// The cache is offline.
        case offline
    }
}

/// A request to the origin.
package struct Asking: Sendable, Hashable {
    package var reason: Reason
    /// Which stored answer a 304 confirms, where one is validated.
    package var validates: Int?
    /// The whole body is completed: these fields ask for the rest of what is stored of that answer.
    package var resumes: Resumption?
    /// What goes out in place of the client's own header fields: conditions and ranges as needed, without what concerns one
    /// connection only.
    package var headers: HeaderFields
    /// What is served should the origin answer with a failure (``HTTPRules/isFailure(_:)``); `nil` to pass that on.
    package var ifFails: Serving?
    /// What is served should no answer come at all; `nil` for nothing.
    package var ifUnreachable: Serving?
    /// Others who want the same may wait for this answer (RFC 9111 section 4).
    package var isShareable = false

    package init(reason: Reason, headers: HeaderFields) {
        self.reason = reason
        self.headers = headers
    }

    /// In the words of RFC 9211 section 2.2.
    package enum Reason: String, Sendable, Hashable {
        case bypass, method
        case uriMiss = "uri-miss"
        case varyMiss = "vary-miss"
        case miss, request, stale, partial
    }

    package struct Resumption: Sendable, Hashable {
        package var index: Int
        /// The first byte that is missing.
        package var from: Int

        package init(index: Int, from: Int) {
            self.index = index
            self.from = from
        }
    }
}

/// What is stored of an answer.
package enum StorePlan: Sendable, Hashable {
    /// Store it, with its body to come; `size` and the rest of the body's facts are still to be set.
    case store(StoredAnswer)
    /// Pass it on alone.
    case pass(Reason)

    package enum Reason: String, Sendable, Hashable {
        case method, status, noStore = "no-store", isPrivate = "private", authorization, varies = "vary"
        case cookie, requestNoStore = "request no-store", notReusable = "no freshness and no validator"
        case malformedRange = "malformed range"
        /// It goes on for as long as somebody listens.
        case endless = "endless stream"
        /// Larger than what the cache stores of one body.
        case size
        /// What is stored is the better answer.
        case worse = "what is stored is better"
    }
}

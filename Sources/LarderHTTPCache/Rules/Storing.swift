internal import LarderKit

package import struct Foundation.Date

extension HTTPRules {
    /// Whether an answer counts as the origin having failed: 500, 502, 503, 504 (RFC 5861 section 4).
    package static func isFailure(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }

    /// Whether and how an answer to `request` is stored (RFC 9111 section 3). `request` is what the client asked, with its own
    /// fields.
    ///
    /// A success or a lasting redirect is stored even if it says nothing of its freshness and has no validator: it is not used
    /// while the origin can be reached, and allowed to be when it cannot (section 4.2.4).
    package static func store(
        _ response: HTTPResponseHead, to request: HTTPRequestHead, asked: Date, received: Date,
        ignoredVary: Set<String>, _ context: ReuseContext
    ) -> StorePlan {
        let directives = AnswerDirectives(response.headers, context.kind)
        guard 200..<1000 ~= response.status, response.status != 304 else { return .pass(.status) }
        guard isStorable(request, response, directives) else { return .pass(.method) }
        if RequestDirectives(request.headers).noStore { return .pass(.requestNoStore) }
        guard !isEndless(response.headers) else { return .pass(.endless) }
        let keeping: Keeping
        switch self.keeping(response, to: request, directives, context) {
        case .success(let found): keeping = found
        case .failure(let refusal): return .pass(refusal.reason)
        }
        guard let names = selectingNames(of: response.headers, ignoring: ignoredVary) else { return .pass(.varies) }
        var stored = StoredAnswer(
            status: response.status, reason: response.reason,
            headers: dated(endToEnd(response.headers), received).without(keeping.hasCookies ? [] : ["set-cookie"]),
            variant: variant(of: request.headers, names: names), requestedAt: asked, receivedAt: received,
            size: response.headers.first("Content-Length").flatMap { Decimal.parse($0) } ?? 0)
        stored.client = keeping.client
        stored.isKeptByRule = keeping.isByRule
        // A private cache leaves the cookie out and keeps the body, which is of that one session all the same.
        let setsCookie = context.kind == .private && response.headers.has("Set-Cookie")
        stored.isOfAuthorised = request.headers.has("Authorization") || setsCookie
        if response.status == 206 {
            guard let part = StoredAnswer.Part(contentRange: response.headers) else { return .pass(.malformedRange) }
            stored.part = part
        }
        guard isUseful(stored, directives, context.kind) else { return .pass(.notReusable) }
        return .store(stored)
    }

    /// GET; and POST where the answer says that it is what a GET would get, and for how long (RFC 9110 section 9.3.3). Nothing
    /// else, and HEAD never: it has no body.
    private static func isStorable(
        _ request: HTTPRequestHead, _ response: HTTPResponseHead, _ directives: AnswerDirectives
    ) -> Bool {
        if request.method == "GET" { return true }
        guard request.method == "POST", 200..<300 ~= response.status, response.status != 206,
            directives.maxAge != nil || directives.sharedMaxAge != nil || response.headers.has("Expires"),
            let location = response.headers["Content-Location"], let own = key(of: request.url)
        else { return false }
        return key(of: location, at: request.url) == own
    }

    /// A stream of events, or of pictures each in the place of the one before: there is no end to be stored with.
    private static func isEndless(_ headers: HeaderFields) -> Bool {
        let type = headers.first("Content-Type")?.lowercased().prefix { $0 != ";" && $0 != " " } ?? ""
        return type == "text/event-stream" || type == "multipart/x-mixed-replace"
    }

    /// For whom it is kept, and with what.
    private struct Keeping {
        var client: String?
        var hasCookies = false
        var isByRule = false
    }

    private struct Refusal: Error {
        let reason: StorePlan.Reason
    }

    /// What `no-store`, `private`, `Authorization` and cookies allow.
    private static func keeping(
        _ response: HTTPResponseHead, to request: HTTPRequestHead, _ directives: AnswerDirectives,
        _ context: ReuseContext
    ) -> Result<Keeping, Refusal> {
        var keeping = Keeping()
        if directives.forbidsStoring(status: response.status) {
            guard context.rule?.keepsNoStore == true else { return .failure(Refusal(reason: .noStore)) }
            keeping.isByRule = true
        }
        guard context.kind == .shared else { return .success(keeping) }
        // `must-revalidate` allows it because it is never served unvalidated, as what a rule keeps is.
        let isForAuthorised = keeping.isByRule ? directives.isForAll : directives.allowsAuthorised
        if request.headers.has("Authorization"), !isForAuthorised { return .failure(Refusal(reason: .authorization)) }
        if directives.isPrivate {
            // A rule does not make one client's answer another's.
            guard keeping.isByRule, let client = context.client else { return .failure(Refusal(reason: .isPrivate)) }
            keeping.client = client
        }
        if response.headers.has("Set-Cookie"), !directives.isForAll || directives.isPrivate {
            guard let client = context.client else { return .failure(Refusal(reason: .cookie)) }
            keeping.client = client
            keeping.hasCookies = true
        }
        return .success(keeping)
    }

    /// Whether it can ever be used: fresh for a time, or good to be validated or served stale.
    private static func isUseful(_ stored: StoredAnswer, _ directives: AnswerDirectives, _ kind: CacheKind) -> Bool {
        switch stored.status {
        case 200, 203, 204, 206, 300, 301, 308: true
        default: !stored.isKeptByRule && !directives.noCache && FreshnessFacts(stored, kind).lifetime > 0
        }
    }

    /// With a `Date`, where there is none (RFC 9110 section 6.6.1).
    static func dated(_ headers: HeaderFields, _ received: Date) -> HeaderFields {
        guard !headers.has("Date") else { return headers }
        var dated = headers
        dated.append(name: "Date", value: HTTPDate.format(received))
        return dated
    }
}

import Foundation

/// What a raw answer amounts to: a value, "not modified", or a failure. Pure.
///
/// A bad answer never stands in for a good value: only 200 and 203 bring one; 202 ("still computing"), 204 and 206 do
/// not, and neither does a page of HTML where JSON was due.
enum AnswerVerdict: Sendable, Hashable {
    case value
    case notModified
    case failure(FetchFailure)

    init(_ answer: RawAnswer, isJSONDue: Bool, now: Date) {
        switch answer.status {
        case 304:
            self = .notModified
        case 200, 203:
            if let length = answer.headers["Content-Length"].flatMap({ Int($0) }), answer.body.count < length,
                answer.headers["Content-Encoding"] == nil
            {
                self = .failure(
                    FetchFailure(.wrongAnswer, "the answer was cut: \(answer.body.count) of \(length) bytes came"))
            } else if isJSONDue, Self.looksLikeHTML(answer) {
                self = .failure(
                    .interception("the answer looks like HTML, not JSON: a sign-in page or an error page?"))
            } else {
                self = .value
            }
        case 300..<400 where Self.leadsElsewhere(answer):
            self = .failure(.interception("the answer leads to another server: to a sign-in page?"))
        default:
            let retryAfter = answer.headers["Retry-After"].flatMap { RetryAfter.parse($0, now: now) }
            self = .failure(.http(status: answer.status, retryAfter: retryAfter))
        }
    }

    /// Whether a redirect leaves the origin. One of a kind that a network asking for a sign-in puts in an answer's place is no
    /// word of the server's about what was asked for.
    private static func leadsElsewhere(_ answer: RawAnswer) -> Bool {
        guard let location = answer.headers["Location"] else { return false }
        // Without knowing from where, a move for good is taken for the server's word.
        guard let url = answer.url else { return ![301, 308].contains(answer.status) && location.contains("://") }
        do {
            _ = try ContinuationLink.resolve(location, against: url)
            return false
        } catch {
            return true
        }
    }

    /// Judged by the body first, since some servers label JSON as HTML; portals do not label HTML as JSON alone.
    private static func looksLikeHTML(_ answer: RawAnswer) -> Bool {
        let first = answer.body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if first == ASCII.less { return true }
        let isObjectOrArray = first == ASCII.openBracket || first == ASCII.openBrace
        return MediaType(contentType: answer.headers["Content-Type"]) == .html && !isObjectOrArray
    }
}

extension FetchFailure {
    static func interception(_ explanation: String) -> FetchFailure {
        var failure = FetchFailure(.wrongAnswer, explanation)
        failure.isInterception = true
        return failure
    }
}

/// How long an answer is good by its own headers, and how old it was when it came (RFC 9111 sections 4.2 and 5.2.2).
struct AnswerFreshness: Sendable, Hashable {
    let lifetime: Duration?
    let initialAge: Duration
    /// For how long it may be served when stale (RFC 5861); not at all where it has to be asked for again first.
    let stale: StaleWindows
    /// It is not to be kept.
    let isNotToBeStored: Bool

    /// `no-store` and `no-cache` are lifetime zero: a typed resource or feed is kept all the same, since the app asked
    /// for that, and asked for again at the next read.
    init(_ headers: HeaderFields) {
        let control = CacheControl(headers)
        if control.noStore || control.noCache {
            lifetime = .zero
        } else {
            lifetime = control.maxAge.map { .seconds($0) }
        }
        isNotToBeStored = control.noStore
        stale =
            control.mustRevalidate || control.noCache
            ? StaleWindows(ifError: .zero)
            : StaleWindows(
                whileRevalidate: control.staleWhileRevalidate.map { .seconds($0) },
                ifError: control.staleIfError.map { .seconds($0) })
        initialAge = headers["Age"].flatMap { Age.parse($0) }.map { .seconds($0) } ?? .zero
    }
}

extension Validators {
    /// The validators that an answer brought. An empty field is none: sent back, it would match nothing.
    init(_ headers: HeaderFields) {
        self.init(
            etag: headers["ETag"].flatMap { $0.isEmpty ? nil : $0 },
            lastModified: headers["Last-Modified"].flatMap { $0.isEmpty ? nil : $0 })
    }
}

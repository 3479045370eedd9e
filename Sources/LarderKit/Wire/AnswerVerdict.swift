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
                    FetchFailure(
                        .wrongAnswer, "the answer looks like HTML, not JSON: a sign-in page or an error page?"))
            } else {
                self = .value
            }
        default:
            let retryAfter = answer.headers["Retry-After"].flatMap { RetryAfter.parse($0, now: now) }
            self = .failure(.http(status: answer.status, retryAfter: retryAfter))
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

/// How long an answer is good by its own headers, and how old it was when it came (RFC 9111 sections 4.2 and 5.2.2).
struct AnswerFreshness: Sendable, Hashable {
    let lifetime: Duration?
    let initialAge: Duration

    /// `no-store` and `no-cache` are lifetime zero: a typed resource or feed is kept all the same, since the app asked
    /// for that, and asked for again at the next read.
    init(_ headers: HeaderFields) {
        let control = CacheControl(headers)
        if control.noStore || control.noCache {
            lifetime = .zero
        } else {
            lifetime = control.maxAge.map { .seconds($0) }
        }
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

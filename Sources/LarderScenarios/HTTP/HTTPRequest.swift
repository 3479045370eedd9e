import Foundation
import LarderKit

/// A request as the app makes it, and what the origin answers if it is asked.
struct HTTPRequest: Sendable {
    let url: String
    /// Instead of the case's own.
    let policy: ReadPolicy?
    let answers: HTTPAnswers
    /// How many callers make it at once.
    let callers: Int
    /// The name of a request that is not waited for.
    let name: String?
    /// The name of a handle that is made once and used again.
    let handle: String?

    init(_ fields: ScriptFields, sent: Date) throws(CaseFailure) {
        guard let request = try fields.fields("request", known: ["method", "url", "headers"]) else {
            throw CaseFailure("\(fields.place) has no request")
        }
        let method = try request.text("method") ?? "GET"
        guard method == "GET" else { throw HTTPScript.needsCache("the method \(method)") }
        guard fields["client"] == nil else { throw HTTPScript.needsCache("several clients") }
        url = try request.required("url")
        let own = try PolicyWords.policy("policy", in: fields)
        let control = try fields.text("requestCacheControl")
        policy = try Self.policy(try request.headers("headers"), control, hasAccount: fields["account"] != nil) ?? own
        guard let origin = fields["origin"] else { throw CaseFailure("\(fields.place) has no origin") }
        answers = try HTTPAnswers(origin, at: "\(fields.place).origin", sent: sent)
        callers = try fields.count("parallel") ?? 1
        guard callers > 0 else { throw fields.mismatch("parallel", "a number of callers") }
        name = try fields.text("as")
        handle = try fields.text("handle")
    }

    /// What the header fields of a request say to a cache, as a policy. The typed layer has no others.
    private static func policy(
        _ headers: HeaderFields, _ control: String?, hasAccount: Bool
    ) throws(CaseFailure) -> ReadPolicy? {
        var directives = control.map { [$0] } ?? []
        for field in headers.fields {
            switch field.name.lowercased() {
            case "cache-control": directives.append(field.value)
            // The account says which partition it is; a token changes more often.
            case "authorization" where hasAccount: break
            default: throw HTTPScript.needsCache("the request's \(field.name)")
            }
        }
        var policy: ReadPolicy?
        for directive in directives {
            switch directive {
            case "only-if-cached": policy = .cacheOnly
            case "no-cache": policy = .networkOnly
            default: throw HTTPScript.needsCache("the request's Cache-Control: \(directive)")
            }
        }
        return policy
    }
}

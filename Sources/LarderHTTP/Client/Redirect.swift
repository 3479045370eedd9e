import Foundation
import LarderHTTPCache
import LarderKit

/// Where a redirect leads (RFC 9110 section 15.4).
struct Redirect: Sendable, Hashable {
    /// The next request; without a `Cookie` of the first where it goes to another origin.
    var request: HTTPRequestHead
    /// It has the body of the one before.
    var keepsBody: Bool

    /// - Returns: `nil` for what is no redirect, or none to follow: without a place, to another scheme than http and https, with
    ///   a user name.
    init?(_ answer: HTTPResponseHead, to request: HTTPRequestHead) {
        guard [301, 302, 303, 307, 308].contains(answer.status),
            let location = answer.headers.values(of: "Location").first, let base = URL(string: request.url),
            let target = URL(string: WireText.text(of: location), relativeTo: base)?.withoutFragment,
            let home = WebOrigin(base), let origin = WebOrigin(target)
        else { return nil }
        self.request = request
        self.request.url = target.absoluteString
        keepsBody = true
        let becomesGet =
            answer.status == 303
            ? !["GET", "HEAD"].contains(request.method)
            : [301, 302].contains(answer.status) && request.method == "POST"
        if becomesGet {
            keepsBody = false
            self.request.method = "GET"
            self.request.headers = request.headers.without(Self.contentFields)
        }
        if origin != home {
            let fields = self.request.headers.fields.filter { !SecretName.isSecret($0.name) }
            self.request.headers = HeaderFields(fields)
        }
    }

    /// How many are followed in a row.
    static let limit = 20

    /// Takes the body of a redirect that is followed, so that it can be stored; a long one is given up.
    static func passOver(_ answer: HTTPAnswer) async { _ = try? await answer.body.collect(upTo: 64 << 10) }

    private static let contentFields: Set = [
        "content-type", "content-length", "content-encoding", "content-language", "content-location", "digest",
        "last-modified", "transfer-encoding",
    ]
}

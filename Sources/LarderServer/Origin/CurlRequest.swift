import Foundation
import LarderKit

/// A request that has been found fit to be sent.
struct CurlRequest: Sendable {
    let method: String
    let url: String
    /// Without the fields that are libcurl's to say.
    let headers: HeaderFields
    let body: Data?
    let bodyLimit: Int
    let decodesBody: Bool
    var timeLeft: Duration?

    /// ``url``, parsed.
    let location: URL

    /// - Throws: `other` for what cannot be sent. The explanations repeat nothing of it: a URL may carry a token.
    init(
        method: String, url: String, headers: HeaderFields, body: Data?, bodyLimit: Int, decodesBody: Bool
    ) throws(FetchFailure) {
        guard let location = URL(string: url, encodingInvalidCharacters: false) else {
            throw FetchFailure(.other, "the URL is not valid; escape blanks and other special characters with %")
        }
        guard let scheme = location.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            throw FetchFailure(.other, "the URL must start with http:// or https://")
        }
        guard location.host()?.isEmpty == false else { throw FetchFailure(.other, "the URL names no host") }
        guard location.user() == nil, location.password() == nil else {
            throw FetchFailure(.other, "the URL carries a user name; send an Authorization header instead")
        }
        guard method.isToken else { throw FetchFailure(.other, "the method is not a word") }
        for field in headers.fields {
            guard field.name.isToken else { throw FetchFailure(.other, "the name of a header field is not a word") }
            guard !field.value.utf8.contains(where: { [0x00, 0x0A, 0x0D].contains($0) }) else {
                throw FetchFailure(.other, "the value of a header field has a line break in it")
            }
        }
        self.method = method
        self.url = url
        self.location = location
        self.headers = HeaderFields(headers.fields.filter { !$0.isFraming })
        // A method that is made to carry a body says so even when that is empty (RFC 9110 section 8.6).
        self.body = body ?? (["POST", "PUT", "PATCH"].contains(method) ? Data() : nil)
        self.bodyLimit = bodyLimit
        let hasOwnCoding = headers["Accept-Encoding"] != nil || headers["Range"] != nil
        self.decodesBody = decodesBody && !hasOwnCoding && method != "HEAD"
    }

    /// Whether repeating it does no harm (RFC 9110 section 9.2.1).
    var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

    /// Whether the host is this machine, as its name or address says.
    var isLoopback: Bool {
        let host = location.host()?.lowercased() ?? ""
        return host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host.contains("::1")
    }

    /// The request that `answer` redirects to, when that stays within the origin (RFC 9110 section 15.4).
    ///
    /// Only GET and HEAD are sent again: for them all redirects mean the same.
    func redirected(by answer: RawAnswer) -> CurlRequest? {
        guard [301, 302, 303, 307, 308].contains(answer.status), ["GET", "HEAD"].contains(method) else { return nil }
        let locations = answer.headers.values(of: "Location")
        guard locations.count == 1, let next = URL(string: locations[0], relativeTo: location)?.absoluteURL,
            next.origin == location.origin
        else { return nil }
        return try? CurlRequest(
            method: method, url: next.absoluteString, headers: headers, body: body, bodyLimit: bodyLimit,
            decodesBody: decodesBody)
    }
}

extension URL {
    /// Scheme, host and port (RFC 6454 section 4).
    fileprivate var origin: [String?] {
        let scheme = scheme?.lowercased()
        let port = port ?? (scheme == "https" ? 443 : 80)
        return [scheme, host()?.lowercased(), String(port)]
    }
}

extension HeaderFields.Field {
    fileprivate var isFraming: Bool { ["content-length", "transfer-encoding"].contains(name.lowercased()) }
}

extension String {
    /// Whether it is a token (RFC 9110 section 5.6.2).
    fileprivate var isToken: Bool {
        !isEmpty && utf8.allSatisfy { Self.tokenBytes.contains($0) }
    }

    private static let tokenBytes = Set(
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
}

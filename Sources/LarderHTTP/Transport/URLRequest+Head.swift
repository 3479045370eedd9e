import Foundation
import LarderHTTPCache
import LarderKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// A request for `URLSession` to send as it is: no other cache answers it.
    ///
    /// - Returns: `nil` for a target that is no URL.
    init?(_ head: HTTPRequestHead, body: Data?) {
        guard let url = URL(string: head.url), url.host() != nil else { return nil }
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        httpMethod = head.method
        httpBody = body
        for field in head.headers.without(Self.ownFields).fields {
            addValue(WireText.text(of: field.value), forHTTPHeaderField: field.name)
        }
        // A part of something coded is not to be decoded.
        if !head.headers.values(of: "Range").isEmpty { setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
    }

    /// What `URLSession` sets by itself.
    private static let ownFields: Set = ["content-length", "transfer-encoding", "connection", "expect", "host"]
}

extension HTTPRequestHead {
    /// - Returns: `nil` for a request without a URL over HTTP.
    init?(_ request: URLRequest) {
        guard let url = request.url, WebOrigin(url.withoutUserInfo) != nil else { return nil }
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        self.init(
            method: request.httpMethod ?? "GET", url: url.withoutFragment.absoluteString,
            headers: HeaderFields(fields.map { .init(name: $0.key, value: WireText.value(from: $0.value)) }))
    }
}

extension URL {
    var withoutFragment: URL {
        guard fragment != nil, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return absoluteURL
        }
        parts.fragment = nil
        return parts.url ?? absoluteURL
    }

    fileprivate var withoutUserInfo: URL {
        guard user() != nil, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        parts.user = nil
        parts.password = nil
        return parts.url ?? self
    }
}

import Foundation
import LarderHTTPCache
import LarderKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a `URLRequest` asks of caches, in HTTP's own words where it has them (RFC 9111 section 5.2.1).
struct RequestPolicy: Sendable, Hashable {
    var policy = HTTPCachePolicy.standard
    /// Added to the request's own.
    var cacheControl: String?

    init(_ cachePolicy: URLRequest.CachePolicy) {
        switch cachePolicy {
        case .reloadIgnoringLocalCacheData: cacheControl = "no-cache"
        case .reloadIgnoringLocalAndRemoteCacheData: cacheControl = "no-cache"
        case .reloadRevalidatingCacheData: cacheControl = "max-age=0"
        case .returnCacheDataElseLoad: cacheControl = "max-stale"
        case .returnCacheDataDontLoad: policy = .cacheOnly
        case .useProtocolCachePolicy: break
        @unknown default: break
        }
    }
}

extension URLRequest {
    /// Whether the answer is kept by a resource or feed: an HTTP cache leaves such a request alone, so that nothing is kept
    /// twice, and nothing is called fresh because another cache had it.
    ///
    /// Told by a main document that is none, of the same site: that survives where properties of a request do not (copies of it in
    /// FoundationNetworking), and changes nothing else.
    var isTyped: Bool { mainDocumentURL?.fragment == Self.typedMark }

    mutating func markAsTyped() {
        guard let url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return }
        (parts.path, parts.query, parts.user, parts.password) = ("/", nil, nil, nil)
        parts.fragment = Self.typedMark
        mainDocumentURL = parts.url
    }

    private static let typedMark = "larder-typed"
}

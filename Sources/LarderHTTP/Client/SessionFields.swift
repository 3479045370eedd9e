import Foundation
import LarderHTTPCache
import LarderKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The fields that a session's configuration adds to requests. The cache has to see them, since answers vary by them.
struct SessionFields: Sendable {
    private var additional: [HeaderFields.Field] = []
    private var cookies: HTTPCookieStorage?
    /// What requests without a policy of their own ask of caches.
    private(set) var cachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy

    /// Adds nothing.
    init() {}

    init(_ configuration: URLSessionConfiguration) {
        additional = (configuration.httpAdditionalHeaders ?? [:]).compactMap { name, value in
            (name as? String).map {
                HeaderFields.Field(name: $0, value: WireText.value(from: String(describing: value)))
            }
        }.sorted { $0.name < $1.name }
        if configuration.httpShouldSetCookies { cookies = configuration.httpCookieStorage }
        cachePolicy = configuration.requestCachePolicy
        if !additional.contains(where: { $0.name.lowercased() == "accept-language" }), let languages = Self.languages {
            additional.append(.init(name: "Accept-Language", value: languages))
        }
    }

    /// - Parameters:
    ///   - isFirst: The request is the app's own. Where a redirect leads gets cookies only: what the first had of the rest, it
    ///     has kept as far as that may be.
    func add(to request: inout HTTPRequestHead, isFirst: Bool, handlesCookies: Bool) {
        if isFirst {
            for field in additional { request.headers.appendIfMissing(name: field.name, value: field.value) }
        }
        guard handlesCookies, let url = URL(string: request.url), let found = cookies?.cookies(for: url),
            let value = HTTPCookie.requestHeaderFields(with: found)["Cookie"], !value.isEmpty
        else { return }
        request.headers.appendIfMissing(name: "Cookie", value: WireText.value(from: value))
    }

    /// What `URLSession` would add by itself.
    private static var languages: String? {
        #if canImport(Darwin)
            let tags = Locale.preferredLanguages.prefix(6).enumerated().map { place, tag in
                place == 0 ? tag : "\(tag);q=0.\(10 - place)"
            }
            return tags.isEmpty ? nil : tags.joined(separator: ",")
        #else
            return Locale.current.language.languageCode?.identifier
        #endif
    }
}

import Foundation
import LarderHTTPCache
import LarderKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the layers of an app share: requests as `URLSession` knows them.
enum AppRequest {
    /// A configuration that shares nothing with other sessions.
    static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        return configuration
    }

    /// - Parameter url: Instead of the request's own.
    static func make(_ request: WebRequest, _ policy: WebPolicy?, url text: String) throws(CaseFailure) -> URLRequest {
        guard let url = URL(string: text) else { throw CaseFailure("\(request.url) is no URL") }
        var made = URLRequest(url: url)
        made.httpMethod = request.method
        made.httpBody = request.body
        for field in request.headers.fields { made.addValue(field.value, forHTTPHeaderField: field.name) }
        if case .directive(let directive) = policy { made.addValue(directive, forHTTPHeaderField: "Cache-Control") }
        return made
    }

    /// What a case asks for that no app does, or sees.
    static func check(_ script: WebScript) throws(NotRunnable) {
        let redirects: Set = [301, 302, 303, 307, 308]
        if script.answers.contains(where: { redirects.contains($0.status) && $0.headers["Location"] != nil }) {
            throw NotRunnable(reason: "redirects are followed")
        }
        if script.answers.contains(where: { !$0.interim.isEmpty }) {
            throw NotRunnable(reason: "URLSession shows no interim answers")
        }
        #if !canImport(Darwin)
            if script.answers.contains(where: \.hasTrailers) {
                throw NotRunnable(reason: "FoundationNetworking ends the process at trailers")
            }
        #endif
        if script.isShared { throw NotRunnable(reason: "an app's cache is private") }
    }
}

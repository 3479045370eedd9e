import Foundation
import LarderHTTPCache
import LarderKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The session of resources and feeds that are named by URL and bring none of their own: it caches nothing, and keeps secrets
/// from other origins than the one they were meant for.
enum TypedSession {
    static let shared: URLSession = {
        let configuration = URLSessionConfiguration.default.duplicate()
        configuration.urlCache = nil
        return URLSession(configuration: configuration, delegate: CarefulRedirects(), delegateQueue: nil)
    }()
}

/// Follows redirects without the secrets where they lead to another origin: FoundationNetworking would take them along.
private final class CarefulRedirects: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var request = request
        let origin = task.currentRequest?.url.flatMap { WebOrigin($0) }
        if origin == nil || request.url.flatMap({ WebOrigin($0) }) != origin {
            for name in (request.allHTTPHeaderFields ?? [:]).keys where SecretName.isSecret(name) {
                request.setValue(nil, forHTTPHeaderField: name)
            }
        }
        completionHandler(request)
    }
}

/// Fields that are made when a request is sent, since a token may have changed.
public typealias HeaderSource = @Sendable () async throws -> [String: String]

/// What brings the answers of one resource or feed.
struct TypedFetch: Sendable {
    let session: URLSession
    let headers: HeaderSource

    init(_ session: URLSession?, _ headers: @escaping HeaderSource) {
        self.session = session ?? TypedSession.shared
        self.headers = headers
    }

    func answer(to request: URLRequest) async throws -> RawAnswer {
        var request = request
        for (name, value) in try await headers() { request.setValue(value, forHTTPHeaderField: name) }
        return try await RawAnswer(session.data(for: request))
    }
}

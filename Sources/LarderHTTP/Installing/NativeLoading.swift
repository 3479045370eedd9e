#if !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import LarderHTTPCache
    import LarderKit

    /// What only FoundationNetworking's own protocol can do: it keeps the file of a download and the body of an upload task where no
    /// other can get at them. Such tasks are left to it, past the cache; what an upload changes is taken note of.
    enum NativeLoading {
        /// - Returns: `nil` for a task that the cache answers.
        static func make(
            for task: URLSessionTask, _ request: URLRequest, _ cache: HTTPCache, _ client: (any URLProtocolClient)?
        ) -> URLProtocol? {
            let hasHiddenBody =
                task is URLSessionUploadTask && request.httpBody == nil && request.httpBodyStream == nil
            guard hasHiddenBody || task is URLSessionDownloadTask, let client else { return nil }
            for candidate in URLSessionConfiguration.default.protocolClasses ?? [] {
                guard let protocolClass = candidate as? URLProtocol.Type, protocolClass.canInit(with: request) else {
                    continue
                }
                return protocolClass.init(
                    task: task, cachedResponse: nil, client: WatchingClient(client, request, cache))
            }
            return nil
        }
    }

    /// Hands everything on, and tells the cache of the answer.
    private final class WatchingClient: NSObject, URLProtocolClient {
        private let client: any URLProtocolClient
        private let request: HTTPRequestHead?
        private let cache: HTTPCache

        init(_ client: any URLProtocolClient, _ request: URLRequest, _ cache: HTTPCache) {
            self.client = client
            self.request = HTTPRequestHead(request)
            self.cache = cache
        }

        func urlProtocolDidFinishLoading(_ urlProtocol: URLProtocol) {
            guard let request, let response = urlProtocol.task?.response as? HTTPURLResponse else {
                return client.urlProtocolDidFinishLoading(urlProtocol)
            }
            let head = HTTPResponseHead(response)
            Task { [cache] in await cache.note(head, to: request) }
            client.urlProtocolDidFinishLoading(urlProtocol)
        }

        func urlProtocol(
            _ urlProtocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse
        ) { client.urlProtocol(urlProtocol, wasRedirectedTo: request, redirectResponse: redirectResponse) }

        func urlProtocol(_ urlProtocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
            client.urlProtocol(urlProtocol, cachedResponseIsValid: cachedResponse)
        }

        func urlProtocol(
            _ urlProtocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy: URLCache.StoragePolicy
        ) { client.urlProtocol(urlProtocol, didReceive: response, cacheStoragePolicy: cacheStoragePolicy) }

        func urlProtocol(_ urlProtocol: URLProtocol, didLoad data: Data) {
            client.urlProtocol(urlProtocol, didLoad: data)
        }

        func urlProtocol(_ urlProtocol: URLProtocol, didFailWithError error: any Error) {
            client.urlProtocol(urlProtocol, didFailWithError: error)
        }

        func urlProtocol(_ urlProtocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
            client.urlProtocol(urlProtocol, didReceive: challenge)
        }

        func urlProtocol(_ urlProtocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
            client.urlProtocol(urlProtocol, didCancel: challenge)
        }
    }
#endif

public import LarderHTTPCache
public import LarderKit
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Brings requests to origins with a `URLSession` of its own, which caches nothing and follows no redirect.
///
/// Of the configuration it takes time limits, proxies, connections, TLS and where cookies of answers are kept. It sends the
/// fields it is given, and those that `URLSession` adds by itself; no additional ones of the configuration and no cookies:
/// whoever asks the cache has to know them, since answers vary by them (``CachingClient`` does).
///
/// What `URLSession` makes of HTTP is true here as well: content codings are taken off, and the head says so; interim answers
/// (1xx) are not seen; a request's body is held in memory whole. On Linux, fields whose bytes are no UTF-8 fail the answer, and
/// unsafe requests go over connections of their own: over one that was used before and has died, libcurl sends them again.
public final class URLSessionTransport: HTTPTransport {
    private let configuration: URLSessionConfiguration
    private let shared: TransferSession

    public init(_ configuration: URLSessionConfiguration = .default) {
        self.configuration = Self.bare(configuration)
        shared = TransferSession(self.configuration)
    }

    deinit { shared.finish() }

    private static func bare(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        let bare = configuration.duplicate()
        bare.urlCache = nil
        bare.requestCachePolicy = .reloadIgnoringLocalCacheData
        bare.httpAdditionalHeaders = nil
        bare.httpShouldSetCookies = false
        bare.protocolClasses = bare.protocolClasses?.filter { !($0 is LarderURLProtocol.Type) }
        return bare
    }

    public func send(
        _ request: HTTPRequestHead, body: HTTPRequestBody?,
        onInterim: @escaping @Sendable (HTTPResponseHead) -> Void
    ) async throws(FetchFailure) -> HTTPIncomingResponse {
        var data: Data?
        if let body { data = try await body.pipe.collect(upTo: .max) }
        guard let outgoing = URLRequest(request, body: data) else {
            throw FetchFailure(.other, "the target of the request is no URL")
        }
        #if canImport(Darwin)
            return try await shared.transfer(outgoing)
        #else
            if Self.safeMethods.contains(request.method) { return try await shared.transfer(outgoing) }
            let own = TransferSession(configuration)
            defer { own.finish() }
            return try await own.transfer(outgoing)
        #endif
    }

    private static let safeMethods: Set = ["GET", "HEAD", "OPTIONS", "TRACE"]
}

/// A session with those of its transfers that are under way.
private final class TransferSession: Sendable {
    private let session: URLSession
    private let transfers = TransferDelegate()

    init(_ configuration: URLSessionConfiguration) {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: queue)
    }

    /// It ends with the last transfer.
    func finish() { session.finishTasksAndInvalidate() }

    func transfer(_ request: URLRequest) async throws(FetchFailure) -> HTTPIncomingResponse {
        let task = session.dataTask(with: request)
        let transfer = Transfer(task, method: request.httpMethod ?? "GET")
        transfers.add(transfer, for: task)
        return try await transfer.head()
    }
}

private final class TransferDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let transfers = Mutex<[Int: Transfer]>([:])

    func add(_ transfer: Transfer, for task: URLSessionTask) {
        transfers.withLock { $0[task.taskIdentifier] = transfer }
    }

    private func transfer(of task: URLSessionTask) -> Transfer? {
        transfers.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        transfer(of: dataTask)?.take(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(of: dataTask)?.take(data)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) { completionHandler(nil) }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(error)
    }
}

extension URLSessionConfiguration {
    /// A copy of one's own: what is changed in it does not change the other.
    func duplicate() -> URLSessionConfiguration {
        // Of another class only where Foundation breaks its own promise.
        copy() as? URLSessionConfiguration ?? .default
    }
}

import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers the requests of a session from a cache. Each cache has a subclass of its own (``NumberedProtocol``).
class LarderURLProtocol: URLProtocol {
    class var slotNumber: Int { 0 }

    private let loading = Loading()
    #if !canImport(Darwin)
        /// What FoundationNetworking answers in our place.
        private var native: URLProtocol?
    #endif

    override class func canInit(with request: URLRequest) -> Bool {
        !request.isTyped && HTTPRequestHead(request) != nil && ProtocolSlots.shared.slot(slotNumber) != nil
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { false }

    #if canImport(Darwin)
        override func startLoading() {
            guard let client = ProtocolSlots.shared.slot(Self.slotNumber)?.client else { return fail(Self.gone) }
            let thread = ClientThread(self)
            loading.begin(request, client, followsRedirects: false) { thread.perform { $0.deliver() } }
        }

        override func stopLoading() { loading.cancel() }
    #else
        // Called again whenever the task is resumed, always on the queue that the session works on: there alone its client may
        // be told anything. So what has come is delivered here, and the task is resumed for it.
        override func startLoading() {
            if let native { return native.startLoading() }
            guard let task, let client = ProtocolSlots.shared.slot(Self.slotNumber)?.client else {
                return fail(Self.gone)
            }
            if loading.hasBegun { return deliver() }
            if let native = NativeLoading.make(for: task, request, client.cache, self.client) {
                self.native = native
                return native.startLoading()
            }
            loading.begin(request, client, followsRedirects: true) { [weak task] in
                // A task that the app suspended meanwhile is resumed by the app.
                if let task, task.state == .running { task.resume() }
            }
        }

        // Called also for a task that is suspended.
        override func stopLoading() {
            if let native { return native.stopLoading() }
            if task?.state != .suspended { loading.cancel() }
        }
    #endif

    private func deliver() {
        #if !canImport(Darwin)
            // What was cancelled is not known to its session any more.
            guard task?.state == .running else { return }
        #endif
        for event in loading.takeEvents() {
            switch event {
            case .response(let response):
                client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            case .redirect(let request, let response):
                #if canImport(Darwin)
                    client?.urlProtocol(self, wasRedirectedTo: request, redirectResponse: response)
                #endif
                // The session makes another protocol for the new request, and expects this one to end so.
                fail(CocoaError(.userCancelled))
            case .data(let data):
                client?.urlProtocol(self, didLoad: data)
            case .end:
                client?.urlProtocolDidFinishLoading(self)
            case .failure(let failure):
                fail(URLError(failure, url: request.url))
            }
        }
    }

    private func fail(_ error: any Error) { client?.urlProtocol(self, didFailWithError: error) }

    private static var gone: URLError { URLError(.cancelled) }
}

extension URLError {
    /// A failure as code over `URLSession` knows it.
    init(_ failure: FetchFailure, url: URL?) {
        let code: URLError.Code =
            switch failure.kind {
            case .offline: .notConnectedToInternet
            case .timedOut: .timedOut
            case .wrongAnswer: .cannotParseResponse
            default: .resourceUnavailable
            }
        var details: [String: Any] = [
            NSLocalizedDescriptionKey: failure.explanation, NSUnderlyingErrorKey: failure,
        ]
        if let url { details[NSURLErrorFailingURLErrorKey] = url }
        self.init(code, userInfo: details)
    }
}

import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request of a session on its way through the cache, and what the session is to be told of it.
final class Loading: Sendable {
    enum Event: Sendable {
        case response(HTTPURLResponse)
        /// Where the session is to go on. On Linux redirects are followed here instead.
        case redirect(URLRequest, HTTPURLResponse)
        case data(Data)
        case end
        case failure(FetchFailure)
    }

    private struct State {
        var hasBegun = false
        var task: Task<Void, Never>?
        var isCancelled = false
        var events: [Event] = []
    }

    private let state = Mutex(State())

    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// - Parameter onEvents: Called, on any thread, when there are events to take.
    func begin(
        _ request: URLRequest, _ client: CachingClient, followsRedirects: Bool, onEvents: @escaping @Sendable () -> Void
    ) {
        state.withLock { state in
            state.hasBegun = true
            guard !state.isCancelled else { return }
            let tell: @Sendable ([Event]) -> Void = { [weak self] events in
                self?.state.withLock { $0.events += events }
                onEvents()
            }
            state.task = Task.detached {
                do throws(FetchFailure) {
                    try await Self.run(request, client, followsRedirects, tell)
                } catch {
                    tell([.failure(error)])
                }
            }
        }
    }

    func takeEvents() -> [Event] {
        state.withLock { state in
            defer { state.events = [] }
            return state.isCancelled ? [] : state.events
        }
    }

    /// Nobody wants the answer any more.
    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            state.events = []
            return state.task.take()
        }
        task?.cancel()
    }

    private static func run(
        _ request: URLRequest, _ client: CachingClient, _ followsRedirects: Bool, _ tell: ([Event]) -> Void
    ) async throws(FetchFailure) {
        let answer: HTTPAnswer
        let response: HTTPURLResponse
        if followsRedirects {
            (answer, response) = try await client.answer(for: request)
        } else {
            let hop = try await Hop(request, nil, client.fields)
            answer = try await client.send(hop)
            response = try .make(answer.head, url: hop.url)
            if let next = hop.next(after: answer.head, client.fields) {
                await Redirect.passOver(answer)
                return tell([.redirect(next.urlRequest(like: request), response)])
            }
        }
        guard comesInPieces(response) else {
            let data = try await answer.body.collect()
            return tell([.response(response)] + (data.isEmpty ? [] : [.data(data)]) + [.end])
        }
        tell([.response(response)])
        while let data = try await answer.body.next() { tell([.data(data)]) }
        tell([.end])
    }

    /// Whether the body is told of as it comes.
    ///
    /// FoundationNetworking hands a completion handler nothing but the last piece, and there is no telling what a task has: bodies
    /// are handed to it whole, but for those that have no end.
    private static func comesInPieces(_ response: HTTPURLResponse) -> Bool {
        #if canImport(Darwin)
            return true
        #else
            return response.mimeType == "text/event-stream"
        #endif
    }
}

extension Hop {
    /// The request for the session to go on with, like the one before where HTTP says nothing of it.
    func urlRequest(like request: URLRequest) -> URLRequest {
        var next = request
        next.url = url
        next.httpMethod = self.request.method
        next.allHTTPHeaderFields = nil
        for field in self.request.headers.fields {
            next.addValue(WireText.text(of: field.value), forHTTPHeaderField: field.name)
        }
        next.httpBody = body
        return next
    }
}

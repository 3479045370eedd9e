import LarderHTTPCache
import LarderKit
import Synchronization

/// Brings requests to origins, within a number of bytes, and remembers what became of each.
///
/// State: what was spent and what failed, under its lock.
final class WarmTransport: HTTPTransport {
    private struct State {
        var spent = 0
        var failures: [String: FetchFailure] = [:]
        var tooLarge: Set<String> = []
    }

    private let transport: any HTTPTransport
    /// How many bytes of bodies may come; `nil` for any number.
    private let budget: Int?
    private let state = Mutex(State())

    init(_ transport: any HTTPTransport, budget: Int?) {
        self.transport = transport
        self.budget = budget
    }

    /// Nothing more is to be begun.
    var isSpent: Bool { budget.map { budget in state.withLock { $0.spent >= budget } } ?? false }

    /// Why the last request for a URL brought no use; `nil` where it did.
    func failure(_ url: String) -> FetchFailure? { state.withLock { $0.failures[url] } }

    /// Whether a URL was left since what it has is more than may still come.
    func isTooLarge(_ url: String) -> Bool { state.withLock { $0.tooLarge.contains(url) } }

    func send(
        _ request: HTTPRequestHead, body: HTTPRequestBody?,
        onInterim: @escaping @Sendable (HTTPResponseHead) -> Void
    ) async throws(FetchFailure) -> HTTPIncomingResponse {
        do throws(FetchFailure) {
            let response = try await transport.send(request, body: body, onInterim: onInterim)
            guard take(response.head, of: request.url) else {
                response.body.abandon()
                throw FetchFailure(.other, "it is larger than what is left of --budget")
            }
            return response
        } catch {
            state.withLock { $0.failures[request.url] = error }
            throw error
        }
    }

    /// Counts the body of an answer before it comes, by its announced length; one that announces none comes in any case.
    private func take(_ head: HTTPResponseHead, of url: String) -> Bool {
        let status = head.status
        let failure =
            HTTPRules.isFailure(status)
            ? FetchFailure(.server(status: status), "the server answered \(status)") : nil
        let hasBody = status != 304 && status != 204
        let length = hasBody ? head.headers.values(of: "Content-Length").first.flatMap { Int($0) } ?? 0 : 0
        return state.withLock { state in
            state.failures[url] = failure
            if let budget, length > max(0, budget - state.spent) {
                state.tooLarge.insert(url)
                return false
            }
            state.spent += length
            return true
        }
    }

    /// Counts bytes that came unannounced.
    func note(unannounced bytes: Int) { state.withLock { $0.spent += bytes } }
}

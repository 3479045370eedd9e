import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization

@testable import LarderServer

/// An answer with what came before and behind its head.
struct FoundAnswer {
    let head: HTTPResponseHead
    let body: Result<Data, FetchFailure>
    let interim: [HTTPResponseHead]
}

extension CurlTransport {
    func send(
        _ url: String, method: String = "GET", headers: HeaderFields = [:], body: HTTPRequestBody? = nil,
        onInterim: @escaping @Sendable (HTTPResponseHead) -> Void = { _ in }
    ) async throws(FetchFailure) -> HTTPIncomingResponse {
        try await send(HTTPRequestHead(method: method, url: url, headers: headers), body: body, onInterim: onInterim)
    }

    /// The answer with its body, or as much of that as came.
    func answer(
        _ url: String, method: String = "GET", headers: HeaderFields = [:], body: HTTPRequestBody? = nil
    ) async throws(FetchFailure) -> FoundAnswer {
        let interim = Mutex<[HTTPResponseHead]>([])
        let response = try await send(url, method: method, headers: headers, body: body) { head in
            interim.withLock { $0.append(head) }
        }
        let found: Result<Data, FetchFailure>
        do throws(FetchFailure) {
            found = .success(try await response.body.collect(upTo: .max))
        } catch {
            found = .failure(error)
        }
        return FoundAnswer(head: response.head, body: found, interim: interim.withLock { $0 })
    }

    /// Why no head came, or `nil` if one did.
    func failure(
        of url: String, method: String = "GET", headers: HeaderFields = [:], body: HTTPRequestBody? = nil
    ) async -> FetchFailure? {
        do throws(FetchFailure) {
            _ = try await answer(url, method: method, headers: headers, body: body)
            return nil
        } catch {
            return error
        }
    }

    /// Why the body ended, or `nil` if it is whole.
    func bodyFailure(of url: String) async throws(FetchFailure) -> FetchFailure? {
        guard case .failure(let failure) = try await answer(url).body else { return nil }
        return failure
    }
}

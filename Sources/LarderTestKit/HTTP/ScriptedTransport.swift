public import Foundation
public import LarderHTTPCache
public import LarderKit
import Synchronization

/// An `HTTPTransport` that is a closure: what an HTTP cache asks, and what it is answered, without a network.
///
/// ```swift
/// let origin = ScriptedTransport { request in
///     ScriptedResponse(headers: ["Cache-Control": "max-age=60"], body: Data("hello".utf8))
/// }
/// ```
public final class ScriptedTransport: HTTPTransport {
    public typealias Script = @Sendable (HTTPRequestHead) async throws -> ScriptedResponse

    private let script: Mutex<Script>
    private let seen = Mutex<[HTTPRequestHead]>([])

    public init(_ script: @escaping Script) {
        self.script = Mutex(script)
    }

    /// What was asked so far, in order.
    public var requests: [HTTPRequestHead] { seen.withLock { $0 } }

    /// From now on, this answers.
    public func answer(_ script: @escaping Script) { self.script.withLock { $0 = script } }

    public func send(
        _ request: HTTPRequestHead, body: HTTPRequestBody?,
        onInterim: @escaping @Sendable (HTTPResponseHead) -> Void
    ) async throws(FetchFailure) -> HTTPIncomingResponse {
        seen.withLock { $0.append(request) }
        let response: ScriptedResponse
        do {
            response = try await script.withLock { $0 }(request)
        } catch {
            throw error as? FetchFailure ?? FetchFailure(.other, "\(error)")
        }
        for head in response.interim { onInterim(head) }
        let pipe = BodyPipe()
        let head = HTTPResponseHead(status: response.status, headers: response.headers)
        Task {
            for piece in response.pieces {
                if let gate = response.gate { try? await gate.wait() }
                guard await pipe.write(piece) else { return }
            }
            if let failure = response.failure { pipe.fail(failure) } else { pipe.finish() }
        }
        return HTTPIncomingResponse(head: head, body: pipe)
    }
}

/// What a ``ScriptedTransport`` answers.
public struct ScriptedResponse: Sendable {
    public var status: Int
    public var headers: HeaderFields
    /// The body, in the pieces that it comes in.
    public var pieces: [Data]
    /// How the body ends, where that is not its end.
    public var failure: FetchFailure?
    /// Holds each piece up until it is open.
    public var gate: Gate?
    public var interim: [HTTPResponseHead] = []

    public init(
        status: Int = 200, headers: HeaderFields = [:], body: Data = Data(), failure: FetchFailure? = nil,
        gate: Gate? = nil
    ) {
        self.status = status
        self.headers = headers
        pieces = body.isEmpty ? [] : [body]
        self.failure = failure
        self.gate = gate
    }
}

import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization

/// Brings the answers of a ``WebOrigin`` without a socket, as a transport would that was right.
final class ScriptedWire: HTTPTransport {
    private let origin: WebOrigin

    init(_ origin: WebOrigin) { self.origin = origin }

    func send(
        _ request: HTTPRequestHead, body: HTTPRequestBody?,
        onInterim: @escaping @Sendable (HTTPResponseHead) -> Void
    ) async throws(FetchFailure) -> HTTPIncomingResponse {
        let answer = origin.begin(request)
        do {
            if let body { _ = try await body.pipe.collect(upTo: .max) }
            guard let answer else { throw FetchFailure(.other, "unscripted") }
            try await origin.wait(answer.headDelay)
            return try await bring(answer, to: request.method, onInterim)
        } catch {
            origin.end()
            throw error as? FetchFailure ?? FetchFailure(.other, "cancelled")
        }
    }

    private func bring(
        _ answer: WebAnswer, to method: String, _ onInterim: @Sendable (HTTPResponseHead) -> Void
    ) async throws -> HTTPIncomingResponse {
        switch answer.fault {
        case .timeout: throw FetchFailure(.timedOut, "scripted: timeout")
        case .silence: try await origin.waitForEver()
        case .some(let fault): throw FetchFailure(.offline, "scripted: \(fault.rawValue)")
        case nil: break
        }
        guard !answer.isAmbiguous else { throw FetchFailure(.wrongAnswer, "scripted: several lengths") }
        for head in answer.interim { onInterim(head) }
        let head = HTTPResponseHead(status: answer.status, headers: answer.framedHeaders(method))
        let sender = Mutex<Task<Void, Never>?>(nil)
        let pipe = BodyPipe(onAbandon: { sender.withLock { $0?.cancel() } })
        let task = Task { [origin] in
            defer { origin.end() }
            let (body, failure) = answer.received(method)
            // What is cut or late has begun.
            let first = body.prefix(failure != nil || answer.bodyDelay > answer.headDelay ? body.count / 2 : body.count)
            guard await pipe.write(first) else { return }
            guard (try? await origin.wait(answer.bodyDelay - answer.headDelay)) != nil else { return pipe.abandon() }
            guard await pipe.write(body.dropFirst(first.count)) else { return }
            if let failure { pipe.fail(failure) } else { pipe.finish() }
        }
        sender.withLock { $0 = task }
        return HTTPIncomingResponse(head: head, body: pipe)
    }
}

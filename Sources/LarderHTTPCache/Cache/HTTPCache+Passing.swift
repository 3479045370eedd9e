package import LarderKit

import struct Foundation.Data

extension HTTPCache {
    /// Sends a request past everything that is stored, and stores nothing of the answer.
    package func pass(
        _ request: HTTPRequestHead, body: HTTPRequestBody? = nil
    ) async throws(FetchFailure) -> HTTPAnswer {
        let outgoing = HTTPRequestHead(
            method: request.method, url: request.url, headers: HTTPRules.endToEnd(request.headers))
        let response = try await transport.send(outgoing, body: body, onInterim: { _ in })
        await note(response.head, to: request)
        var facts = CacheStatusFacts()
        facts.forwarded = .bypass
        facts.forwardStatus = response.head.status
        var head = response.head
        head.headers = HTTPRules.endToEnd(head.headers)
        sign(&head, facts)
        return HTTPAnswer(head: head, body: HTTPBody(PassedBody(response.body)), source: .origin, isStale: false)
    }

    /// Takes note of an answer, be it one that came past this cache: what it says to have changed is not used unasked any more, nor
    /// what is being asked for (RFC 9111 section 4.4).
    package func note(_ response: HTTPResponseHead, to request: HTTPRequestHead) async {
        for uri in HTTPRules.invalidated(by: response, to: request) {
            guard let key = HTTPRules.key(of: uri) else { continue }
            exchanges.detach(key)
            // The answer to the unsafe request is not withheld where this fails.
            try? await shelf.storage.invalidate(AnswerNames.answers(key))
        }
    }
}

/// A body that is abandoned when it is let go.
private final class PassedBody: BodySource {
    private let pipe: BodyPipe

    init(_ pipe: BodyPipe) { self.pipe = pipe }

    deinit { pipe.abandon() }

    func next() async throws(FetchFailure) -> Data? { try await pipe.next() }

    func abandon() { pipe.abandon() }
}

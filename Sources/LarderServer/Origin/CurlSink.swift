import Foundation
import LarderHTTPCache
import LarderKit

/// Where a transfer delivers the answer. Called on the loop's thread, one call at a time, in this order, ``end(_:)``
/// exactly once.
protocol CurlSink: AnyObject, Sendable {
    func takeInterim(_ head: HTTPResponseHead)
    func takeHead(_ head: HTTPResponseHead)
    /// After `full`, no more comes until the loop is told to resume the transfer; `abandoned` ends it.
    func takeBody(_ data: Data) -> BodyPipe.Offer
    func end(_ result: Result<Void, FetchFailure>)
}

/// Collects a whole answer.
///
/// `@unchecked Sendable`: made by the one who asks, and from then on used by the loop's thread alone.
final class CollectingSink: CurlSink, @unchecked Sendable {
    typealias Answer = (head: HTTPResponseHead, body: Data)

    private let bodyLimit: Int
    private let completion: @Sendable (Result<Answer, FetchFailure>) -> Void
    private var head = HTTPResponseHead(status: 0)
    private var body = Data()
    private var isTooLarge = false

    init(bodyLimit: Int, completion: @escaping @Sendable (Result<Answer, FetchFailure>) -> Void) {
        self.bodyLimit = bodyLimit
        self.completion = completion
    }

    func takeInterim(_ head: HTTPResponseHead) {}

    func takeHead(_ head: HTTPResponseHead) {
        self.head = head
    }

    func takeBody(_ data: Data) -> BodyPipe.Offer {
        guard body.count + data.count <= bodyLimit else {
            isTooLarge = true
            return .abandoned
        }
        body.append(data)
        return .goOn
    }

    func end(_ result: Result<Void, FetchFailure>) {
        if isTooLarge {
            completion(.failure(FetchFailure(.wrongAnswer, "the body is larger than \(bodyLimit) bytes")))
        } else {
            completion(result.map { (head, body) })
        }
    }
}

/// Hands over the head when it has come, and the body as it comes.
///
/// `@unchecked Sendable`: made by the one who asks, and from then on used by the loop's thread alone.
final class StreamingSink: CurlSink, @unchecked Sendable {
    typealias Completion = @Sendable (Result<HTTPIncomingResponse, FetchFailure>) -> Void

    private let pipe: BodyPipe
    private let onInterim: @Sendable (HTTPResponseHead) -> Void
    private var completion: Completion?

    init(
        into pipe: BodyPipe, onInterim: @escaping @Sendable (HTTPResponseHead) -> Void,
        completion: @escaping Completion
    ) {
        self.pipe = pipe
        self.onInterim = onInterim
        self.completion = completion
    }

    func takeInterim(_ head: HTTPResponseHead) {
        onInterim(head)
    }

    func takeHead(_ head: HTTPResponseHead) {
        completion.take()?(.success(HTTPIncomingResponse(head: head, body: pipe)))
    }

    func takeBody(_ data: Data) -> BodyPipe.Offer {
        pipe.offer(data)
    }

    func end(_ result: Result<Void, FetchFailure>) {
        switch result {
        case .success: pipe.finish()
        case .failure(let failure):
            pipe.fail(failure)
            completion.take()?(.failure(failure))
        }
    }
}

import Foundation
import LarderKit
import Synchronization

/// The other end of a feed's fetch closure: gives the answer that was laid ready, at once.
final class Server: Sendable {
    private let body = Mutex(Data("[]".utf8))

    func lay(_ answer: Data) {
        body.withLock { $0 = answer }
    }

    /// The fields that answers of APIs commonly bear.
    private let headers: HeaderFields = [
        "Date": "Mon, 01 Sep 2025 12:00:00 GMT", "Content-Type": "application/json; charset=utf-8",
        "Cache-Control": "private, max-age=0", "ETag": "\"33a64df551425fcc\"", "Vary": "Accept-Encoding, Authorization",
        "X-RateLimit-Remaining": "299", "X-Request-Id": "5f0c1d38",
    ]

    func answer() -> RawAnswer {
        RawAnswer(headers: headers, body: body.withLock { $0 })
    }
}

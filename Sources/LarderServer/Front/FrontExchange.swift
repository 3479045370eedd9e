package import LarderHTTPCache

package import struct Foundation.Data

/// A request under way, and the answer to it: what a handler's task holds.
///
/// Everything may be called on any thread. After ``end()``, ``abort()`` or the client's going away, all of it does nothing.
package final class FrontExchange: Sendable {
    private let mailbox: ExchangeMailbox
    private let body: HTTPRequestBody?

    init(mailbox: ExchangeMailbox, body: HTTPRequestBody?) {
        self.mailbox = mailbox
        self.body = body
    }

    /// The request's body, or `nil` if it has none. A client that waits to be told (`Expect: 100-continue`) sends it now.
    ///
    /// It fails where the client does not send all of it, or too slowly.
    package func takeBody() -> HTTPRequestBody? {
        if body != nil { mailbox.post(.wantsBody) }
        return body
    }

    /// Sends an interim answer (1xx), before ``begin(_:length:)``. Clients of HTTP/1.0 never see one, and nobody 101.
    package func interim(_ head: HTTPResponseHead) { mailbox.post(.interim(FrontHead(head))) }

    /// Sends the head.
    ///
    /// - Parameter length: Of the body, in bytes. For HEAD and 304 it is what is said of a body that is not sent. With
    ///   `nil`, the body ends where ``end()`` says, for 1.0 clients with the connection.
    package func begin(_ head: HTTPResponseHead, length: Int?) { begin(FrontHead(head), length: length) }

    package func begin(_ head: FrontHead, length: Int?) { mailbox.post(.begin(head, length: length)) }

    /// Sends a part of the body, and returns when there is room for more.
    ///
    /// Where the answer has no body (HEAD, 204, 304), parts are passed over.
    ///
    /// - Returns: `false` when nobody wants more of it.
    package func write(_ data: Data) async -> Bool { await mailbox.write(data) }

    /// The answer is whole. One that is shorter than its length is cut instead, as ``abort()`` does.
    package func end() { mailbox.post(.end) }

    /// Cuts the connection, so that the client can tell that the answer is not whole.
    package func abort() { mailbox.post(.abort) }

    /// Sends a whole answer: instead of all of the above.
    package func answer(_ answer: FrontAnswer) { mailbox.post(.whole(answer)) }

    /// Says a few words for the log.
    package func note(_ text: String) { mailbox.note(text) }

    /// The client can take nothing any more.
    package var isClientGone: Bool { mailbox.isGone }
}

package import Foundation
package import LarderKit

/// An answer for a server to give.
///
/// The body's length is the server's to send: a `Content-Length` among the headers is dropped. To HEAD, answer as to GET:
/// the length is sent and the body is not. With 304, a body gives the `Content-Length` of the answer it stands for;
/// without one no length is sent and the connection ends. A `Date` is added when ``headers`` has none, unless ``addsDate`` is off. An answer with
/// a field that is none (a blank in its name, a line break) closes the connection unanswered.
package struct ServerResponse: Sendable, Hashable {
    /// How the end of the body is told (RFC 9112 section 6).
    package enum Framing: Sendable, Hashable {
        case length
        /// In chunks, to an HTTP/1.1 client. To HEAD, and with 304, as ``length``.
        case chunked
    }

    /// A misbehaviour on purpose, to show what a client makes of it.
    package enum Fault: Sendable, Hashable {
        case none
        /// The head is whole; the connection is closed after this many bytes of the body.
        case closeAfter(bytes: Int)
        /// The connection is closed without a byte of an answer.
        case closeUnanswered
    }

    package var status: Int
    package var headers: HeaderFields
    package var body: Data
    package var framing: Framing
    package var fault: Fault
    package var addsDate: Bool

    package init(
        status: Int = 200, headers: HeaderFields = [:], body: Data = Data(), framing: Framing = .length,
        fault: Fault = .none, addsDate: Bool = true
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.framing = framing
        self.fault = fault
        self.addsDate = addsDate
    }
}

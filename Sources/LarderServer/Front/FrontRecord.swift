/// What became of a request, for a log.
package struct FrontRecord: Sendable {
    /// `nil` where what came was no request.
    package let request: FrontRequest?
    /// The client's address, without the port.
    package let peer: String
    /// 0 where the connection ended before there was one.
    package let status: Int
    /// Of the body as it was handed over, without framing.
    package let bodyBytes: Int
    /// The whole answer was handed to the system.
    package let isComplete: Bool
    /// From the head's last byte to the end.
    package let duration: Duration
    /// What the handler said of it: ``FrontAnswer/note``, ``FrontExchange/note(_:)``.
    package let note: String?
    /// Why the front refused it by itself.
    package let refusal: FrontRefusal?
}

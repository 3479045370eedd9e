public import LarderKit

/// What brings requests to origins: URLSession, libcurl, a scripted one in tests.
///
/// A transport caches nothing, follows no redirect, adds and removes no field it is not asked to, decodes no content
/// coding unless it then says so in the head, and never sends a request twice that is not safe.
public protocol HTTPTransport: Sendable {
    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: What goes out, with all its fields but those that the transport itself says: Host, and those of framing.
    ///   - body: What to send with it, ended by the transport if it cannot be sent any more; `nil` for none.
    ///   - onInterim: Told of each interim answer (1xx) but 100 and 101, in order, before the final head.
    /// - Returns: When the final head has come. Its body ends with a failure where less came than was announced.
    /// - Throws: What kept the final head from coming: `FetchFailure.Kind.offline`,
    ///   `FetchFailure.Kind.timedOut`, `FetchFailure.Kind.wrongAnswer` for what is no HTTP or could be read in two
    ///   ways, and `FetchFailure.Kind.other`.
    func send(
        _ request: HTTPRequestHead, body: HTTPRequestBody?,
        onInterim: @escaping @Sendable (HTTPResponseHead) -> Void
    ) async throws(FetchFailure) -> HTTPIncomingResponse
}

/// The body of a request on its way.
public struct HTTPRequestBody: Sendable {
    /// In bytes; `nil` where it is not known before the end.
    public let length: Int?
    public let pipe: BodyPipe

    public init(length: Int?, pipe: BodyPipe) {
        self.length = length
        self.pipe = pipe
    }
}

/// An answer whose body is on its way. Whoever does not read it to its end abandons it (``BodyPipe/abandon()``).
public struct HTTPIncomingResponse: Sendable {
    public let head: HTTPResponseHead
    public let body: BodyPipe

    public init(head: HTTPResponseHead, body: BodyPipe) {
        self.head = head
        self.body = body
    }
}

import Foundation
import LarderHTTPCache
import LarderKit

/// Sends what is meant for the origins of a case to the one server on loopback that stands for all of them, over a transport with
/// real connections. The cache above knows nothing of that.
final class LoopbackTransport: HTTPTransport {
    private let origin: WebOrigin
    private let wire: WireOrigin
    private let transport: any HTTPTransport
    /// One that gives up soon.
    private let impatient: any HTTPTransport
    private let refusing: (socket: Socket, port: UInt16)

    init(
        _ origin: WebOrigin, _ wire: WireOrigin, transport: any HTTPTransport, impatient: any HTTPTransport
    ) throws(CaseFailure) {
        (self.origin, self.wire, self.transport, self.impatient) = (origin, wire, transport, impatient)
        refusing = try Socket.reserved()
    }

    func send(
        _ request: HTTPRequestHead, body: HTTPRequestBody?,
        onInterim: @escaping @Sendable (HTTPResponseHead) -> Void
    ) async throws(FetchFailure) -> HTTPIncomingResponse {
        guard let answer = origin.begin(request) else {
            origin.end()
            body?.pipe.abandon()
            throw FetchFailure(.other, "unscripted")
        }
        let url = WebURL(request.url)
        var sent = request
        if sent.headers["Host"] == nil { sent.headers.append(name: "Host", value: url.authority) }
        let isServed: Bool
        switch answer.fault {
        case .refused, .offline:
            sent.url = "http://127.0.0.1:\(refusing.port)\(url.target)"
            isServed = false
        case .dns:
            // No name, since it is too long for one: nobody outside of this machine is asked.
            sent.url = "http://\(String(repeating: "x", count: 80)).test\(url.target)"
            isServed = false
        default:
            sent.url = "http://127.0.0.1:\(wire.port)\(wire.prefix(for: answer))\(url.target)"
            isServed = true
        }
        defer { if !isServed { origin.end() } }
        return try await (answer.fault == .timeout ? impatient : transport).send(sent, body: body, onInterim: onInterim)
    }
}

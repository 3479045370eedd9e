package import LarderHTTPCache
package import LarderKit

/// Brings requests to origins over HTTP/1.1 and, with TLS, HTTP/2, and streams both bodies.
///
/// Nothing is added to what is asked but `Host`, where it is not given, and the framing of the body; nothing is left
/// out but `Expect`, which is for the one who has the body to answer. No redirect is followed and nothing decoded.
/// Connections are taken up again, except for requests that are not safe: libcurl would send those twice.
///
/// One thread of its own moves all transfers, so no thread of the cooperative pool ever waits; a body that is not taken
/// holds back its sender and nobody else. The thread ends when the transport is released and no answer is under way.
package final class CurlTransport: HTTPTransport {
    package struct Options: Sendable, Hashable {
        package var connectTimeout = Duration.seconds(10)
        /// How long the head of an answer is waited for, from the start or from the last part of the request's body
        /// that went out.
        package var headTimeout = Duration.seconds(60)
        /// How long the body of an answer may stay away altogether while somebody waits for it.
        package var stallTimeout = Duration.seconds(60)
        /// Whether HTTP/2 is spoken where an origin offers it over TLS. libcurl then takes up to 32 MB of a body that
        /// is not read before it holds back the sender; with HTTP/1.1, it is a few kilobytes.
        package var usesHTTP2 = true
        /// Whether the proxies that the environment names are used. Never for a loopback host.
        package var usesEnvironmentProxies = true
        /// A PEM file of the certificate authorities to trust in place of the system's.
        package var trustedAuthorities: String?
        /// How many bytes of an answer may wait to be taken, about.
        package var bufferLimit = 256 << 10

        package init() {}
    }

    private let options: Options
    private let loop = CurlLoop()

    package init(_ options: Options = Options()) {
        self.options = options
        loop.start()
    }

    deinit {
        loop.stop()
    }

    /// Cancelling the task ends the request while its head is waited for; abandoning the body, once that has come.
    package func send(
        _ request: HTTPRequestHead, body: HTTPRequestBody?,
        onInterim: @escaping @Sendable (HTTPResponseHead) -> Void
    ) async throws(FetchFailure) -> HTTPIncomingResponse {
        let prepared: CurlRequest
        do throws(FetchFailure) {
            prepared = try prepare(request, body)
        } catch {
            body?.pipe.abandon()
            throw error
        }
        let id = loop.newID()
        // The pipe holds the transport, and the transfer the pipe, until it has ended.
        let pipe = BodyPipe(
            limit: options.bufferLimit, onRoom: { self.loop.takeMore(id) }, onAbandon: { self.loop.cancel(id) })
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let sink = StreamingSink(into: pipe, onInterim: onInterim) { continuation.resume(returning: $0) }
                loop.begin(id, prepared, into: sink)
            }
        } onCancel: {
            loop.cancel(id)
        }
        return try result.get()
    }

    private func prepare(
        _ request: HTTPRequestHead, _ body: HTTPRequestBody?
    ) throws(FetchFailure) -> CurlRequest {
        var prepared = try CurlRequest(request, body: body)
        prepared.usesHTTP2 = options.usesHTTP2
        prepared.usesEnvironmentProxies = options.usesEnvironmentProxies
        prepared.trustedAuthorities = options.trustedAuthorities
        prepared.timeouts = CurlTimeouts(
            connect: options.connectTimeout, head: options.headTimeout, stall: options.stallTimeout)
        return prepared
    }
}

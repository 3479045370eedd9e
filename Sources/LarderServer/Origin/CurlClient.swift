package import LarderKit

package import struct Foundation.Data

/// Asks origins over HTTP and HTTPS with libcurl, which keeps header lines exact and reuses connections.
///
/// One thread of its own moves all transfers, so no thread of the cooperative pool ever waits; it ends when the client
/// is released. Cancelling the task that asked ends its transfer at once.
///
/// Credentials stay with the origin they were meant for: no redirect is followed to another scheme, host or port, and
/// no URL with a user name in it is asked.
package final class CurlClient: Sendable {
    /// What holds for every request of a client.
    package struct Options: Sendable, Hashable {
        /// The largest body taken, in bytes after decoding. A larger one fails as ``FetchFailure/Kind/wrongAnswer``.
        package var bodyLimit: Int
        /// How many redirects within the origin are followed for GET and HEAD. Past that, as with 0 and with a redirect
        /// that leads elsewhere, the redirect itself is the answer.
        package var redirectLimit: Int
        /// Whether compressed bodies are asked for and decoded. `Content-Encoding` and `Content-Length`, which describe
        /// the bytes that were sent, are then taken from the answer. Off for a request that has an `Accept-Encoding`
        /// or a `Range` of its own.
        package var decodesBodies: Bool

        package init(bodyLimit: Int = 256 << 20, redirectLimit: Int = 5, decodesBodies: Bool = true) {
            self.bodyLimit = bodyLimit
            self.redirectLimit = redirectLimit
            self.decodesBodies = decodesBodies
        }
    }

    private let options: Options
    private let loop: CurlLoop

    package init(_ options: Options = Options()) {
        self.options = options
        loop = CurlLoop()
        loop.start()
    }

    deinit {
        loop.stop()
    }

    /// Sends one request and brings back the whole answer, whatever its status, with the URL that gave it.
    ///
    /// `url` goes out as it is written. The length and the transfer coding of a request's body are libcurl's to say:
    /// `Content-Length` and `Transfer-Encoding` among `headers` are left out. A loopback host is never asked through
    /// the proxy that the environment names.
    ///
    /// - Parameter timeout: For everything together, redirects included; `nil` for no end but that of connecting, 30 s.
    /// - Throws: `offline` when the origin cannot be reached or is lost, `timedOut`, `wrongAnswer` when the answer is
    ///   cut, malformed or too large, and `other` for a request that cannot be sent, a certificate that cannot be
    ///   trusted, and a cancelled task.
    package func send(
        method: String = "GET", url: String, headers: HeaderFields = [:], body: Data? = nil, timeout: Duration? = nil
    ) async throws(FetchFailure) -> RawAnswer {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        var request = try CurlRequest(
            method: method, url: url, headers: headers, body: body, bodyLimit: options.bodyLimit,
            decodesBody: options.decodesBodies)
        var redirectsLeft = options.redirectLimit
        while true {
            request.timeLeft = try Self.timeLeft(until: deadline)
            let answer = try await perform(request)
            guard redirectsLeft > 0, let next = request.redirected(by: answer) else { return answer }
            redirectsLeft -= 1
            request = next
        }
    }

    private func perform(_ request: CurlRequest) async throws(FetchFailure) -> RawAnswer {
        let id = loop.newID()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.begin(id, request) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            loop.cancel(id)
        }
        loop.forget(id)
        return try result.get()
    }

    private static func timeLeft(until deadline: ContinuousClock.Instant?) throws(FetchFailure) -> Duration? {
        guard let deadline else { return nil }
        let left = deadline - .now
        guard left > .zero else { throw FetchFailure(.timedOut, "the request took longer than it was given") }
        return left
    }
}

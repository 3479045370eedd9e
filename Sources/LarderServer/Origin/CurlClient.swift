package import Foundation
import LarderHTTPCache
package import LarderKit

/// Asks origins over HTTP and HTTPS with libcurl, which keeps header lines exact and reuses connections.
///
/// It collects whole answers, for those who ask for documents; ``CurlTransport`` streams them. One thread of its own
/// moves all transfers, so no thread of the cooperative pool ever waits; it ends when the client is released.
/// Cancelling the task that asked ends its transfer at once.
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
    /// `Content-Length`, `Transfer-Encoding` and `Expect` among `headers` are left out. A loopback host is never asked
    /// through the proxy that the environment names.
    ///
    /// - Parameter timeout: For everything together, redirects included; `nil` for no end but that of connecting, 30 s.
    /// - Throws: `offline` when the origin cannot be reached or is lost, `timedOut`, `wrongAnswer` when the answer is
    ///   cut, malformed or too large, and `other` for a request that cannot be sent, a certificate that cannot be
    ///   trusted, and a cancelled task.
    package func send(
        method: String = "GET", url: String, headers: HeaderFields = [:], body: Data? = nil, timeout: Duration? = nil
    ) async throws(FetchFailure) -> RawAnswer {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        var place = try Self.parsed(url)
        var redirectsLeft = options.redirectLimit
        while true {
            let request = try request(method, place, headers, body, timeLeft: Self.timeLeft(until: deadline))
            let answer = try await perform(request, at: place)
            guard redirectsLeft > 0, ["GET", "HEAD"].contains(method), let next = answer.redirect(from: place) else {
                return answer
            }
            redirectsLeft -= 1
            place = next
        }
    }

    private func request(
        _ method: String, _ place: URL, _ headers: HeaderFields, _ body: Data?, timeLeft: Duration?
    ) throws(FetchFailure) -> CurlRequest {
        // What callers write is text, and goes out as UTF-8.
        let fields = headers.fields.map { HeaderFields.Field(name: $0.name, value: String(isoLatin1: $0.value.utf8)) }
        let head = HTTPRequestHead(method: method, url: place.absoluteString, headers: HeaderFields(fields))
        var request = try CurlRequest(
            head, body: body.map { HTTPRequestBody(length: $0.count, pipe: BodyPipe($0)) })
        let hasOwnCoding = headers["Accept-Encoding"] != nil || headers["Range"] != nil
        request.decodesBody = options.decodesBodies && !hasOwnCoding && method != "HEAD"
        request.timeouts = CurlTimeouts(connect: .seconds(30), whole: timeLeft)
        return request
    }

    private func perform(_ request: CurlRequest, at place: URL) async throws(FetchFailure) -> RawAnswer {
        let id = loop.newID()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let sink = CollectingSink(bodyLimit: options.bodyLimit) { continuation.resume(returning: $0) }
                loop.begin(id, request, into: sink)
            }
        } onCancel: {
            loop.cancel(id)
        }
        let (head, body) = try result.get()
        return RawAnswer(
            status: head.status, headers: Self.headers(of: head, decoded: request.decodesBody), body: body, url: place)
    }

    /// The header fields as text, those that are true of the body as it is handed over.
    private static func headers(of head: HTTPResponseHead, decoded: Bool) -> HeaderFields {
        let fields = head.headers.fields.map { HeaderFields.Field(name: $0.name, value: $0.value.isoLatin1AsUTF8) }
        guard decoded, let coding = head.headers["Content-Encoding"], coding.lowercased() != "identity" else {
            return HeaderFields(fields)
        }
        return HeaderFields(fields.filter { !["content-encoding", "content-length"].contains($0.name.lowercased()) })
    }

    private static func parsed(_ url: String) throws(FetchFailure) -> URL {
        guard let place = URL(string: url, encodingInvalidCharacters: false) else {
            throw FetchFailure(.other, "the URL is not valid; escape blanks and other special characters with %")
        }
        guard ["http", "https"].contains(place.scheme?.lowercased()) else {
            throw FetchFailure(.other, "the URL must start with http:// or https://")
        }
        guard place.host()?.isEmpty == false else { throw FetchFailure(.other, "the URL names no host") }
        return place
    }

    private static func timeLeft(until deadline: ContinuousClock.Instant?) throws(FetchFailure) -> Duration? {
        guard let deadline else { return nil }
        let left = deadline - .now
        guard left > .zero else { throw FetchFailure(.timedOut, "the request took longer than it was given") }
        return left
    }
}

extension RawAnswer {
    /// Where it leads to, when that is within the origin of `place` (RFC 9110 section 15.4).
    fileprivate func redirect(from place: URL) -> URL? {
        guard [301, 302, 303, 307, 308].contains(status) else { return nil }
        let locations = headers.values(of: "Location")
        guard locations.count == 1, let next = URL(string: locations[0], relativeTo: place)?.absoluteURL,
            next.origin == place.origin
        else { return nil }
        return next
    }
}

extension URL {
    /// Scheme, host and port (RFC 6454 section 4).
    fileprivate var origin: [String?] {
        let scheme = scheme?.lowercased()
        let port = port ?? (scheme == "https" ? 443 : 80)
        return [scheme, host()?.lowercased(), String(port)]
    }
}

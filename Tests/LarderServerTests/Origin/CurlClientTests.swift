import Foundation
import LarderKit
import LarderServer
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct CurlClientTests {
    let client = CurlClient()

    /// The failure of asking, or `nil` if there was none.
    private func failure(
        of client: CurlClient, _ url: String, method: String = "GET", headers: HeaderFields = [:], body: Data? = nil,
        timeout: Duration? = nil
    ) async -> FetchFailure? {
        do {
            _ = try await client.send(method: method, url: url, headers: headers, body: body, timeout: timeout)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [ServerResponse.Framing.length, .chunked], [0, 1, 50_000])
    func aCutBodyIsAWrongAnswer(framing: ServerResponse.Framing, bytes: Int) async throws {
        let server = try HTTPServer { _ in
            ServerResponse(body: Data(repeating: 1, count: 100_000), framing: framing, fault: .closeAfter(bytes: bytes))
        }
        #expect(await failure(of: client, server.url + "/")?.kind == .wrongAnswer)
    }

    @Test func aRefusedConnectionIsOffline() async throws {
        let server = try HTTPServer { _ in .plain("") }
        server.stop()
        #expect(await failure(of: client, server.url + "/")?.kind == .offline)
    }

    @Test func aConnectionClosedWithoutAnAnswerIsOffline() async throws {
        let server = try HTTPServer { _ in ServerResponse(fault: .closeUnanswered) }
        #expect(await failure(of: client, server.url + "/")?.kind == .offline)
    }

    @Test func anUnsafeRequestIsSentOnceEvenWhenItsConnectionDies() async throws {
        let count = Mutex(0)
        let server = try HTTPServer { request in
            guard request.method == "POST" else { return .plain("") }
            count.withLock { $0 += 1 }
            return ServerResponse(fault: .closeUnanswered)
        }
        _ = try await client.send(url: server.url + "/")  // Leaves a connection to take up again.
        #expect(await failure(of: client, server.url + "/", method: "POST", body: Data("x".utf8))?.kind == .offline)
        #expect(count.withLock { $0 } == 1)
    }

    @Test func noAnswerInTimeIsTimedOut() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try HTTPServer { _ in
            gate.wait()
            return .plain("")
        }
        #expect(await failure(of: client, server.url + "/", timeout: .milliseconds(30))?.kind == .timedOut)
        #expect(await failure(of: client, server.url + "/", timeout: .zero)?.kind == .timedOut)
        gate.signal()
    }

    @Test func cancellingTheTaskEndsTheTransfer() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let server = try HTTPServer { _ in
            arrival.yield()
            gate.wait()
            return .plain("")
        }
        let task = Task { [client] in await failure(of: client, server.url + "/") }
        for await _ in arrived { break }
        task.cancel()
        // The server still holds its answer back: only the cancellation can end this.
        #expect(await task.value?.explanation == "the request was cancelled")
        gate.signal()
    }

    @Test func aTaskCancelledBeforehandAsksNothing() async throws {
        let asked = Mutex(false)
        let server = try HTTPServer { _ in
            asked.withLock { $0 = true }
            return .plain("")
        }
        let task = Task { [client] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure(of: client, server.url + "/")
        }
        #expect(await task.value?.kind == .other)
        server.stop()
        #expect(!asked.withLock { $0 })
    }

    @Test func manyRequestsAtOnceEachGetTheirOwnAnswer() async throws {
        let server = try HTTPServer { .plain($0.target) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<50 {
                group.addTask { [client] in
                    try await client.send(url: server.url + "/\(index)").body == Data("/\(index)".utf8)
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func aBodyAboveTheLimitIsRefused() async throws {
        let small = CurlClient(.init(bodyLimit: 1000))
        let size = Mutex(1000)
        let server = try HTTPServer { request in
            ServerResponse(
                body: Data(count: size.withLock { $0 }), framing: request.path == "/chunked" ? .chunked : .length)
        }
        #expect(try await small.send(url: server.url + "/").body.count == 1000)
        size.withLock { $0 = 1001 }
        for path in ["/", "/chunked"] {
            let found = await failure(of: small, server.url + path)
            #expect(found?.kind == .wrongAnswer)
            #expect(found?.explanation.contains("1000 bytes") == true)
        }
    }

    @Test func aCompressedBodyIsDecodedAndNoLongerDescribedAsSent() async throws {
        // "larder" through gzip.
        let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAAAA8tJLEpJLQIAZrTPQgYAAAA="))
        let server = try HTTPServer { _ in
            ServerResponse(headers: ["Content-Encoding": "gzip", "ETag": "\"1\""], body: gzip)
        }
        let decoded = try await client.send(url: server.url + "/")
        #expect(decoded.body == Data("larder".utf8))
        #expect(decoded.headers["Content-Encoding"] == nil)
        #expect(decoded.headers["Content-Length"] == nil)
        #expect(decoded.headers["ETag"] == "\"1\"")
        let raw = try await client.send(url: server.url + "/", headers: ["Accept-Encoding": "gzip"])
        #expect(raw.body == gzip)
        #expect(raw.headers["Content-Encoding"] == "gzip")
    }

    @Test(arguments: [
        "ftp://127.0.0.1/", "file:///etc/hostname", "127.0.0.1:80", "http://", "http:///x", "", "http://a b/",
    ])
    func onlyHTTPIsAsked(url: String) async {
        #expect(await failure(of: client, url)?.kind == .other)
    }

    struct Unsendable: Sendable {
        var method = "GET"
        var headers: HeaderFields = [:]
    }

    @Test(arguments: [
        Unsendable(headers: ["X": "a\r\nAuthorization: secret"]), Unsendable(headers: ["X: secret": "a"]),
        Unsendable(headers: ["": "secret"]), Unsendable(method: "GET /secret"), Unsendable(method: ""),
    ])
    func whatCannotBeSentIsRefusedWithoutRepeatingIt(_ request: Unsendable) async throws {
        let found = await failure(of: client, "http://127.0.0.1:1/", method: request.method, headers: request.headers)
        #expect(found?.kind == .other)
        #expect(found?.explanation.contains("secret") == false)
    }

    @Test func aURLWithAUserNameIsRefused() async throws {
        let found = await failure(of: client, "http://me:secret@127.0.0.1:1/")
        #expect(found?.kind == .other)
        #expect(found?.explanation.contains("secret") == false)
    }
}

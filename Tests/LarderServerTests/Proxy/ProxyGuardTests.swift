import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization
import Testing

@testable import LarderServer

/// Who is not to get what, and what is not to reach an origin.
@Suite(.timeLimit(.minutes(5))) struct ProxyGuardTests: ProxyTesting {
    private static let fresh = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nhi"

    // MARK: Circles

    @Test func aRequestThatComesBackIsRefusedAtOnce() async throws {
        let transport = TurningTransport()
        let proxy = try CachingProxy(.init(origins: try OriginMap(["http://origin.test"])), transport: transport) {
            HTTPCache(Larder.inMemory().common, transport: $0)
        }
        transport.url.withLock { $0 = proxy.url }
        #expect(try await get(proxy, "/", host: "localhost").status == 508)
        #expect(proxy.current.counts.originRequests == 1)
        await proxy.stop()
    }

    @Test(arguments: ["larder", "larder-00000000"])
    func aLongRowOfOthersIsACircle(name: String) async throws {
        let origin = try RawServer(answering: Self.fresh)
        let proxy = try proxy(origin)
        let others = Array(repeating: "1.1 \(name)", count: 5)
        let row = try await get(proxy, "/a", "Via: \(others.dropLast().joined(separator: ", "))\r\n")
        #expect(row.status == 200)
        let circle = try await get(proxy, "/b", others.map { "Via: \($0)\r\n" }.joined())
        #expect(circle.status == 508)
        await proxy.stop()
    }

    @Test func whatVariesByViaIsOneAnswerForAllProxiesOnACache() async throws {
        let origin = try RawServer(
            answering: "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nVary: Via\r\nContent-Length: 2\r\n\r\nhi")
        let larder = Larder.inMemory()
        let (first, second) = (try proxy(origin, larder: larder), try proxy(origin, larder: larder))
        #expect(try await get(first).text.contains("stored"))
        #expect(try await get(second).text.contains("; hit;"))
        #expect(origin.heads.first?.contains("\r\nVia: 1.1 larder-") == true)
        await first.stop()
        await second.stop()
    }

    // MARK: Whose answer it is

    @Test(arguments: ["Authorization", "Cookie", "Forwarded", "User-Agent", "X-Forwarded-For", "X-Real-IP"])
    func anAnswerThatSetsACookieIsForTheClientThatGotIt(field: String) async throws {
        let origin = try RawServer(
            answering: """
                HTTP/1.1 200 OK\r\nCache-Control: max-age=60, must-revalidate\r\nSet-Cookie: id=1\r\nContent-Length: 2\r\n\
                \r\nhi
                """)
        let proxy = try proxy(origin)
        _ = try await get(proxy, "/", "\(field): one\r\n")
        #expect(try await get(proxy, "/", "\(field): one\r\n").text.contains("; hit;"))
        #expect(origin.heads.count == 1)
        #expect(try await !get(proxy, "/", "\(field): two\r\n").text.contains("; hit;"))
        #expect(origin.heads.count == 2)
        await proxy.stop()
    }

    // MARK: Its own pages

    @Test func noRequestForItsOwnPagesReachesTheOrigin() async throws {
        let origin = try RawServer(answering: Self.fresh)
        let proxy = try proxy(origin)
        #expect(try await get(proxy, "/.larder/status", method: "POST", "Content-Length: 0\r\n").status == 405)
        let client = try RawClient(port: proxy.port)
        client.send("POST /.larder/status HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
        #expect(try await client.answer().status == 405)
        client.send("GET /.larder/status HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
        #expect(try await client.answer().status == 200)
        #expect(origin.heads.isEmpty)
        await proxy.stop()
    }

    // MARK: Names that lead here

    @Test func aPageWhoseNameLeadsHereGetsNothing() async throws {
        let origin = try RawServer(answering: Self.fresh)
        let proxy = try proxy(origin)
        #expect(try await get(proxy).status == 200)
        for host in ["page.test", "page.test:\(proxy.port)", "127.page.test", "localhost.page.test", "192.0.2.1"] {
            for path in ["/", "/other", "/.larder/status"] {
                let answer = try await get(proxy, path, host: host)
                #expect(answer.status == 421, "\(host)\(path)")
                #expect(String(decoding: answer.body, as: UTF8.self).contains("--host \(host.prefix { $0 != ":" })\n"))
            }
            #expect(try await get(proxy, "/", method: "POST", host: host, "Content-Length: 0\r\n").status == 421)
        }
        #expect(origin.heads.count == 1)
        await proxy.stop()
    }

    @Test func whoAsksForThisMachineOrAnOriginIsServed() async throws {
        let origin = try RawServer(answering: Self.fresh)
        let origins = try OriginMap([origin.url, "own.test=\(origin.url)", "/far=http://far.test"])
        let proxy = try proxy(origin) { $0.origins = origins }
        let hosts = [
            "a", "A:1", "localhost", "LOCALHOST:9", "x.localhost", "127.0.0.1:\(proxy.port)", "127.1.2.3", "[::1]:80",
            "own.test", "far.test:8080",
        ]
        for host in hosts { #expect(try await get(proxy, host: host).status == 200, "\(host)") }
        let client = try RawClient(port: proxy.port)
        client.send("GET / HTTP/1.0\r\n\r\n")
        #expect(try await client.answer().status == 200)
        await proxy.stop()
    }
}

/// Sends whatever is asked to one server.
private final class TurningTransport: HTTPTransport {
    let url = Mutex("")
    private let transport = CurlTransport()

    func send(
        _ request: HTTPRequestHead, body: HTTPRequestBody?,
        onInterim: @escaping @Sendable (HTTPResponseHead) -> Void
    ) async throws(FetchFailure) -> HTTPIncomingResponse {
        var request = request
        request.url = url.withLock { $0 } + "/"
        return try await transport.send(request, body: body, onInterim: onInterim)
    }
}

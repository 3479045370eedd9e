import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization
import Testing

@testable import LarderServer

/// The proxy whole: clients and origins are sockets on loopback.
@Suite(.timeLimit(.minutes(5))) struct CachingProxyTests: ProxyTesting {
    @Test func aHitAsksNobodyAndSaysSo() async throws {
        let origin = try RawServer(
            answering: "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nX-Own: \u{FC}\r\nContent-Length: 2\r\n\r\nhi")
        let proxy = try proxy(origin)
        let first = try await get(proxy)
        let second = try await get(proxy)
        #expect(first.body == Data("hi".utf8) && second.body == Data("hi".utf8))
        #expect(second.text.contains("Cache-Status: Larder; hit; ttl="))
        #expect(origin.heads.count == 1)
        #expect(proxy.current.counts.results[.hit] == 1 && proxy.current.counts.results[.miss] == 1)
        await proxy.stop()
    }

    @Test func whatConcernsOneConnectionGoesNoFurther() async throws {
        let origin = try RawServer(
            answering: """
                HTTP/1.1 200 OK\r\nConnection: X-Hop, keep-alive\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\n\
                Proxy-Authenticate: Basic\r\nUpgrade: h2c\r\nX-End: 1\r\nCache-Control: max-age=60\r\n\
                Content-Length: 2\r\n\r\nhi
                """)
        let proxy = try proxy(origin)
        for _ in 0..<2 {
            let answer = try await get(
                proxy, "/", method: "GET",
                """
                Connection: close, X-Mine\r\nX-Mine: 1\r\nTE: trailers\r\nKeep-Alive: 5\r\nUpgrade: h2c\r\n\
                Proxy-Authorization: Basic x\r\nX-Kept: 1\r\n
                """)
            for name in ["X-Hop", "Keep-Alive", "Proxy-Authenticate", "Upgrade"] {
                #expect(!answer.text.contains("\r\n\(name):"))
            }
            #expect(answer.text.contains("\r\nX-End: 1\r\n"))
        }
        let head = try #require(origin.heads.first)
        for name in ["X-Mine", "TE", "Keep-Alive", "Upgrade", "Proxy-Authorization"] {
            #expect(!head.lowercased().contains("\r\n\(name.lowercased()):"))
        }
        #expect(head.contains("\r\nX-Kept: 1\r\n") && head.contains("\r\nVia: 1.1 larder-"))
        #expect(head.contains("\r\nHost: 127.0.0.1:\(origin.port)\r\n"))
        await proxy.stop()
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\nhal",
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n",
    ])
    func aCutAnswerIsSeenToBeCutAndIsNotStored(text: String) async throws {
        let origin = try RawServer(answeringOnce: text)
        let proxy = try proxy(origin)
        for count in 1...2 {
            let client = try RawClient(port: proxy.port)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let (received, _) = await client.rest()
            #expect(received.hasPrefix("HTTP/1.1 200 ") || received.hasPrefix("HTTP/1.1 502 "))
            // The end that says "whole" does not come.
            #expect(!received.hasSuffix("0\r\n\r\n"))
            #expect(origin.heads.count >= count)
        }
        await proxy.stop()
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nNo colon\r\n\r\n", "garbage\r\n\r\n", "",
    ])
    func anAnswerThatCanBeReadInTwoWaysIsABadGateway(text: String) async throws {
        let origin = try RawServer(answeringOnce: text)
        let proxy = try proxy(origin)
        #expect(try await get(proxy).status == 502)
        #expect(proxy.current.counts.results[.failed] == 1)
        await proxy.stop()
    }

    @Test func aRequestThatCanBeReadInTwoWaysReachesNoOrigin() async throws {
        let origin = try RawServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let proxy = try proxy(origin)
        let bodies = [
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n",
            "Content-Length: 0\r\nContent-Length: 30\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n",
            "Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n",
            "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n",
            "X: a\r\n b\r\n\r\n", "X: a\u{0}b\r\n\r\n", "X: a\nTransfer-Encoding: chunked\r\n\r\n",
        ]
        for body in bodies {
            let client = try RawClient(port: proxy.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\n\(body)")
            let (text, _) = await client.rest()
            #expect(text.hasPrefix("HTTP/1.1 400 ") || text.hasPrefix("HTTP/1.1 501 "), "\(body)")
        }
        #expect(origin.heads.isEmpty)
        await proxy.stop()
    }

    @Test func interimAnswersArePassedOnAndNotStored() async throws {
        let origin = try RawServer(
            answering: """
                HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nConnection: X-Hop\r\nX-Hop: 1\r\n\r\n\
                HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nhi
                """)
        let proxy = try proxy(origin)
        let client = try RawClient(port: proxy.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let hint = try await client.answer()
        #expect(hint.status == 103 && hint.text.contains("Link: </a>") && !hint.text.contains("X-Hop"))
        #expect(try await client.answer().body == Data("hi".utf8))
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let hit = try await client.answer()
        #expect(hit.status == 200 && !hit.text.contains("Link:"))
        await proxy.stop()
    }

    @Test func hitsDoNotWaitBehindAnOriginThatHangs() async throws {
        let origin = try RawServer { connection in
            guard let head = connection.readHead() else { return }
            guard head.hasPrefix("GET /fast") else {
                connection.waitForClose()
                return
            }
            connection.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nhi")
        }
        let proxy = try proxy(origin)
        #expect(try await get(proxy, "/fast").status == 200)
        let slow = try (0..<50).map { _ in try RawClient(port: proxy.port) }
        for (number, client) in slow.enumerated() { client.send("GET /slow\(number) HTTP/1.1\r\nHost: a\r\n\r\n") }
        while proxy.current.counts.originRequests < 51 { await Task.yield() }
        for _ in 0..<100 { #expect(try await get(proxy, "/fast").text.contains("; hit;")) }
        for client in slow { client.leave() }
        await proxy.stop()
    }

    @Test func manyWhoWantTheSameMakeOneRequest() async throws {
        let gate = DispatchSemaphore(value: 0)
        let origin = try RawServer { connection in
            guard connection.readHead() != nil else { return }
            gate.wait()
            connection.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nhi")
            gate.signal()
        }
        let proxy = try proxy(origin)
        let clients = try (0..<20).map { _ in try RawClient(port: proxy.port) }
        for client in clients { client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
        while origin.heads.isEmpty || proxy.current.front.requests < 20 { await Task.yield() }
        gate.signal()
        for client in clients { #expect(try await client.answer().body == Data("hi".utf8)) }
        #expect(origin.heads.count == 1)
        await proxy.stop()
    }

    @Test func whatIsLargeIsStoredThoughTheClientHasGone() async throws {
        let size = 5_000_000
        let origin = try RawServer { connection in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: \(size)\r\n\r\n")
            let piece = [UInt8](repeating: 7, count: 100_000)
            for _ in 0..<(size / piece.count) { connection.send(piece) }
        }
        let proxy = try proxy(origin)
        let client = try RawClient(port: proxy.port)
        client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try await client.bytes(1000)
        client.leave()
        while proxy.current.exchangesUnderWay > 0 { await Task.yield() }
        let answer = try await get(proxy, "/big")
        #expect(answer.body == Data(repeating: 7, count: size))
        #expect(origin.heads.count == 1)
        await proxy.stop()
    }

    @Test func withTheOriginGoneWhatIsStoredIsServedAndTheRestIsABadGateway() async throws {
        let proxy: CachingProxy
        do {
            let origin = try RawServer(
                answeringOnce: "HTTP/1.1 200 OK\r\nCache-Control: max-age=0\r\nContent-Length: 2\r\n\r\nhi")
            proxy = try self.proxy(origin)
            #expect(try await get(proxy).status == 200)
        }
        let stale = try await get(proxy)
        #expect(stale.body == Data("hi".utf8) && stale.text.contains("detail=stale-on-error"))
        #expect(try await get(proxy, "/other").status == 502)
        proxy.cache.isOffline = true
        #expect(try await get(proxy).text.contains("detail=offline"))
        #expect(try await get(proxy, "/other").status == 504)
        await proxy.stop()
    }

    @Test func aBodyThatAClientSendsArrivesWholeAndOnce() async throws {
        let seen = Mutex<[Int]>([])
        let origin = try RawServer { connection in
            while let head = connection.readHead() {
                let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                let count = length.flatMap { Int($0.drop { $0 != " " }.dropFirst()) } ?? 0
                let body = connection.read(count)
                seen.withLock { $0.append(body.count) }
                connection.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let proxy = try proxy(origin)
        let client = try RawClient(port: proxy.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 700000\r\n\r\n")
        await client.sendWaiting(Data(repeating: 1, count: 700_000))
        #expect(try await client.answer().status == 201)
        #expect(seen.withLock { $0 } == [700_000])
        await proxy.stop()
    }

    @Test func nothingButTheOriginsIsAsked() async throws {
        let origin = try RawServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        let other = try RawServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno")
        let proxy = try proxy(origin) { $0.isForward = true }
        #expect(try await get(proxy, origin.url + "/a").body == Data("hi".utf8))
        for target in [other.url + "/", "http://localhost:\(other.port)/", "//127.0.0.1:\(other.port)/"] {
            _ = try await get(proxy, target)
        }
        let connecting = try RawClient(port: proxy.port)
        connecting.send("CONNECT 127.0.0.1:\(other.port) HTTP/1.1\r\nHost: 127.0.0.1:\(other.port)\r\n\r\n")
        #expect(try await connecting.answer().status >= 400)
        #expect(other.heads.isEmpty)
        await proxy.stop()
    }

    @Test func itTellsOfItself() async throws {
        let origin = try RawServer(
            answering: "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nhi")
        let proxy = try proxy(origin)
        _ = try await get(proxy)
        _ = try await get(proxy)
        let status = try await get(proxy, "/.larder/status")
        let facts = try #require(try JSONSerialization.jsonObject(with: status.body) as? [String: Any])
        #expect((facts["results"] as? [String: Int])?["hit"] == 1)
        let metrics = String(decoding: try await get(proxy, "/.larder/metrics").body, as: UTF8.self)
        #expect(metrics.contains("larder_requests_total{result=\"hit\"} 1\n"))
        await proxy.stop()
    }
}

import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization
import Testing

@testable import LarderServer

/// What origins do wrong, on the wire.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportFaultTests {
    let transport = CurlTransport()

    @Test(arguments: [
        "garbage\r\n\r\n", "SSH-2.0-x\r\n", "\r\n\r\n", "HTTP/1.1 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: 1\r\n folded\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nab", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\nab", "HTTP/1.1 200 OK\r\nA: \0\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\rC: d\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "HTTP/1.1 200 OK\r\nA: cut",
    ])
    func aMalformedHeadIsAWrongAnswer(answer: String) async throws {
        let server = try RawServer(answeringOnce: answer)
        #expect(await transport.failure(of: server.url + "/")?.kind == .wrongAnswer)
        #expect(server.heads.count == 1)
    }

    @Test(arguments: [
        ("Content-Length: 10", "abc"), ("Transfer-Encoding: chunked", "5\r\nabc"),
        ("Transfer-Encoding: chunked", "3\r\nabc\r\n"), ("Transfer-Encoding: chunked", "3\r\nabc\r\n0\r\n"),
        ("Transfer-Encoding: chunked", "3\r\nabc\r\nx\r\n"), ("Transfer-Encoding: chunked", "3\r\nabcd\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked", "3\nabc\n0\n\n"), ("Transfer-Encoding: chunked", "abc"),
    ])
    func aBodyThatIsCutOrMalformedFails(field: String, body: String) async throws {
        let server = try RawServer(answeringOnce: "HTTP/1.1 200 OK\r\n\(field)\r\n\r\n\(body)")
        #expect(try await transport.bodyFailure(of: server.url + "/")?.kind == .wrongAnswer)
    }

    @Test func whatCameBeforeACutIsHandedOut() async throws {
        let server = try RawServer(answeringOnce: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        let body = try await transport.send(server.url + "/").body
        #expect(try await body.next() == Data("abc".utf8))
        await #expect(throws: FetchFailure.self) { try await body.next() }
    }

    @Test func aBodyLongerThanItsLengthIsCutAndItsConnectionDropped() async throws {
        let server = try RawServer(
            answering: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n")
        for _ in 0..<2 { #expect(try await transport.answer(server.url + "/").body.get() == Data("abc".utf8)) }
        #expect(server.connections == 2)
    }

    @Test func aBodyInAnUnknownCodingRunsToTheClose() async throws {
        let server = try RawServer(
            answeringOnce: "HTTP/1.1 200 OK\r\nTransfer-Encoding: unheard-of\r\n\r\n3\r\nabc\r\n")
        let answer = try await transport.answer(server.url + "/")
        #expect(try answer.body.get() == Data("3\r\nabc\r\n".utf8))
        #expect(answer.head.headers == ["Transfer-Encoding": "unheard-of"])
    }

    @Test(arguments: [204, 304], ["GET", "HEAD", "POST"])
    func anAnswerWithoutABodyDoesNotWaitForChunks(status: Int, method: String) async throws {
        let server = try RawServer(answering: "HTTP/1.1 \(status) X\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<2 { #expect(try await transport.answer(server.url + "/", method: method).body.get().isEmpty) }
    }

    @Test func aConnectionLostBeforeTheHeadIsOffline() async throws {
        let closing = try RawServer { _ = $0.readHead() }
        let resetting = try RawServer { connection in
            _ = connection.readHead()
            connection.reset()
        }
        let hinting = try RawServer(answeringOnce: "HTTP/1.1 103 Early Hints\r\n\r\n")
        for server in [closing, resetting, hinting] {
            #expect(await transport.failure(of: server.url + "/")?.kind == .offline)
            #expect(server.heads.count == 1)
        }
    }

    @Test(arguments: ["Content-Length: 10", "Transfer-Encoding: chunked", "A: runs to the close"])
    func aConnectionResetInTheBodyFailsTheBody(field: String) async throws {
        // Once the client has something of it: a reset overtakes what is not read.
        let gate = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n4\r\nab")
            gate.wait()
            connection.reset()
        }
        let body = try await transport.send(server.url + "/").body
        _ = try await body.next()
        gate.signal()
        await #expect(throws: FetchFailure.self) { while try await body.next() != nil {} }
    }

    @Test func aFloodOfInterimAnswersEnds() async throws {
        let server = try RawServer { connection in
            _ = connection.readHead()
            while connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") {}
        }
        let count = Mutex(0)
        await #expect(throws: FetchFailure.self) {
            try await transport.send(server.url + "/") { _ in count.withLock { $0 += 1 } }
        }
        #expect(count.withLock { $0 } == AnswerHead.interimLimit)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n", "A: \(String(repeating: "x", count: 1000))\r\n"),
        ("HTTP/1.1 200 OK\r\nA: ", "xxxxxxxx"),
        ("HTTP/1.1 200 ", "xxxxxxxx"), ("", "xxxxxxxx"),
    ])
    func anEndlessHeadEnds(start: String, part: String) async throws {
        let server = try RawServer { connection in
            _ = connection.readHead()
            connection.send(start)
            while connection.send(part) {}
        }
        #expect(await transport.failure(of: server.url + "/")?.kind == .wrongAnswer)
    }

    @Test func endlessTrailersEnd() async throws {
        let server = try RawServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
            while connection.send("A: \(String(repeating: "x", count: 1000))\r\n") {}
        }
        #expect(try await transport.bodyFailure(of: server.url + "/")?.kind == .wrongAnswer)
    }

    @Test func aGETIsSentAgainOnADeadConnectionAndNothingElseIs() async throws {
        let server = try RawServer { connection in
            guard let head = connection.readHead(), !head.hasPrefix("P") else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            _ = connection.readHead()  // And no answer to the second.
        }
        for _ in 0..<2 { #expect(try await transport.answer(server.url + "/").head.status == 200) }
        #expect(server.heads.count == 3)

        for method in ["POST", "PUT", "PATCH", "PURGE"] {
            let sent = server.heads.count
            #expect(await transport.failure(of: server.url + "/", method: method)?.kind == .offline)
            #expect(server.heads.count == sent + 1)
        }
    }
}

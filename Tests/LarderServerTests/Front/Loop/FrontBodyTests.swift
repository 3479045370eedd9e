import Foundation
import LarderHTTPCache
import LarderKit
import Testing

@testable import LarderServer

@Suite(.timeLimit(.minutes(5))) struct FrontBodyTests {
    /// Answers with the length of the body and its last bytes, or with what kept it from coming.
    private static let counting = ClosureHandler { _, exchange in
        guard let body = exchange.takeBody() else { return exchange.answer(.text("none")) }
        do {
            let data = try await body.pipe.collect(upTo: 1 << 30)
            exchange.answer(
                .text("\(data.count) of \(body.length ?? -1): \(String(decoding: data.suffix(3), as: UTF8.self))"))
        } catch {
            exchange.answer(.text("\(error)", status: 400))
        }
    }

    @Test(arguments: [
        ("Content-Length: 5\r\n\r\nhello", "5 of 5: llo"), ("Content-Length: 0\r\n\r\n", "none"),
        ("Transfer-Encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nA: b\r\n\r\n", "5 of -1: llo"),
        ("Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "0 of -1: "),
    ])
    func aBodyIsTakenAndTheConnectionKept(rest: String, expected: String) async throws {
        let front = try HTTPFront.serving(Self.counting)
        let client = try RawClient(port: front.port)
        for _ in 0..<2 {
            client.send("POST / HTTP/1.1\r\nHost: a\r\n\(rest)")
            #expect(String(decoding: try await client.answer().body, as: UTF8.self) == expected)
        }
    }

    @Test func aLargeBodyIsTakenAsFastAsItIsWantedAndNotFaster() async throws {
        let goesOn = Happening()
        let handler = ClosureHandler { _, exchange in
            guard let body = exchange.takeBody() else { return }
            await goesOn.wait()
            let count = (try? await body.pipe.collect(upTo: 1 << 30))?.count ?? -1
            exchange.answer(.text("\(count)"))
        }
        let front = try HTTPFront.serving(handler) { $0.inputLimit = 10_000 }
        let client = try RawClient(port: front.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 30000000\r\n\r\n")
        async let sending: Void = client.sendWaiting(Data(count: 30_000_000))
        goesOn.happen()
        #expect(try await client.answer().body == Data("30000000".utf8))
        await sending
    }

    @Test func aClientIsToldToGoOnWhenItsBodyIsWanted() async throws {
        let front = try HTTPFront.serving(Self.counting)
        let client = try RawClient(port: front.port)
        let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
        client.send(head)
        #expect(try await client.answer().status == 100)
        client.send("hello")
        #expect(try await client.answer().body == Data("5 of 5: llo".utf8))
        // One that does not wait.
        client.send(head + "hello")
        #expect([100, 200].contains(try await client.answer().status))
    }

    @Test func whoseBodyIsNotWantedIsAnsweredAndClosed() async throws {
        let front = try HTTPFront.serving(ClosureHandler())
        let client = try RawClient(port: front.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        let answer = try await client.answer()
        #expect((answer.status, answer.headers["Connection"]) == (200, "close"))
        #expect(await client.rest() == ("", 0))
    }

    @Test func aSmallBodyThatIsNotWantedIsPassedOver() async throws {
        let front = try HTTPFront.serving(ClosureHandler())
        let client = try RawClient(port: front.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")
        #expect(try await client.answer().headers["Connection"] == nil)
        client.send("helloGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.answer().body == Data("GET /next".utf8))
    }

    @Test func anAbandonedBodyDoesNotKeepTheAnswerFromItsClient() async throws {
        let handler = ClosureHandler { _, exchange in
            exchange.takeBody()?.pipe.abandon()
            exchange.answer(.text("too much", status: 413))
        }
        let front = try HTTPFront.serving(handler)
        let client = try RawClient(port: front.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n")
        async let sending: Void = client.sendWaiting(Data(count: 3_000_000))
        #expect(try await client.answer().status == 413)
        await sending
    }

    @Test(arguments: [(true, "offline"), (false, "other")])
    func aBodyThatIsCutFails(isMalformed: Bool, unused: String) async throws {
        let hasFailed = Happening()
        let handler = ClosureHandler { _, exchange in
            guard let body = exchange.takeBody() else { return }
            do { _ = try await body.pipe.collect(upTo: 100) } catch { hasFailed.happen() }
        }
        let front = try HTTPFront.serving(handler)
        var client: RawClient? = try RawClient(port: front.port)
        client?.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel")
        if isMalformed {
            client?.send("lo!!")
            #expect(try await client?.answer().status == 400)
        } else {
            client = nil
        }
        await hasFailed.wait()
        let record = try #require(await handler.record())
        #expect(record.status == (isMalformed ? 400 : 0))
    }

    @Test func aBodyThatComesTooSlowlyIsRefused() async throws {
        let front = try HTTPFront.serving(Self.counting) {
            $0.patience.body = .milliseconds(50)
            $0.patience.bodyBytes = 10
        }
        let client = try RawClient(port: front.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nhello")
        #expect(try await client.answer().status == 408)
        #expect(await client.rest() == ("", 0))
    }
}

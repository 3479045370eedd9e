import Foundation
import LarderHTTPCache
import LarderKit
import Testing

@testable import LarderServer

@Suite(.timeLimit(.minutes(5))) struct FrontAnsweringTests {
    @Test func connectionsAreKeptForTheNextRequest() async throws {
        let front = try HTTPFront.serving(ClosureHandler(atOnce: { $0.path == "/now" ? .text("now") : nil }))
        let client = try RawClient(port: front.port)
        for path in ["/now", "/later", "/now", "/later"] {
            client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.status == 200)
            #expect(String(decoding: answer.body, as: UTF8.self) == (path == "/now" ? "now" : "GET /later"))
            #expect(answer.headers["Connection"] == nil)
        }
        #expect(front.counts.acceptedConnections == 1)
        #expect(front.counts.requests == 4)
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let front = try HTTPFront.serving(ClosureHandler(atOnce: { $0.path.hasSuffix("0") ? nil : .text($0.path) }))
        let client = try RawClient(port: front.port)
        let count = 500
        client.send((0..<count).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        for number in 0..<count {
            let text = String(decoding: try await client.answer().body, as: UTF8.self)
            #expect(text == (number % 10 == 0 ? "GET /\(number)" : "/\(number)"))
        }
    }

    @Test func aRequestMayComeByteByByte() async throws {
        let front = try HTTPFront.serving(ClosureHandler.echo)
        let client = try RawClient(port: front.port)
        for byte in "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n".utf8 { client.send(Data([byte])) }
        #expect(try await client.answer().body == Data("GET /slow".utf8))
    }

    @Test func aHeadOfAKeptAnswerIsSentAsItIs() async throws {
        let headers = HeaderFields([
            .init(name: "Date", value: "Sun, 06 Nov 1994 08:49:37 GMT"), .init(name: "X-A", value: "1\u{e9}"),
            .init(name: "x-a", value: ""), .init(name: "Content-Length", value: "99"),
            .init(name: "Connection", value: "X-A"), .init(name: "Transfer-Encoding", value: "chunked"),
            .init(name: "Bad Name", value: "x"), .init(name: "X-Split", value: "a\r\nb: c"),
        ])
        let head = FrontHead(HTTPResponseHead(status: 299, reason: "Fine", headers: headers))
        let front = try HTTPFront.serving(
            ClosureHandler(atOnce: { _ in
                FrontAnswer(head: head, extraFields: Array("Age: 7\r\n".utf8), body: Data("body".utf8))
            }))
        let client = try RawClient(port: front.port)
        client.send("GET / HTTP/1.0\r\n\r\n")
        let date = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
        let expected =
            Data("HTTP/1.1 299 Fine\r\n\(date)X-A: 1".utf8) + [0xE9]
            + Data("\r\nx-a: \r\nX-Split: a??b: c\r\nAge: 7\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody".utf8)
        #expect(try await client.bytes(expected.count) == expected)
        #expect(await client.rest() == ("", 0))
    }

    @Test func aDateIsAddedWhereThereIsNone() async throws {
        let front = try HTTPFront.serving(ClosureHandler.echo)
        let client = try RawClient(port: front.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let dates = try await client.answer().headers.values(of: "Date")
        #expect(dates.count == 1)
        #expect(dates.first?.hasSuffix(" GMT") == true)
        #expect(DateLine.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(arguments: [true, false])
    func answersWithoutABodySayItsLengthOnlyWhereTheyMay(atOnce: Bool) async throws {
        @Sendable func answer(_ request: FrontRequest) -> FrontAnswer {
            let status = Int(request.path.dropFirst()) ?? 200
            let headers: HeaderFields = request.path == "/304" ? ["Content-Length": "77"] : [:]
            return .text("body", status: status, headers: headers)
        }
        let handler = ClosureHandler(
            atOnce: { atOnce ? answer($0) : nil },
            { request, exchange in
                let whole = answer(request)
                exchange.begin(whole.head, length: request.path == "/304" ? 77 : 4)
                _ = await exchange.write(whole.body)
                exchange.end()
            })
        let front = try HTTPFront.serving(handler)
        let client = try RawClient(port: front.port)
        let cases = [("HEAD", "/200", "4"), ("GET", "/304", "77"), ("GET", "/204", nil), ("GET", "/200", "4")]
        for (method, path, length) in cases {
            client.send("\(method) \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try await client.answer(isHead: method == "HEAD")
            #expect(answer.headers["Content-Length"] == length)
            #expect(answer.headers["Transfer-Encoding"] == nil)
        }
    }

    @Test func clientsOfOneDotZeroAreUnderstood() async throws {
        let handler = ClosureHandler { request, exchange in
            exchange.interim(HTTPResponseHead(status: 103))
            exchange.begin(HTTPResponseHead(status: 200), length: request.path == "/known" ? 4 : nil)
            _ = await exchange.write(Data("body".utf8))
            exchange.end()
        }
        let front = try HTTPFront.serving(handler)
        let client = try RawClient(port: front.port)
        client.send(
            "GET /known HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let known = try await client.answer()
        #expect((known.status, known.body) == (200, Data("body".utf8)))
        #expect(known.headers["Connection"] == "keep-alive")
        let unknown = try await client.answer()
        #expect((unknown.status, unknown.body, unknown.isWhole) == (200, Data("body".utf8), true))
        #expect(unknown.headers["Connection"] == "close")
        #expect(unknown.headers["Transfer-Encoding"] == nil)
    }

    @Test func interimAnswersComeBeforeTheAnswer() async throws {
        let handler = ClosureHandler { _, exchange in
            exchange.interim(HTTPResponseHead(status: 103, headers: ["Link": "</a>"]))
            exchange.interim(HTTPResponseHead(status: 101))
            exchange.begin(HTTPResponseHead(status: 200), length: nil)
            for part in ["a", "bc", String(repeating: "d", count: 20_000)] { _ = await exchange.write(Data(part.utf8)) }
            exchange.end()
        }
        let front = try HTTPFront.serving(handler)
        let client = try RawClient(port: front.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
        for _ in 0..<2 {
            let early = try await client.answer()
            #expect((early.status, early.headers["Link"]) == (103, "</a>"))
            let answer = try await client.answer()
            #expect(answer.headers["Transfer-Encoding"] == "chunked")
            #expect(answer.body == Data("abc".utf8) + Data(repeating: UInt8(ascii: "d"), count: 20_000))
            #expect(answer.isWhole)
        }
    }

    @Test func aSeveralMegabyteAnswerArrivesWhole() async throws {
        let body = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let front = try HTTPFront.serving(
            ClosureHandler(atOnce: { _ in FrontAnswer(HTTPResponseHead(status: 200), body: body) }))
        let client = try RawClient(port: front.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
        for _ in 0..<2 { #expect(try await client.answer().body == body) }
    }

    @Test func whatAHandlerLeavesOpenIsAnsweredWith500() async throws {
        let handler = ClosureHandler { _, _ in }
        let front = try HTTPFront.serving(handler)
        let client = try RawClient(port: front.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.answer().status == 500)
        let record = try #require(await handler.record())
        #expect((record.status, record.isComplete, record.peer) == (500, true, "127.0.0.1"))
    }
}

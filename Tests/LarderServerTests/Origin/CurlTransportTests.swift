import Foundation
import LarderHTTPCache
import LarderKit
import Testing

@testable import LarderServer

@Suite(.timeLimit(.minutes(5))) struct CurlTransportTests {
    let transport = CurlTransport()

    @Test func onlyWhatIsGivenIsSent() async throws {
        let server = try RawServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        _ = try await transport.answer(server.url + "/a/../b//%7e?x=|&y#gone")
        _ = try await transport.answer(
            server.url + "?q", method: "M-SEARCH",
            headers: ["Host": "other.test", "B": "1", "a": "", "b": "\u{E9} x", "Accept": "text/x"])
        _ = try await transport.answer(server.url, method: "OPTIONS")
        #expect(
            server.heads == [
                "GET /a/../b//%7e?x=|&y HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n",
                "M-SEARCH /?q HTTP/1.1\r\nHost: other.test\r\nB: 1\r\na:\r\nb: \u{E9} x\r\nAccept: text/x\r\n\r\n",
                "OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n",
            ])
    }

    @Test func theHeadComesAsItWasSent() async throws {
        let server = try RawServer(
            answering: "HTTP/1.1 599 Odd \u{FC}\r\nb: 2\r\nB: \u{E9}\u{A0}\r\nEmpty:\r\nb:\t1 \r\nContent-Length: 2\r\n"
                + "Content-Encoding: gzip\r\nSet-Cookie: a=1\r\n\r\nhi")
        for _ in 0..<2 {
            let answer = try await transport.answer(server.url + "/")
            #expect(answer.head.status == 599)
            #expect(answer.head.reason == "Odd \u{FC}")
            #expect(
                answer.head.headers.fields.map { "\($0.name)=\($0.value)" }
                    == [
                        "b=2", "B=\u{E9}\u{A0}", "Empty=", "b=1", "Content-Length=2", "Content-Encoding=gzip",
                        "Set-Cookie=a=1",
                    ])
            #expect(try answer.body.get() == Data("hi".utf8))
        }
        #expect(server.connections == 1)
        #expect(!server.heads[1].contains("Cookie"))
    }

    @Test(arguments: [200, 204, 304, 301, 401, 407, 417, 503, 999])
    func anyStatusIsAnAnswer(status: Int) async throws {
        let hasBody = ![204, 304].contains(status)
        let server = try RawServer(
            answering: "HTTP/1.1 \(status) X\r\nLocation: /elsewhere\r\nWWW-Authenticate: Basic realm=\"x\"\r\n"
                + (hasBody ? "Content-Length: 1\r\n\r\nx" : "\r\n"))
        for _ in 0..<2 {
            let answer = try await transport.answer(server.url + "/")
            #expect(answer.head.status == status)
            #expect(try answer.body.get() == Data(hasBody ? "x".utf8 : "".utf8))
        }
        #expect(server.connections == 1)
        #expect(server.heads.count == 2)
    }

    @Test func anAnswerToHEADHasALengthAndNoBody() async throws {
        let server = try RawServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        for _ in 0..<2 {
            let answer = try await transport.answer(server.url + "/", method: "HEAD")
            #expect(answer.head.headers["Content-Length"] == "1000")
            #expect(try answer.body.get().isEmpty)
        }
        #expect(server.connections == 1)
    }

    @Test func chunksAreTakenOffAndTrailersDropped() async throws {
        let server = try RawServer(
            answering: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n"
                + "3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nX: 1\r\n\r\n")
        for _ in 0..<2 {
            let answer = try await transport.answer(server.url + "/")
            #expect(try answer.body.get() == Data("abcde".utf8))
            #expect(answer.head.headers.fields.map(\.name) == ["Transfer-Encoding", "Trailer"])
        }
        #expect(server.connections == 1)
    }

    @Test func interimAnswersAreToldInOrder() async throws {
        let server = try RawServer(
            answering: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                + "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let answer = try await transport.answer(server.url + "/")
        #expect(answer.head.status == 200)
        #expect(answer.interim.map(\.status) == [103, 102])
        #expect(answer.interim.first?.headers == ["Link": "</a>"])
    }

    @Test func manyRequestsAtOnceEachGetTheirOwnAnswer() async throws {
        let server = try RawServer { connection in
            while let head = connection.readHead() {
                let path = head.split(separator: " ")[1]
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(path.count)\r\n\r\n\(path)")
            }
        }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<100 {
                group.addTask { [transport] in
                    try await transport.answer(server.url + "/\(index)").body.get() == Data("/\(index)".utf8)
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test(arguments: [
        "ftp://127.0.0.1/", "127.0.0.1:80", "http://", "http:///x", "", "http://me:secret@127.0.0.1:1/",
        "http://127.0.0.1:1/ secret", "http://127.0.0.1:1/\r\nsecret", "http://127.0.0.1:1/\u{100}", "http://a b/",
    ])
    func whatIsNoURLIsNotAsked(url: String) async {
        let failure = await transport.failure(of: url)
        #expect(failure?.kind == .other)
        #expect(failure?.explanation.contains("secret") == false)
    }

    @Test func whatCannotBeSentIsNotSentAndItsBodyIsEnded() async {
        for headers: HeaderFields in [["X": "a\r\nB: c"], ["X y": "a"], ["": "a"], ["X": "\u{100}"]] {
            let pipe = BodyPipe()
            let failure = await transport.failure(
                of: "http://127.0.0.1:1/", method: "POST", headers: headers,
                body: HTTPRequestBody(length: nil, pipe: pipe))
            #expect(failure?.kind == .other)
            #expect(pipe.offer(Data([1])) == .abandoned)
        }
    }
}

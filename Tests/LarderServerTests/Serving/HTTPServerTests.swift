import Foundation
import LarderKit
import LarderServer
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPServerTests {
    let client = CurlClient(.init(redirectLimit: 0))

    @Test func aRequestArrivesAsItWasSent() async throws {
        let seen = Mutex<ServerRequest?>(nil)
        let server = try HTTPServer { request in
            seen.withLock { $0 = request }
            return .plain("ok")
        }
        let headers = HeaderFields([
            .init(name: "X-One", value: "1"), .init(name: "x-one", value: "2"), .init(name: "X-Empty", value: ""),
        ])
        _ = try await client.send(
            method: "REPORT", url: server.url + "/a%2Fb/../c?d=%20", headers: headers, body: Data("body".utf8))
        let request = try #require(seen.withLock { $0 })
        #expect(request.method == "REPORT")
        #expect(request.target == "/a%2Fb/../c?d=%20")
        #expect(request.headers.values(of: "X-One") == ["1", "2"])
        #expect(request.headers.values(of: "X-Empty") == [""])
        #expect(request.body == Data("body".utf8))
    }

    @Test func anAnswerArrivesAsItWasGiven() async throws {
        let body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        let server = try HTTPServer { _ in
            ServerResponse(
                status: 299,
                headers: HeaderFields([
                    .init(name: "Set-Cookie", value: "a=1"), .init(name: "set-cookie", value: "b=2"),
                    .init(name: "X-Empty", value: ""), .init(name: "Content-Length", value: "3"),
                ]), body: body)
        }
        let answer = try await client.send(url: server.url + "/")
        #expect(answer.status == 299)
        #expect(answer.body == body)
        #expect(
            answer.headers.fields.filter { $0.name.lowercased() == "set-cookie" }.map(\.name) == [
                "Set-Cookie", "set-cookie",
            ])
        #expect(answer.headers.values(of: "X-Empty") == [""])
        #expect(answer.headers.values(of: "Content-Length") == ["100000"])
    }

    @Test func connectionsAreKept() async throws {
        let server = try HTTPServer { _ in .plain("ok") }
        let answer = try await client.send(url: server.url + "/")
        #expect(answer.headers["Connection"] == nil)
    }

    @Test(arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", nil])
    func oneDateIsSent(given: String?) async throws {
        let server = try HTTPServer { _ in
            ServerResponse(headers: given.map { ["Date": $0] } ?? [:])
        }
        let dates = try await client.send(url: server.url + "/").headers.values(of: "Date")
        #expect(dates.count == 1)
        if let given { #expect(dates == [given]) }
    }

    @Test func noDateIsSentWhenNoneIsWanted() async throws {
        let server = try HTTPServer { _ in ServerResponse(addsDate: false) }
        #expect(try await client.send(url: server.url + "/").headers["Date"] == nil)
    }

    @Test(arguments: [("full", ["4"]), ("", [])])
    func a304SendsTheLengthOfWhatItStandsForOrNone(body: String, lengths: [String]) async throws {
        let server = try HTTPServer { _ in
            ServerResponse(status: 304, headers: ["ETag": "\"1\""], body: Data(body.utf8))
        }
        for _ in 0..<20 {  // Rubbish behind one answer is met by the next.
            let answer = try await client.send(url: server.url + "/")
            #expect(answer.status == 304)
            #expect(answer.body.isEmpty)
            #expect(answer.headers.values(of: "Content-Length") == lengths)
            #expect(answer.headers["ETag"] == "\"1\"")
            #expect(answer.headers["Transfer-Encoding"] == nil)
        }
    }

    @Test func a204SendsNoLength() async throws {
        let server = try HTTPServer { _ in ServerResponse(status: 204) }
        let answer = try await client.send(url: server.url + "/")
        #expect(answer.status == 204)
        #expect(answer.headers["Content-Length"] == nil)
    }

    @Test func headOfAChunkedBodySendsNoChunk() async throws {
        let server = try HTTPServer { _ in ServerResponse(body: Data("twelve bytes".utf8), framing: .chunked) }
        for _ in 0..<20 {  // Rubbish behind one answer is met by the next.
            let answer = try await client.send(method: "HEAD", url: server.url + "/")
            #expect(answer.status == 200)
        }
    }

    @Test func headSendsTheLengthAndNoBody() async throws {
        let server = try HTTPServer { _ in .plain("twelve bytes") }
        for _ in 0..<2 {
            let answer = try await client.send(method: "HEAD", url: server.url + "/")
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
            #expect(answer.headers.values(of: "Content-Length") == ["12"])
        }
    }

    @Test func aChunkedBodyArrivesWhole() async throws {
        let body = Data(repeating: 7, count: 100_000)
        let server = try HTTPServer { _ in ServerResponse(body: body, framing: .chunked) }
        let answer = try await client.send(url: server.url + "/")
        #expect(answer.headers["Content-Length"] == nil)
        #expect(answer.body == body)
    }

    @Test func aServerThatItsOwnHandlerLetsGoAnswersAndEnds() async throws {
        let held = Mutex<HTTPServer?>(nil)
        let url: String
        do {
            let server = try HTTPServer { _ in
                held.withLock { $0 = nil }
                return .plain("bye")
            }
            url = server.url
            held.withLock { $0 = server }
        }
        #expect(try await client.send(url: url + "/").body == Data("bye".utf8))
    }

    @Test
    func concurrentRequestsMayWaitForEachOther() async throws {
        // Each handler waits for both to have begun: one thread for all would never answer.
        let begun = DispatchSemaphore(value: 0)
        let other = DispatchSemaphore(value: 0)
        let server = try HTTPServer { request in
            let (mine, theirs) = request.path == "/1" ? (begun, other) : (other, begun)
            mine.signal()
            theirs.wait()
            return .plain(request.path)
        }
        async let first = client.send(url: server.url + "/1")
        async let second = client.send(url: server.url + "/2")
        let bodies = try await [first.body, second.body]
        #expect(bodies == [Data("/1".utf8), Data("/2".utf8)])
    }

    @Test func aTakenPortIsNamedWithTheNextStep() throws {
        let server = try HTTPServer { _ in .plain("") }
        let error = #expect(throws: HTTPServerError.self) { try HTTPServer(port: server.port) { _ in .plain("") } }
        let text = try #require(error).description
        #expect(text.contains("port \(server.port)"))
        #expect(text.contains("choose another port"))
    }

    @Test func aStoppedServerFreesItsPortAndMayBeStoppedAgain() async throws {
        let server = try HTTPServer { _ in .plain("old") }
        _ = try await client.send(url: server.url + "/")  // A kept connection must not hold the port.
        server.stop()
        server.stop()
        await #expect { try await client.send(url: server.url + "/") } throws: {
            ($0 as? FetchFailure)?.kind == .offline
        }
        let next = try HTTPServer(port: server.port) { _ in .plain("new") }
        #expect(try await client.send(url: next.url + "/").body == Data("new".utf8))
    }

    @Test func aReleasedServerIsStopped() async throws {
        var server: HTTPServer? = try HTTPServer { _ in .plain("") }
        let url = try #require(server?.url)
        server = nil
        await #expect(throws: FetchFailure.self) { try await client.send(url: url + "/") }
    }
}

import Foundation
import LarderKit
import LarderServer
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct CurlClientRedirectTests {
    let client = CurlClient()
    let secret: HeaderFields = ["Authorization": "Bearer secret"]

    /// Redirects /n to /n+1 up to /3; every other target answers with itself and who asked.
    private func chain(status: Int) throws -> HTTPServer {
        try HTTPServer { request in
            guard let step = Int(request.path.dropFirst()), step < 3 else {
                return .plain("\(request.method) \(request.target) \(request.headers["Authorization"] ?? "nobody")")
            }
            return ServerResponse(status: status, headers: ["Location": "\(step + 1)?from=\(step)"])
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func redirectsWithinTheOriginAreFollowed(status: Int) async throws {
        let server = try chain(status: status)
        let answer = try await client.send(url: server.url + "/1", headers: secret)
        #expect(answer.status == 200)
        #expect(answer.body == Data("GET /3?from=2 Bearer secret".utf8))
        #expect(answer.url?.absoluteString == server.url + "/3?from=2")
    }

    @Test func aRedirectElsewhereIsTheAnswer() async throws {
        let asked = Mutex(false)
        let other = try HTTPServer { _ in
            asked.withLock { $0 = true }
            return .plain("")
        }
        // Another port is another origin, and so is the same address under another name.
        for location in [other.url + "/", "http://localhost:\(other.port)/", "https://127.0.0.1/", "//example.test/x"] {
            let server = try HTTPServer { _ in ServerResponse(status: 302, headers: ["Location": location]) }
            let answer = try await client.send(url: server.url + "/", headers: secret)
            #expect(answer.status == 302)
            #expect(answer.headers["Location"] == location)
        }
        other.stop()
        #expect(!asked.withLock { $0 })
    }

    @Test func aPostIsNotRedirected() async throws {
        let server = try chain(status: 307)
        #expect(try await client.send(method: "POST", url: server.url + "/1").status == 307)
    }

    @Test func aLoopEndsWithTheRedirectItself() async throws {
        let count = Mutex(0)
        let server = try HTTPServer { _ in
            count.withLock { $0 += 1 }
            return ServerResponse(status: 302, headers: ["Location": "/"])
        }
        #expect(try await client.send(url: server.url + "/").status == 302)
        #expect(count.withLock { $0 } == 6)
    }
}

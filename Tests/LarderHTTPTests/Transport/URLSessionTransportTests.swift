import Foundation
import LarderKit
import LarderServer
import LarderTestKit
import Testing

@testable import LarderHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct URLSessionTransportTests {
    let transport = URLSessionTransport()

    private func send(
        _ url: URL, method: String = "GET", headers: HeaderFields = [:], body: Data? = nil
    ) async throws(FetchFailure) -> HTTPIncomingResponse {
        try await transport.send(
            HTTPRequestHead(method: method, url: url.absoluteString, headers: headers),
            body: body.map { HTTPRequestBody(length: $0.count, pipe: BodyPipe($0)) }, onInterim: { _ in })
    }

    @Test func anAnswerComesAsItWasSent() async throws {
        let server = try Loopback { _ in
            ServerResponse(
                status: 404, headers: ["X-Own": "1", "ETag": "\"a\"", "X-Word": "gr\u{FC}n"], body: Data("gone".utf8))
        }
        let response = try await send(server.url("/t?page=1"), headers: ["X-Asked": "7"])
        #expect(response.head.status == 404)
        #expect(response.head.headers["X-Own"] == "1" && response.head.headers["ETag"] == "\"a\"")
        // One character a byte.
        #expect(response.head.headers["X-Word"] == "gr\u{C3}\u{BC}n")
        #expect(try await response.body.collect(upTo: 100) == Data("gone".utf8))
        #expect(server.requests.map(\.target) == ["/t?page=1"])
        #expect(server.requests.first?.headers["X-Asked"] == "7")
    }

    @Test func whatIsDecodedSaysSo() async throws {
        let coded = try #require(
            Data(
                base64Encoded:
                    "H4sIAAAAAAACA3XPOwqAMAAE0btsncL1b64iFgFTpE8hiHdXsJOxGpjurafKrtgE1XxUxSdJV3iv8bZ4O7w93gHviHfCO+NdWPGDY52ZZ/aZgWahmWg2mpH+KLcbg9CPcMMBAAA="
            ))
        let server = try Loopback { request in
            let isCoded = request.headers["Accept-Encoding"]?.contains("gzip") ?? false
            return ServerResponse(
                headers: isCoded ? ["Content-Encoding": "gzip", "Vary": "Accept-Encoding"] : [:],
                body: isCoded ? coded : Data("plain".utf8))
        }
        let response = try await send(server.url("/t"))
        #expect(response.head.headers["Content-Encoding"] == nil && response.head.headers["Content-Length"] == nil)
        #expect(try await response.body.collect(upTo: 1000).count == 451)
        // A part of something coded makes no sense.
        let part = try await send(server.url("/t"), headers: ["Range": "bytes=0-1", "Accept-Encoding": "gzip"])
        #expect(try await part.body.collect(upTo: 1000) == Data("plain".utf8))
    }

    @Test func noRedirectIsFollowed() async throws {
        let server = try Loopback { _ in
            ServerResponse(status: 302, headers: ["Location": "/next"], body: Data("moved".utf8))
        }
        let response = try await send(server.url("/t"))
        #expect(response.head.status == 302 && response.head.headers["Location"] == "/next")
        #expect(try await response.body.collect(upTo: 100) == Data("moved".utf8))
        #expect(server.requests.count == 1)
    }

    @Test func aRedirectToNowhereIsAnAnswer() async throws {
        let server = try Loopback { _ in ServerResponse(status: 302) }
        let response = try await send(server.url("/t"))
        #expect(response.head.status == 302)
        #expect(try await response.body.collect(upTo: 100).isEmpty)
    }

    @Test func aBodyIsSent() async throws {
        let body = patterned(300_000)
        let server = try Loopback { request in
            ServerResponse(headers: ["X-Method": request.method], body: Data("\(request.body == body)".utf8))
        }
        for method in ["POST", "PUT", "PATCH"] {
            let response = try await send(
                server.url("/t"), method: method, headers: ["Content-Type": "text/plain"], body: body)
            #expect(response.head.headers["X-Method"] == method)
            #expect(try await response.body.collect(upTo: 100) == Data("true".utf8))
        }
        let bare = try await send(server.url("/t"), method: "DELETE")
        #expect(bare.head.headers["X-Method"] == "DELETE")
        bare.body.abandon()
    }

    @Test func headAndNotModifiedHaveNoBodyToMiss() async throws {
        let server = try Loopback { request in
            request.headers["If-None-Match"] == nil
                ? ServerResponse(headers: ["ETag": "\"1\""], body: Data(repeating: 1, count: 50))
                : ServerResponse(status: 304, headers: ["ETag": "\"1\""], body: Data(repeating: 1, count: 50))
        }
        let head = try await send(server.url("/t"), method: "HEAD")
        #expect(head.head.headers["Content-Length"] == "50")
        #expect(try await head.body.collect(upTo: 100).isEmpty)
        let same = try await send(server.url("/t"), headers: ["If-None-Match": "\"1\""])
        #expect(same.head.status == 304)
        #expect(try await same.body.collect(upTo: 100).isEmpty)
    }

    @Test func aCutBodyEndsWithAFailure() async throws {
        let server = try Loopback { _ in
            var response = ServerResponse(body: patterned(100_000))
            response.fault = .closeAfter(bytes: 50_000)
            return response
        }
        let response = try await send(server.url("/t"))
        await #expect(throws: FetchFailure.self) { try await response.body.collect(upTo: 1 << 20) }
    }

    @Test(arguments: [
        ("4", false), ("4, 4", false), (nil, false), ("4, 2", true), ("04, 5", true), ("-4", true), ("four", true),
        ("", true), ("4,", true),
    ])
    func lengthsThatDifferAreSeen(_ field: String?, _ isUnclear: Bool) throws {
        let url = try #require(URL(string: "https://api.example.test/"))
        let response = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil, headerFields: field.map { ["Content-Length": $0] }))
        #expect(response.hasUnclearLength == isUnclear)
    }

    @Test func whoDoesNotAnswerIsOffline() async throws {
        let server = try Loopback { _ in ServerResponse(fault: .closeUnanswered) }
        let url = server.url("/t")
        await #expect { try await send(url) } throws: { ($0 as? FetchFailure)?.kind == .offline }
        server.stop()
        await #expect { try await send(url) } throws: { ($0 as? FetchFailure)?.kind == .offline }
    }

    @Test func whatNobodyTakesIsKeptOutOfMemoryAndComesWhole() async throws {
        let body = patterned(20 << 20)
        let server = try Loopback { _ in ServerResponse(body: body) }
        let response = try await send(server.url("/big"))
        #if os(Linux)
            // It cannot be held up here: it waits in a file without a name.
            await waitUntil { Self.largestSpill >= 19 << 20 }
        #endif
        #expect(try await response.body.collect(upTo: body.count) == body)
    }

    private static var largestSpill: Int {
        let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return links.compactMap { link -> Int? in
            let path = "/proc/self/fd/\(link)"
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path),
                target.contains("larder-"), target.hasSuffix("(deleted)"),
                let file = FileHandle(forReadingAtPath: path)
            else { return nil }
            return (try? file.seekToEnd()).map { Int($0) }
        }.max() ?? 0
    }

    @Test func whoIsCancelledLeavesNothingUnderWay() async throws {
        let hold = Hold()
        let server = try Loopback { _ in
            hold.wait()
            return ServerResponse()
        }
        let url = server.url("/t")
        let reader = Task { try await send(url) }
        await waitUntil { !server.requests.isEmpty }
        reader.cancel()
        await #expect(throws: FetchFailure.self) { try await reader.value }
        hold.release()
    }

    @Test func manyAtOnce() async throws {
        let server = try Loopback { request in ServerResponse(body: Data(request.target.utf8)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let response = try await send(server.url("/\(number)"), method: number % 5 == 0 ? "POST" : "GET")
                    #expect(try await response.body.collect(upTo: 100) == Data("/\(number)".utf8))
                }
            }
            try await group.waitForAll()
        }
    }
}

/// Holds a server's own thread.
final class Hold: Sendable {
    private let condition = NSCondition()
    private nonisolated(unsafe) var isOpen = false

    func wait() {
        condition.lock()
        while !isOpen { condition.wait() }
        condition.unlock()
    }

    func release() {
        condition.lock()
        isOpen = true
        condition.broadcast()
        condition.unlock()
    }
}

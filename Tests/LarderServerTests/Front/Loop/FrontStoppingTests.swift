import Foundation
import LarderHTTPCache
import LarderKit
import Testing

@testable import LarderServer

@Suite(.timeLimit(.minutes(5)), .serialized) struct FrontStoppingTests {
    @Test func whatIsUnderWayIsFinished() async throws {
        let (isAsked, goesOn) = (Happening(), Happening())
        let handler = ClosureHandler { _, exchange in
            isAsked.happen()
            await goesOn.wait()
            exchange.answer(.text("finished"))
        }
        let front = try HTTPFront.serving(handler)
        let (idle, busy) = (try RawClient(port: front.port), try RawClient(port: front.port))
        busy.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        await isAsked.wait()
        async let stopping: Void = front.stop(within: .seconds(60))
        #expect(await idle.rest() == ("", 0))
        #expect(throws: RawClient.NoAnswer.self) { try RawClient(port: front.port) }
        goesOn.happen()
        let answer = try await busy.answer()
        #expect(answer.body == Data("finished".utf8))
        #expect(answer.headers["Connection"] == "close")
        #expect(await busy.rest() == ("", 0))
        await stopping
        #expect(front.counts.openConnections == 0)
    }

    @Test func whatDoesNotFinishInTimeIsCut() async throws {
        let (isAsked, isCancelled) = (Happening(), Happening())
        let handler = ClosureHandler { _, _ in
            await withTaskCancellationHandler {
                isAsked.happen()
                await isCancelled.wait()
            } onCancel: {
                isCancelled.happen()
            }
        }
        let front = try HTTPFront.serving(handler)
        let client = try RawClient(port: front.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        await isAsked.wait()
        await front.stop(within: .milliseconds(10))
        await isCancelled.wait()
        #expect(await client.rest().text.isEmpty)
        await front.stop()
    }

    @Test func aTakenPortIsSaidToBe() async throws {
        let front = try HTTPFront.serving(ClosureHandler.echo)
        let error = #expect(throws: HTTPFrontError.self) {
            try HTTPFront.serving(ClosureHandler.echo) { $0.port = front.port }
        }
        #expect(error?.code == EADDRINUSE)
        #expect(error?.description.contains("taken") == true)
        let wrong = #expect(throws: HTTPFrontError.self) {
            try HTTPFront.serving(ClosureHandler.echo) { $0.address = "example.org" }
        }
        #expect(wrong?.description.contains("127.0.0.1") == true)
    }

    @Test func itServesOnTheAddressOfTheSixthVersionToo() async throws {
        guard let front = try? HTTPFront.serving(ClosureHandler.echo, { $0.address = "::1" }) else { return }
        #expect(front.url == "http://[::1]:\(front.port)")
        let answer = try await CurlClient().send(url: front.url + "/a")
        #expect(answer.body == Data("GET /a".utf8))
    }

    @Test func severalLoopsShareTheConnections() async throws {
        let front = try HTTPFront.serving(ClosureHandler.echo) { $0.threads = 3 }
        let clients = try (0..<9).map { _ in try RawClient(port: front.port) }
        for client in clients {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.answer().status == 200)
        }
        await front.stop()
        for client in clients { #expect(await client.rest() == ("", 0)) }
    }

    #if os(Linux)
        @Test func manyStartsAndStopsLeaveNothingBehind() async throws {
            func descriptors() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
            func threads() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").filter {
                    (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "larder.front\n"
                }.count
            }
            let before = try descriptors()
            for _ in 0..<200 {
                let front = try HTTPFront.serving(ClosureHandler.echo) { $0.threads = 2 }
                let client = try RawClient(port: front.port)
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.answer().status == 200)
                await front.stop()
            }
            // Other tests run meanwhile, and have some of their own.
            #expect(try descriptors() < before + 200)
            #expect(try threads() < 100)
        }
    #endif
}

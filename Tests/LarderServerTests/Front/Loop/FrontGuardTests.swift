import Foundation
import LarderHTTPCache
import LarderKit
import Testing

@testable import LarderServer

@Suite(.timeLimit(.minutes(5))) struct FrontGuardTests {
    @Test func whatCouldBeReadInTwoWaysIsRefusedAndClosed() async throws {
        let front = try HTTPFront.serving(ClosureHandler.echo)
        for (text, status) in RequestSamples.refused {
            let client = try RawClient(port: front.port)
            client.send(text + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
            let (answer, errorNumber) = await client.rest()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(text.prefix(80).debugDescription)")
            #expect(answer.contains("Connection: close\r\n"))
            #expect(!answer.contains("smuggled"))
            #expect(errorNumber == 0)
        }
        #expect(front.counts.refusedRequests == RequestSamples.refused.count)
    }

    @Test func aRefusedBodyTakesTheConnectionWithIt() async throws {
        let front = try HTTPFront.serving(
            ClosureHandler { _, exchange in
                _ = try? await exchange.takeBody()?.pipe.collect(upTo: 1 << 20)
                exchange.answer(.text("taken"))
            })
        for (text, status) in RequestSamples.refusedBodies {
            let client = try RawClient(port: front.port)
            client.send(RequestSamples.chunkedHead + text + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
            let (answer, errorNumber) = await client.rest()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(text.prefix(80).debugDescription)")
            #expect(errorNumber == 0)
        }
    }

    @Test func aRefusedClientSeesWhyThoughItHasSentMuchMore() async throws {
        let front = try HTTPFront.serving(ClosureHandler.echo)
        let client = try RawClient(port: front.port)
        async let sending: Void = client.sendWaiting(Data("garbage\r\n".utf8) + Data(count: 1_000_000))
        #expect(try await client.answer().status == 400)
        await sending
        client.endSending()
        #expect(await client.rest() == ("", 0))
    }

    @Test(arguments: ["/now", "/later"])
    func whatComesBeforeGarbageIsAnswered(path: String) async throws {
        let front = try HTTPFront.serving(ClosureHandler(atOnce: { $0.path == "/now" ? .text("GET /now") : nil }))
        let client = try RawClient(port: front.port)
        client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n\u{1}garbage\r\n\r\n")
        #expect(try await client.answer().body == Data("GET \(path)".utf8))
        #expect(try await client.answer().status == 400)
        #expect(await client.rest() == ("", 0))
    }

    @Test(arguments: [("GET / HTTP/1.1\r\nHost:", "HTTP/1.1 408 "), ("", "")])
    func aClientThatNeverFinishesItsRequestIsClosed(text: String, expected: String) async throws {
        let front = try HTTPFront.serving(ClosureHandler.echo) { $0.patience.head = .milliseconds(50) }
        let slow = try RawClient(port: front.port)
        slow.send(text)
        let other = try RawClient(port: front.port)
        other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await other.answer().status == 200)
        let (answer, errorNumber) = await slow.rest()
        #expect(expected.isEmpty ? answer.isEmpty : answer.hasPrefix(expected))
        #expect(errorNumber == 0)
        #expect(front.counts.timedOutConnections == 1)
    }

    @Test func aClientThatSaysNothingMoreIsClosed() async throws {
        let front = try HTTPFront.serving(ClosureHandler.echo) { $0.patience.idle = .milliseconds(50) }
        let client = try RawClient(port: front.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.answer().status == 200)
        #expect(await client.rest() == ("", 0))
    }

    @Test func whereAllPlacesAreTakenOthersAreTurnedAway() async throws {
        let front = try HTTPFront.serving(ClosureHandler.echo) {
            $0.maximumConnections = 3
            $0.patience.idleWhenCrowded = .seconds(1000)
        }
        var clients = try (0..<3).map { _ in try RawClient(port: front.port) }
        for client in clients { client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
        for client in clients { #expect(try await client.answer().status == 200) }
        for _ in 0..<5 {
            let client = try RawClient(port: front.port)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try await client.answer()
            #expect((answer.status, answer.isWhole) == (503, true))
            #expect(answer.headers["Retry-After"] == "1")
            #expect(answer.headers["Connection"] == "close")
            #expect(await client.rest() == ("", 0))
        }
        // Who has a place is still answered, and a place that is given up is free.
        clients[0].send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(try await clients[0].answer().status == 200)
        #expect(await clients[0].rest() == ("", 0))
        clients.removeFirst()
        var status = 503
        while status == 503 {
            let client = try RawClient(port: front.port)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            status = try await client.answer().status
        }
        #expect(status == 200)
    }

    @Test func whoWaitsGivesItsPlaceToOthers() async throws {
        let front = try HTTPFront.serving(ClosureHandler.echo) {
            $0.maximumConnections = 3
            $0.patience.idleWhenCrowded = .zero
        }
        let silent = try (0..<3).map { _ in try RawClient(port: front.port) }
        var status = 503
        while status == 503 {
            let client = try RawClient(port: front.port)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            status = try await client.answer().status
        }
        #expect(status == 200)
        withExtendedLifetime(silent) {}
    }

    @Test func whereTheFirstLoopIsBusyTheOthersMakeRoom() async throws {
        let goesOn = Happening()
        let handler = ClosureHandler { _, exchange in
            await goesOn.wait()
            exchange.answer(.text("busy"))
        }
        let front = try HTTPFront.serving(handler) {
            $0.threads = 2
            $0.maximumConnections = 2
            $0.patience.idleWhenCrowded = .zero
        }
        let busy = try RawClient(port: front.port)
        busy.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let silent = try RawClient(port: front.port)
        while front.counts.openConnections < 2 || front.counts.requests < 1 { await Task.yield() }
        let third = try RawClient(port: front.port)
        #expect(await silent.rest() == ("", 0))
        goesOn.happen()
        #expect(try await busy.answer().body == Data("busy".utf8))
        withExtendedLifetime(third) {}
    }
}

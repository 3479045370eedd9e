import Foundation
import LarderHTTPCache
import LarderKit
import Testing

@testable import LarderServer

@Suite(.timeLimit(.minutes(5))) struct FrontCutTests {
    enum Cut: CaseIterable { case aborted, leftOpen, short, long }

    @Test(arguments: Cut.allCases, ["1.1", "1.0"])
    func aClientSeesThatAnAnswerIsNotWhole(cut: Cut, version: String) async throws {
        let hasLength = cut == .short || cut == .long
        let handler = ClosureHandler { _, exchange in
            exchange.begin(HTTPResponseHead(status: 200), length: hasLength ? 6 : nil)
            _ = await exchange.write(Data("part".utf8))
            switch cut {
            case .aborted: exchange.abort()
            case .leftOpen: break
            case .short: exchange.end()
            case .long: _ = await exchange.write(Data("part".utf8))
            }
        }
        let front = try HTTPFront.serving(handler)
        let client = try RawClient(port: front.port)
        client.send("GET / HTTP/\(version)\r\nHost: a\r\n\r\n")
        do {
            let answer = try await client.answer()
            #expect(!answer.isWhole)
            #expect(answer.body == Data("part".utf8))
        } catch let error as RawClient.NoAnswer {
            // The error may overtake what was sent before.
            #expect(error.errorNumber == ECONNRESET)
        }
        let record = try #require(await handler.record())
        #expect((record.status, record.isComplete) == (200, false))
    }

    enum Patience: CaseIterable { case stopping, halfClosed, write }

    /// A client of HTTP/1.0 knows the end of a body by that of the connection.
    @Test(arguments: Patience.allCases)
    func anAnswerThatEndsWithTheConnectionIsNotEndedByPatience(patience: Patience) async throws {
        let isCancelled = Happening()
        let handler = ClosureHandler { _, exchange in
            await withTaskCancellationHandler {
                exchange.begin(HTTPResponseHead(status: 200), length: nil)
                _ = await exchange.write(Data("part".utf8))
                while patience == .write, await exchange.write(Data(count: 1 << 20)) {}
                await isCancelled.wait()
            } onCancel: {
                isCancelled.happen()
            }
        }
        let front = try HTTPFront.serving(handler) {
            if patience == .halfClosed { $0.patience.halfClosed = .milliseconds(50) }
            if patience == .write { $0.patience.write = .milliseconds(50) }
        }
        let client = try RawClient(port: front.port, receiveBuffer: patience == .write ? 4096 : nil)
        client.send("GET / HTTP/1.0\r\n\r\n")
        switch patience {
        case .stopping:
            _ = try await client.bytes(20)
            await front.stop(within: .zero)
        case .halfClosed:
            _ = try await client.bytes(20)
            client.endSending()
        case .write: _ = try #require(await handler.record())
        }
        #expect(await client.rest().errorNumber == ECONNRESET)
        withExtendedLifetime(front) {}
    }

    @Test func aClientThatHasEndedItsSideIsGivenTimeAnewAsOftenAsItTakesSomething() throws {
        let handler = ClosureHandler { _, exchange in exchange.begin(HTTPResponseHead(status: 200), length: nil) }
        let options = FrontOptions()
        let loop = try #require(EventLoop(options: options, handler: handler, counters: FrontCounters()) {})
        defer { loop.discard() }
        var sockets: [Int32] = [0, 0]
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        try #require(socketpair(AF_UNIX, stream, 0, &sockets) == 0)
        defer { close(sockets[1]) }
        let text = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(write(sockets[1], text, text.utf8.count) == text.utf8.count)
        loop.adopt(LoopInbox.Arrival(socket: sockets[0], peer: ""), isTurnedAway: false)
        let connection = try #require(loop.connections.all.first)
        loop.noteEnd(connection)
        for _ in 0..<10 {
            loop.now += options.patience.halfClosed.wholeMilliseconds - 1
            connection.output.append("piece")
            #expect(loop.flush(connection))
        }
        loop.sweep()
        #expect(loop.connections[connection.id] != nil)
        loop.now += options.patience.halfClosed.wholeMilliseconds
        loop.sweep()
        #expect(loop.connections.isEmpty)
    }

    @Test func aHandlerHearsThatItsClientHasGone() async throws {
        let isCancelled = Happening()
        let handler = ClosureHandler { _, exchange in
            await withTaskCancellationHandler {
                exchange.begin(HTTPResponseHead(status: 200), length: nil)
                while await exchange.write(Data(count: 100_000)) {}
                #expect(exchange.isClientGone)
            } onCancel: {
                isCancelled.happen()
            }
        }
        let front = try HTTPFront.serving(handler)
        var client: RawClient? = try RawClient(port: front.port)
        client?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try await client?.bytes(1000)
        client = nil
        await isCancelled.wait()
        let record = try #require(await handler.record())
        #expect((record.status, record.isComplete) == (200, false))
    }

    @Test func aHandlerThatWaitsHearsThatItsClientHasGone() async throws {
        let (isAsked, isCancelled) = (Happening(), Happening())
        let handler = ClosureHandler { _, exchange in
            await withTaskCancellationHandler {
                isAsked.happen()
                await isCancelled.wait()
            } onCancel: {
                isCancelled.happen()
            }
        }
        let front = try HTTPFront.serving(handler) { $0.patience.halfClosed = .milliseconds(20) }
        var client: RawClient? = try RawClient(port: front.port)
        client?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        await isAsked.wait()
        client = nil
        await isCancelled.wait()
        #expect(await handler.record()?.status == 0)
    }

    @Test func aClientThatHasEndedItsSideGetsItsAnswers() async throws {
        let front = try HTTPFront.serving(ClosureHandler(atOnce: { $0.path == "/now" ? .text("now") : nil }))
        let client = try RawClient(port: front.port)
        client.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\nGET /later HTTP/1.1\r\nHost: a\r\n\r\n")
        client.endSending()
        #expect(try await client.answer().body == Data("now".utf8))
        #expect(try await client.answer().body == Data("GET /later".utf8))
        #expect(await client.rest() == ("", 0))
    }

    @Test func aClientThatReadsNothingHoldsUpItsHandlerAndIsClosed() async throws {
        let handler = ClosureHandler { _, exchange in
            exchange.begin(HTTPResponseHead(status: 200), length: nil)
            while await exchange.write(Data(count: 1 << 20)) {}
        }
        let front = try HTTPFront.serving(handler) { $0.patience.write = .milliseconds(50) }
        let client = try RawClient(port: front.port, receiveBuffer: 4096)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let record = try #require(await handler.record())
        #expect(!record.isComplete)
        #expect(record.bodyBytes < 64 << 20)
        #expect(front.counts.timedOutConnections == 1)
        withExtendedLifetime(client) {}
    }
}

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

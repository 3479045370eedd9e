import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization
import Testing

@testable import LarderServer

/// Bodies of answers on their way, and the ends that are put to them.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportStreamTests {
    let transport = CurlTransport()

    private func transport(_ change: (inout CurlTransport.Options) -> Void) -> CurlTransport {
        var options = CurlTransport.Options()
        change(&options)
        return CurlTransport(options)
    }

    @Test func aBodyComesAsItIsSent() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n")
            for part in ["abc", "def"] {
                gate.wait()
                connection.send(part)
            }
        }
        let response = try await transport.send(server.url + "/")
        for part in ["abc", "def"] {
            gate.signal()
            #expect(try await response.body.next() == Data(part.utf8))
        }
        #expect(try await response.body.next() == nil)
    }

    @Test(arguments: [false, true])
    func aSlowReaderHoldsBackTheSenderAndNobodyElse(isChunked: Bool) async throws {
        let block = 64 << 10
        let count = 800
        let sent = Mutex(0)
        let (blocked, blocking) = AsyncStream.makeStream(of: Bool.self)
        let server = try RawServer { connection in
            let path = connection.readHead()?.split(separator: " ")[1]
            guard path == "/big" else {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                return
            }
            connection.send(
                "HTTP/1.1 200 OK\r\n"
                    + (isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: \(block * count)\r\n\r\n"))
            let data = (0..<block).map { UInt8(truncatingIfNeeded: $0) }
            for _ in 0..<count {
                if !connection.isWritable(within: 200) { blocking.yield(true) }
                if isChunked { connection.send("10000\r\n") }
                guard connection.send(data) else { return }
                if isChunked { connection.send("\r\n") }
                sent.withLock { $0 += block }
            }
            if isChunked { connection.send("0\r\n\r\n") }
            blocking.yield(false)
        }
        let body = try await transport.send(server.url + "/big").body
        // Nobody reads: the sender gets stuck.
        for await isBlocked in blocked {
            #expect(isBlocked)
            break
        }
        #expect(sent.withLock { $0 } < block * count / 2)
        #expect(try await transport.answer(server.url + "/other").head.status == 200)

        let pattern = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0) })
        var received = 0
        while let data = try await body.next() {
            #expect(data == pattern.dropFirst(received % 256).prefix(data.count))
            received += data.count
        }
        #expect(received == block * count)
    }

    @Test func abandoningTheBodyEndsTheTransfer() async throws {
        let (closed, closing) = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
            connection.waitForClose()
            closing.yield()
        }
        let response = try await transport.send(server.url + "/")
        response.body.abandon()
        for await _ in closed { break }
    }

    @Test func cancellingTheTaskEndsTheTransfer() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let (closed, closing) = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection in
            _ = connection.readHead()
            arrival.yield()
            connection.waitForClose()
            closing.yield()
        }
        let pipe = BodyPipe()
        let task = Task { [transport] in
            await transport.failure(
                of: server.url + "/", method: "POST", body: HTTPRequestBody(length: nil, pipe: pipe))
        }
        for await _ in arrived { break }
        task.cancel()
        #expect(await task.value?.explanation == "the request was cancelled")
        for await _ in closed { break }
        #expect(await pipe.write(Data([1])) == false)
    }

    @Test func aTaskCancelledBeforehandAsksNothing() async throws {
        let server = try RawServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let task = Task { [transport] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await transport.failure(of: server.url + "/")
        }
        #expect(await task.value?.kind == .other)
        #expect(server.heads.isEmpty)
    }

    @Test func aHeadThatStaysAwayTimesOut() async throws {
        let transport = transport { $0.headTimeout = .milliseconds(30) }
        let server = try RawServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n")
            connection.waitForClose()
        }
        #expect(await transport.failure(of: server.url + "/")?.kind == .timedOut)
    }

    @Test func aBodyThatStaysAwayTimesOut() async throws {
        let transport = transport { $0.stallTimeout = .milliseconds(30) }
        let server = try RawServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
            connection.waitForClose()
        }
        #expect(try await transport.bodyFailure(of: server.url + "/")?.kind == .timedOut)
    }

    @Test func aBodyThatNobodyReadsDoesNotTimeOut() async throws {
        let transport = transport {
            $0.stallTimeout = .milliseconds(20)
            $0.headTimeout = .milliseconds(200)
            $0.bufferLimit = 1
        }
        let gate = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            guard connection.readHead()?.hasPrefix("GET /body") == true else { return connection.waitForClose() }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabcdef")
            gate.wait()
        }
        let response = try await transport.send(server.url + "/body")
        // As long as another takes to be given up, which is longer.
        #expect(await transport.failure(of: server.url + "/hang")?.kind == .timedOut)
        gate.signal()
        #expect(try await response.body.collect(upTo: 100) == Data("abcdef".utf8))
    }

    @Test func aBodyGoesOnWhenNobodyKeepsItsTransport() async throws {
        let server = try RawServer(
            answering: "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + String(repeating: "x", count: 1_000_000))
        let response = try await CurlTransport().send(server.url + "/")
        #expect(try await response.body.collect(upTo: .max).count == 1_000_000)
    }
}

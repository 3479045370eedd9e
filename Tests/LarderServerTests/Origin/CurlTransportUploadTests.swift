import Foundation
import LarderHTTPCache
import LarderKit
import Testing

@testable import LarderServer

/// Bodies of requests on their way.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportUploadTests {
    let transport = CurlTransport()
    static let created = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"

    @Test(arguments: [0, 1, 3_000_000])
    func aBodyOfKnownLengthIsSentAsItIs(count: Int) async throws {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let (bodies, found) = AsyncStream.makeStream(of: [UInt8].self)
        let server = try RawServer { connection in
            _ = connection.readHead()
            found.yield(connection.read(count))
            connection.send(Self.created)
        }
        let answer = try await transport.answer(
            server.url + "/", method: "PUT", headers: ["Content-Length": "77", "Expect": "100-continue"],
            body: HTTPRequestBody(length: count, pipe: BodyPipe(data)))
        #expect(answer.head.status == 201)
        for await body in bodies {
            #expect(Data(body) == data)
            break
        }
        #expect(
            server.heads == ["PUT / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: \(count)\r\n\r\n"])
    }

    @Test func aBodyOfUnknownLengthIsSentInChunksAsItComes() async throws {
        let (parts, arrived) = AsyncStream.makeStream(of: [UInt8].self)
        let server = try RawServer { connection in
            _ = connection.readHead()
            for _ in 0..<2 { arrived.yield(connection.read(through: "\r\n") + connection.read(through: "\r\n")) }
            arrived.yield(connection.read(through: "0\r\n\r\n"))
            connection.send(Self.created)
        }
        let pipe = BodyPipe()
        let answer = Task { [transport] in
            try await transport.answer(
                server.url + "/", method: "POST", body: HTTPRequestBody(length: nil, pipe: pipe))
        }
        var found = parts.makeAsyncIterator()
        for part in ["abc", "defgh"] {
            #expect(await pipe.write(Data(part.utf8)))
            #expect(await found.next() == Array("\(part.utf8.count)\r\n\(part)\r\n".utf8))
        }
        pipe.finish()
        #expect(await found.next() == Array("0\r\n\r\n".utf8))
        #expect(try await answer.value.head.status == 201)
        #expect(
            server.heads == [
                "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nTransfer-Encoding: chunked\r\n\r\n"
            ])
    }

    @Test func aMethodThatIsMadeForABodySaysThatThereIsNone() async throws {
        let server = try RawServer(answering: Self.created)
        _ = try await transport.answer(server.url + "/", method: "POST")
        _ = try await transport.answer(server.url + "/", method: "DELETE")
        #expect(
            server.heads == [
                "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 0\r\n\r\n",
                "DELETE / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n",
            ])
    }

    @Test(arguments: [2, 4], ["POST", "GET"])
    func aBodyThatIsNotAsLongAsWasSaidFails(length: Int, method: String) async throws {
        let server = try RawServer { connection in
            _ = connection.readHead()
            connection.waitForClose()
        }
        let failure = await transport.failure(
            of: server.url + "/", method: method,
            body: HTTPRequestBody(length: length, pipe: BodyPipe(Data("abc".utf8))))
        #expect(failure?.kind == .other)
        #expect(failure?.explanation.contains("as long as") == true)
    }

    @Test func aBodyThatBreaksOffFailsTheRequest() async throws {
        let (ends, found) = AsyncStream.makeStream(of: [UInt8].self)
        let server = try RawServer { connection in
            _ = connection.readHead()
            found.yield(connection.read(through: "0\r\n\r\n"))
        }
        let pipe = BodyPipe()
        pipe.offer(Data("abc".utf8))
        pipe.fail(FetchFailure(.wrongAnswer, "cut"))
        let failure = await transport.failure(
            of: server.url + "/", method: "POST", body: HTTPRequestBody(length: nil, pipe: pipe))
        #expect(failure?.kind == .other)
        for await sent in ends {
            // No last chunk that would make it look whole.
            #expect(!String(decoding: sent, as: UTF8.self).hasSuffix("0\r\n\r\n"))
            break
        }
    }

    @Test(arguments: ["413 Content Too Large", "200 OK"])
    func anAnswerThatComesBeforeTheBodyIsSentEndsBoth(status: String) async throws {
        let server = try RawServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\nno")
            connection.waitForClose()
        }
        let pipe = BodyPipe()
        pipe.offer(Data("abc".utf8))
        let answer = try await transport.answer(
            server.url + "/", method: "POST", body: HTTPRequestBody(length: nil, pipe: pipe))
        #expect(try answer.body.get() == Data("no".utf8))
        #expect(await pipe.write(Data("def".utf8)) == false)
    }

    @Test func anOriginIsNotBlamedForABodyThatIsSlowToCome() async throws {
        var options = CurlTransport.Options()
        options.headTimeout = .milliseconds(30)
        let hasty = CurlTransport(options)
        options.headTimeout = .milliseconds(200)
        let patient = CurlTransport(options)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection in
            guard connection.readHead()?.hasPrefix("POST") == true else { return connection.waitForClose() }
            begin.yield()
            _ = connection.read(through: "0\r\n\r\n")
            connection.send(Self.created)
        }
        let pipe = BodyPipe()
        let answer = Task {
            try await hasty.answer(server.url + "/", method: "POST", body: HTTPRequestBody(length: nil, pipe: pipe))
        }
        for await _ in begun { break }
        // As long as another takes to be given up, which is longer.
        #expect(await patient.failure(of: server.url + "/hang")?.kind == .timedOut)
        pipe.finish()
        #expect(try await answer.value.head.status == 201)
    }
}

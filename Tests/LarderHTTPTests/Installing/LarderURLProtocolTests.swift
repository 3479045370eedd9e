import Foundation
import LarderHTTP
import LarderKit
import LarderServer
import LarderTestKit
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct LarderURLProtocolTests {
    let clock = ManualClock()
    let larder: Larder

    init() { larder = .inMemory(environment: LarderEnvironment(clock: clock)) }

    private func session(_ partition: String = "") -> URLSession {
        URLSession(configuration: .default.cached(in: larder.partition(partition)))
    }

    private func get(
        _ url: URL, _ session: URLSession, method: String = "GET"
    ) async throws -> (text: String, response: HTTPURLResponse) {
        var request = URLRequest(url: url)
        request.httpMethod = method
        let (data, response) = try await session.data(for: request)
        return (String(decoding: data, as: UTF8.self), try #require(response as? HTTPURLResponse))
    }

    @Test func theSecondRequestComesFromTheCache() async throws {
        let server = try Loopback { _ in
            ServerResponse(
                headers: ["Cache-Control": "max-age=60", "Content-Type": "text/plain"], body: Data("tea".utf8))
        }
        let session = session()
        let first = try await get(server.url("/t"), session)
        await clock.advance(by: .seconds(10))
        let second = try await get(server.url("/t"), session)
        #expect(first.text == "tea" && first.response.cacheStatus?.isHit == false)
        #expect(second.text == "tea" && second.response.cacheStatus?.isHit == true)
        #expect(second.response.mimeType == "text/plain" && second.response.statusCode == 200)
        #expect(server.requests.count == 1)
    }

    @Test func queriesTellAnswersApart() async throws {
        let server = try Loopback { request in
            ServerResponse(headers: ["Cache-Control": "max-age=60"], body: Data(request.target.utf8))
        }
        let session = session()
        for _ in 0..<2 {
            for page in 1...2 {
                #expect(try await get(server.url("/list?page=\(page)"), session).text == "/list?page=\(page)")
            }
        }
        #expect(server.requests.count == 2)
    }

    @Test func whatIsStaleIsValidated() async throws {
        let server = try Loopback { request in
            request.headers["If-None-Match"] == nil
                ? ServerResponse(headers: ["Cache-Control": "max-age=1", "ETag": "\"1\""], body: Data("tea".utf8))
                : ServerResponse(status: 304, headers: ["Cache-Control": "max-age=1", "ETag": "\"1\""])
        }
        let session = session()
        _ = try await get(server.url("/t"), session)
        await clock.advance(by: .seconds(60))
        let second = try await get(server.url("/t"), session)
        #expect(second.text == "tea" && second.response.statusCode == 200)
        #expect(second.response.cacheStatus?.isRevalidated == true)
        #expect(server.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\""])
    }

    @Test func withoutANetworkWhatIsStoredIsShown() async throws {
        let server = try Loopback { _ in
            ServerResponse(headers: ["Cache-Control": "max-age=1"], body: Data("tea".utf8))
        }
        let session = session()
        _ = try await get(server.url("/t"), session)
        server.stop()
        await clock.advance(by: .seconds(60))
        let second = try await get(server.url("/t"), session)
        #expect(second.text == "tea" && second.response.cacheStatus?.isStale == true)
        await #expect { try await get(server.url("/other"), session) } throws: {
            ($0 as? URLError)?.code == .notConnectedToInternet
        }
    }

    @Test func aPostIsSentOnceWithItsBodyAndEndsWhatItChanges() async throws {
        let server = try Loopback { request in
            request.method == "POST"
                ? ServerResponse(status: 201, body: request.body)
                : ServerResponse(headers: ["Cache-Control": "max-age=60"], body: Data("tea".utf8))
        }
        let session = session()
        _ = try await get(server.url("/t"), session)
        var request = URLRequest(url: server.url("/t"))
        request.httpMethod = "POST"
        request.httpBody = Data("more".utf8)
        let (data, response) = try await session.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 201 && data == Data("more".utf8))
        _ = try await get(server.url("/t"), session)
        #expect(server.requests.map(\.method) == ["GET", "POST", "GET"])
    }

    @Test func aStreamIsABody() async throws {
        let body = patterned(200_000)
        let server = try Loopback { ServerResponse(body: Data("\($0.body == body)".utf8)) }
        var request = URLRequest(url: server.url("/t"))
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(data: body)
        #expect(try await session().data(for: request).0 == Data("true".utf8))
    }

    @Test func anUploadTaskIsSentWithItsBodyAndEndsWhatItChanges() async throws {
        let server = try Loopback { request in
            request.method == "PUT"
                ? ServerResponse(status: 200, body: request.body)
                : ServerResponse(headers: ["Cache-Control": "max-age=60"], body: Data("tea".utf8))
        }
        let session = session()
        _ = try await get(server.url("/t"), session)
        var request = URLRequest(url: server.url("/t"))
        request.httpMethod = "PUT"
        let (data, _) = try await session.upload(for: request, from: Data("more".utf8))
        #expect(data == Data("more".utf8))
        // What it changed is noted behind its back.
        while try await get(server.url("/t"), session).response.cacheStatus?.isHit == true { await Task.yield() }
        #expect(server.requests.map(\.method) == ["GET", "PUT", "GET"])
    }

    @Test func aDownloadTaskHasItsFile() async throws {
        let body = patterned(3 << 20)
        let server = try Loopback { _ in ServerResponse(headers: ["Cache-Control": "max-age=60"], body: body) }
        let session = session()
        let data: Data? = await withCheckedContinuation { continuation in
            session.downloadTask(with: server.url("/t")) { url, _, _ in
                continuation.resume(returning: url.flatMap { try? Data(contentsOf: $0) })
            }.resume()
        }
        #expect(data == body)
    }

    @Test func aLargeBodyComesWholeFromBoth() async throws {
        let body = patterned(20 << 20)
        let server = try Loopback { _ in ServerResponse(headers: ["Cache-Control": "max-age=60"], body: body) }
        let session = session()
        for isHit in [false, true] {
            let (data, response) = try await session.data(from: server.url("/big"))
            #expect(data == body && (response as? HTTPURLResponse)?.cacheStatus?.isHit == isHit)
        }
    }

    @Test func aDelegateIsToldEverythingInOrder() async throws {
        let server = try Loopback { _ in
            ServerResponse(headers: ["Cache-Control": "max-age=60"], body: Data("tea".utf8))
        }
        let recorder = Recorder()
        let session = URLSession(
            configuration: .default.cached(in: larder.common), delegate: recorder, delegateQueue: nil)
        for _ in 0..<2 { await recorder.run(session.dataTask(with: server.url("/t"))) }
        #expect(recorder.events == ["200", "tea", "done", "200", "tea", "done"])
        #expect(server.requests.count == 1)
    }

    @Test func aSuspendedTaskGoesOn() async throws {
        let hold = Hold()
        let server = try Loopback { _ in
            hold.wait()
            return ServerResponse(body: Data("tea".utf8))
        }
        let recorder = Recorder()
        let session = URLSession(
            configuration: .default.cached(in: larder.common), delegate: recorder, delegateQueue: nil)
        let task = session.dataTask(with: server.url("/t"))
        await recorder.run(task) {
            await waitUntil { !server.requests.isEmpty }
            task.suspend()
            hold.release()
            task.resume()
        }
        #expect(recorder.events == ["200", "tea", "done"])
        #expect(server.requests.count == 1)
    }

    @Test func aCancelledTaskEndsAtOnce() async throws {
        let hold = Hold()
        let server = try Loopback { _ in
            hold.wait()
            return ServerResponse()
        }
        defer { hold.release() }
        let session = session()
        let reader = Task { try await session.data(from: server.url("/t")) }
        await waitUntil { !server.requests.isEmpty }
        reader.cancel()
        await #expect { try await reader.value } throws: { ($0 as? URLError)?.code == .cancelled }
    }

    @Test func redirectsAreFollowedThroughTheCache() async throws {
        let server = try Loopback { request in
            request.path == "/old"
                ? ServerResponse(status: 301, headers: ["Location": "/new", "Cache-Control": "max-age=60"])
                : ServerResponse(headers: ["Cache-Control": "max-age=60"], body: Data("tea".utf8))
        }
        let configuration = URLSessionConfiguration.default
        let cache = configuration.useLarder(larder.common)
        let session = URLSession(configuration: configuration)
        for _ in 0..<2 {
            let got = try await get(server.url("/old"), session)
            #expect(got.text == "tea" && got.response.url?.path() == "/new")
            await waitUntil { cache.exchangeCount == 0 }
        }
        #expect(server.requests.count == 2)
    }

    @Test func typedRequestsPassByTheCache() async throws {
        let server = try Loopback { _ in
            ServerResponse(
                headers: ["Cache-Control": "max-age=60", "Content-Type": "application/json"], body: Data("{}".utf8))
        }
        let session = session()
        let url = server.url("/t")
        let value = larder.common.bytes("t", expecting: .json) { request in
            try await RawAnswer(session.data(for: request.urlRequest(url)))
        }
        for _ in 0..<2 { #expect(try await value.read(.networkOnly).source == .network) }
        #expect(try await get(url, session).response.cacheStatus?.isHit == false)
        #expect(server.requests.count == 3)
    }

    @Test func partitionsShareNothingAndSigningOutLeavesNothing() async throws {
        let server = try Loopback { _ in
            ServerResponse(headers: ["Cache-Control": "max-age=60"], body: Data("tea".utf8))
        }
        let (anna, bert) = (session("anna"), session("bert"))
        _ = try await get(server.url("/t"), anna)
        #expect(try await get(server.url("/t"), bert).response.cacheStatus?.isHit == false)
        #expect(try await get(server.url("/t"), anna).response.cacheStatus?.isHit == true)
        try await larder.partition("anna").signOut()
        // The session goes on without a cache, and has none of whoever signs in next.
        let next = session("anna")
        _ = try await get(server.url("/t"), next)
        #expect(try await get(server.url("/t"), anna).response.cacheStatus == nil)
        #expect(try await get(server.url("/t"), next).response.cacheStatus?.isHit == true)
        #expect(server.requests.count == 4)
    }

    @Test func installingTwiceSharesOneCache() throws {
        let configuration = URLSessionConfiguration.default
        let first = configuration.useLarder(larder.common)
        let count = configuration.protocolClasses?.count
        let second = configuration.useLarder(larder.common)
        #expect(first === second && configuration.protocolClasses?.count == count)
        #expect(configuration.useLarder(larder.partition("other")) !== first)
        #expect(configuration.useLarder(larder.common, options: .init(memoryLimit: 1)) !== first)
        configuration.httpAdditionalHeaders = ["X": "1"]
        #expect(configuration.useLarder(larder.common) !== first)
    }

    @Test func manyAtOnce() async throws {
        let server = try Loopback { request in
            ServerResponse(headers: ["Cache-Control": "max-age=60"], body: Data(request.target.utf8))
        }
        let session = session()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let got = try await get(server.url("/\(number % 50)"), session)
                    #expect(got.text == "/\(number % 50)")
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == 50)
    }
}

/// Writes down what a session tells of one task after the other.
private final class Recorder: NSObject, URLSessionDataDelegate, Sendable {
    private let log = Mutex<[String]>([])
    private let waiter = Mutex<CheckedContinuation<Void, Never>?>(nil)

    var events: [String] { log.withLock { $0 } }

    func run(_ task: URLSessionTask, meanwhile: @escaping @Sendable () async -> Void = {}) async {
        await withCheckedContinuation { continuation in
            waiter.withLock { $0 = continuation }
            task.resume()
            Task { await meanwhile() }
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        log.withLock { $0.append("\((response as? HTTPURLResponse)?.statusCode ?? 0)") }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        log.withLock { $0.append(String(decoding: data, as: UTF8.self)) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        log.withLock { $0.append(error == nil ? "done" : "failed") }
        waiter.withLock { $0.take() }?.resume()
    }
}

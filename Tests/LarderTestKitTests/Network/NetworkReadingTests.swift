import Foundation
import LarderKit
import LarderTestKit
import Synchronization
import Testing

/// Each condition as a reader meets it, through a resource.
@Suite(.timeLimit(.minutes(5)))
struct NetworkReadingTests {
    struct Profile: Codable, Sendable, Equatable {
        var name: String
    }

    /// A server whose answer bears an entity tag.
    private final class Server: Sendable {
        private let state = Mutex((name: "Ada", version: 1))

        func rename(_ name: String) {
            state.withLock { $0 = (name, $0.version + 1) }
        }

        func answer() -> RawAnswer {
            let (name, version) = state.withLock { $0 }
            return RawAnswer(
                headers: ["ETag": "W/\"\(version)\"", "Content-Type": "application/json"],
                body: Data(#"{"name":"\#(name)"}"#.utf8))
        }
    }

    private let world = TestWorld()
    private let larder: Larder
    private let network: SimulatedNetwork
    private let server = Server()

    init() {
        larder = .inMemory(environment: world.environment)
        network = SimulatedNetwork(clock: world.clock)
    }

    private func profile(_ policy: ReadPolicy = .cacheFirst, options: ResourceOptions = .init()) -> Resource<Profile> {
        let (network, server) = (network, server)
        return larder.common.resource("profile", decoding: Profile.self, policy: policy, options: options) { request in
            try await network.answer(to: request) { server.answer() }
        }
    }

    @Test func `a slow network is not waited for longer than three seconds`() async throws {
        let profile = profile(.networkFirst)
        _ = try await profile.read()
        server.rename("Grace")

        network.set(.slow(latency: .seconds(5)))
        async let reading = profile.read()
        // What sleeps: the answer on its way, the request's own limit, and the reader's patience.
        await world.clock.sleepers(atLeast: 3)
        await world.advance(by: .seconds(3))
        let served = try await reading
        #expect(served.value.name == "Ada" && served.reason == .patienceRanOut)

        // The answer that comes late is stored all the same.
        await world.advance(by: .seconds(2))
        await larder.settle()
        #expect(try profile.peek()?.value.name == "Grace")
    }

    @Test(arguments: [(1, 1, true), (1, 3, false), (2, 2, false)])
    func `patience is for the whole answer`(head: Int, body: Int, comesInTime: Bool) async throws {
        let profile = profile(.networkFirst)
        _ = try await profile.read()
        network.next(.headersThenBody(headersAfter: .seconds(head), bodyAfter: .seconds(body)))
        async let reading = profile.read()
        await world.clock.sleepers(atLeast: 3)
        // What comes in time is stored before the reader has it, on a disk that keeps no time of the clock's.
        await world.advance(by: .seconds(comesInTime ? head + body : 3))
        #expect(try await reading.reason == (comesInTime ? .fetched : .patienceRanOut))
    }

    @Test(
        arguments: [
            (.captivePortal, .wrongAnswer), (.dropped(afterBytes: 10), .wrongAnswer),
            (.body("<html>", contentType: "application/json"), .wrongAnswer), (.body("{\"name\":"), .wrongAnswer),
            (.body("{}"), .wrongAnswer), (.body(""), .wrongAnswer), (.status(202), .unexpectedStatus(202)),
            (.status(500), .server(status: 500)), (.status(429), .throttled), (.dnsFailure, .offline),
            (.connectionRefused, .offline), (.connectionLost, .offline), (.offline, .offline),
        ] as [(NetworkCondition, FetchFailure.Kind)])
    func `a bad answer leaves the good value`(condition: NetworkCondition, kind: FetchFailure.Kind) async throws {
        let profile = profile()
        _ = try await profile.read()
        server.rename("Grace")
        network.next(condition)
        let reading = try await profile.read()
        #expect(reading.value.name == "Ada" && reading.reason == .networkFailed && reading.isStale)
        #expect(reading.failure?.kind == kind)
        #expect(try await profile.read().value.name == "Grace")
    }

    @Test(
        arguments: [
            (.status(401), .unauthorised), (.status(403), .forbidden), (.status(404), .gone(status: 404)),
            (.status(410), .gone(status: 410)),
        ] as [(NetworkCondition, FetchFailure.Kind)])
    func `what the server itself says is no outage`(condition: NetworkCondition, kind: FetchFailure.Kind) async throws {
        let profile = profile()
        _ = try await profile.read()
        network.next(condition)
        do throws(LarderError) {
            _ = try await profile.read()
            Issue.record("nothing was thrown")
        } catch {
            guard case .fetch(let failure) = error else { throw error }
            #expect(failure.kind == kind)
        }
        let isGone = if case .gone = kind { true } else { false }
        #expect(try profile.peek()?.value.name == (isGone ? nil : "Ada"))
    }

    @Test func `a server that wants to be left alone says for how long`() async throws {
        let profile = profile()
        _ = try await profile.read()
        network.next(.status(429, retryAfter: .seconds(120)))
        #expect(try await profile.read().failure?.retryAfter == .seconds(120))
    }

    @Test func `a transport that gives up is an outage, half a minute later`() async throws {
        let profile = profile(.networkFirst(patience: .seconds(60)))
        _ = try await profile.read()
        network.next(.timeout)
        async let reading = profile.read()
        await world.clock.sleepers(atLeast: 3)
        await world.advance(by: .seconds(30))
        let served = try await reading
        #expect(served.reason == .networkFailed && served.failure?.kind == .timedOut)
    }

    @Test func `a request that nobody ever answers is given up by the larder`() async throws {
        network.set(.silence)
        let profile = profile(options: .init(fetchTimeout: .seconds(10)))
        let task = Task { try await profile.read() }
        await network.requests(atLeast: 1)
        await world.clock.sleepers(atLeast: 1)
        await world.advance(by: .seconds(10))
        let error = await #expect(throws: LarderError.self) { try await task.value }
        guard case .fetch(let failure) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(failure.kind == .timedOut)
    }

    @Test func `what has not changed is not sent again`() async throws {
        let profile = profile()
        network.set(.notModified)
        #expect(try await profile.read().source == .network)
        #expect(try await profile.read().source == .revalidated)
        server.rename("Grace")
        let third = try await profile.read()
        #expect(third.source == .network && third.value.name == "Grace")
        #expect(network.requests.map(\.validators?.etag) == [nil, "W/\"1\"", "W/\"1\""])
    }

    @Test func `a typed closure meets the same network`() async throws {
        let (network, server) = (network, server)
        let name: Resource<String> = larder.common.resource("name") { request in
            try await network.answer(to: request) {
                .value("Ada", validators: .init(etag: server.answer().headers["ETag"]))
            }
        }
        network.set(.notModified)
        #expect(try await name.read().source == .network)
        #expect(try await name.read().source == .revalidated)
        server.rename("Grace")
        #expect(try await name.read().source == .network)

        let plain = larder.common.resource("plain") { try await network.answer { "Ada" } }
        _ = try await plain.read()
        network.next(.captivePortal, .status(503, retryAfter: .seconds(9)), .dropped(afterBytes: 1))
        #expect(try await plain.read().failure?.kind == .wrongAnswer)
        #expect(try await plain.read().failure == .http(status: 503, retryAfter: .seconds(9)))
        #expect(try await plain.read().reason == .heldBack)
        // Fetch closures that bring values cannot tell a sign-in page from a mistake, so three in a row hold back too.
        await world.advance(by: .seconds(9))
        #expect(try await plain.read().failure?.kind == .wrongAnswer)
        await world.advance(by: .seconds(2))
        #expect(try await plain.read().source == .network)
    }

    @Test func `a feed meets the same network`() async throws {
        let network = network
        let origin = try SimulatedFeedServer(.decimal, holding: 1...50)
        let home: Feed<SimulatedFeedServer.Item> = larder.common.feed("home", json: JSONItems(), paging: .byID) {
            page in
            try await network.answer(to: page) { origin.rawAnswer(for: page) }
        }
        #expect(try await home.page().value.items.count == 20)
        network.next(.captivePortal)
        let served = try await home.page()
        #expect(served.value.items.count == 20 && served.failure?.kind == .wrongAnswer)
    }

    @Test func `a day with tunnels`() async throws {
        let profile = profile(.networkFirst)
        network.script([(at: .zero, .online), (at: .seconds(10), .offline), (at: .seconds(20), .online)])
        var met: [ReadingReason] = []
        for _ in 0..<5 {
            met.append(try await profile.read().reason)
            await world.advance(by: .seconds(6))
        }
        #expect(met == [.fetched, .fetched, .networkFailed, .networkFailed, .fetched])
    }
}

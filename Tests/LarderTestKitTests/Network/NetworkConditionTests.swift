import Foundation
import LarderKit
import LarderTestKit
import Testing

/// What becomes of an answer under each condition, without a larder.
@Suite(.timeLimit(.minutes(5)))
struct NetworkConditionTests {
    private let world = TestWorld()
    private let network: SimulatedNetwork

    private static let body = Data("[1,2,3]".utf8)
    private static let served = RawAnswer(headers: ["ETag": "\"1\"", "Content-Type": "application/json"], body: body)

    init() {
        network = SimulatedNetwork(clock: world.clock)
    }

    private func failure(_ condition: NetworkCondition) async -> FetchFailure? {
        network.next(condition, condition)
        let raw = await #expect(throws: FetchFailure.self) { try await network.answer { Self.served } }
        let typed = await #expect(throws: FetchFailure.self) { try await network.answer { 1 } }
        #expect(raw == typed)
        return raw
    }

    @Test func `as long as nothing is said everything arrives`() async throws {
        #expect(try await network.answer { Self.served } == Self.served)
        #expect(try await network.answer { 7 } == 7)
        #expect(network.condition == .online)
    }

    @Test(arguments: [.offline, .dnsFailure, .connectionRefused, .connectionLost] as [NetworkCondition])
    func `where nobody is reached the failure is an outage`(condition: NetworkCondition) async {
        #expect(await failure(condition)?.kind == .offline)
    }

    @Test func `a failure is handed over as it is`() async {
        let odd = FetchFailure(.other, "odd", retryAfter: .seconds(3))
        #expect(await failure(.failure(odd)) == odd)
    }

    @Test func `a server that is not reached is not asked`() async {
        let conditions: [NetworkCondition] = [.offline, .captivePortal, .status(500), .body("{}")]
        for condition in conditions {
            network.set(condition)
            _ = try? await network.answer { () -> Int in
                Issue.record("the server was asked")
                return 1
            }
        }
        #expect(network.requests.map(\.condition) == conditions)
    }

    @Test(
        arguments: [
            (429, .seconds(120), "120"), (503, .milliseconds(1500), "2"), (503, .zero, "0"), (429, .seconds(-4), "0"),
            (404, nil, nil), (202, nil, nil),
        ] as [(Int, Duration?, String?)])
    func `a status comes without a body`(status: Int, retryAfter: Duration?, field: String?) async throws {
        network.set(.status(status, retryAfter: retryAfter))
        let answer = try await network.answer { Self.served }
        #expect(answer.status == status && answer.body.isEmpty && answer.headers["Retry-After"] == field)
        let failure = await #expect(throws: FetchFailure.self) { try await network.answer { 1 } }
        let expected = FetchFailure.http(
            status: status, retryAfter: field.flatMap { Int64($0) }.map { .seconds($0) })
        #expect(failure == expected)
    }

    @Test func `a portal answers whatever is asked for with a page of its own`() async throws {
        network.set(.captivePortal)
        let answer = try await network.answer { Self.served }
        #expect(answer.status == 200 && answer.body.first == UInt8(ascii: "<"))
        #expect(answer.headers["Content-Type"]?.hasPrefix("text/html") == true)
        let failure = await #expect(throws: FetchFailure.self) { try await network.answer { 1 } }
        #expect(failure?.kind == .wrongAnswer)
    }

    @Test func `a body comes in place of the server's`() async throws {
        network.next(.body("<p>", contentType: "text/plain"), .answer(.init(status: 203, body: Self.body)))
        let answer = try await network.answer { Self.served }
        #expect(answer.body == Data("<p>".utf8) && answer.headers["Content-Type"] == "text/plain")
        #expect(answer.headers["ETag"] == nil)
        #expect(try await network.answer { Self.served }.status == 203)
    }

    @Test(arguments: [(-1, 0), (0, 0), (3, 3), (6, 6), (7, 7), (8, 7)])
    func `of a body that was dropped the head still promises all`(bytes: Int, come: Int) async throws {
        network.next(.dropped(afterBytes: bytes))
        let answer = try await network.answer {
            RawAnswer(headers: ["content-length": "7", "ETag": "\"1\""], body: Self.body)
        }
        #expect(answer.body == Self.body.prefix(come))
        #expect(answer.headers.values(of: "Content-Length") == ["7"] && answer.headers["ETag"] == "\"1\"")
    }

    @Test func `a transport that decodes notices itself that a body was dropped`() async {
        network.set(.dropped(afterBytes: 3))
        let raw = await #expect(throws: FetchFailure.self) {
            try await network.answer { RawAnswer(headers: ["Content-Encoding": "gzip"], body: Self.body) }
        }
        let typed = await #expect(throws: FetchFailure.self) { try await network.answer { 1 } }
        #expect(raw?.kind == .wrongAnswer && raw == typed)
    }

    @Test(arguments: [NetworkCondition.timeout, .timeout(after: .seconds(5)), .captivePortal.after(.seconds(5))])
    func `what takes its time takes exactly that`(condition: NetworkCondition) async throws {
        let time: Duration = condition == .timeout ? .seconds(30) : .seconds(5)
        network.set(condition)
        let task = Task { [network] in try await network.answer { 1 } }
        await network.requests(atLeast: 1)
        // It is asked before its time begins to run.
        await world.clock.sleepers(atLeast: 1)
        await world.advance(by: time - .nanoseconds(1))
        #expect(network.waitingCount == 1)
        await world.advance(by: .nanoseconds(1))
        let failure = await #expect(throws: FetchFailure.self) { try await task.value }
        #expect(failure?.kind == (condition == .captivePortal.after(.seconds(5)) ? .wrongAnswer : .timedOut))
        #expect(network.waitingCount == 0)
    }

    @Test func `times add up, and a negative one is none`() {
        #expect(
            NetworkCondition.headersThenBody(headersAfter: .seconds(1), bodyAfter: .seconds(2))
                == .slow(latency: .seconds(3)))
        #expect(NetworkCondition.online.after(.seconds(-3)) == .online)
        #expect(NetworkCondition.slow(latency: .seconds(1)).after(.seconds(-3)) == .slow(latency: .seconds(1)))
    }
}

import Foundation
import LarderKit
import LarderTestKit
import Testing

/// What a server may send, and what becomes of what is stored.
@Suite(.timeLimit(.minutes(5)))
struct ResourceAnswerTests {
    @Test func `the server's own lifetime counts, less the age it gives the answer`() async throws {
        let it = try ScriptedResource(
            .answer(.number(1, ["Cache-Control": "max-age=60", "Age": "20"])), .answer(.number(2)))
        let resource = it.resource()
        let first = try await resource.read()
        #expect(first.age == .seconds(20))
        #expect(first.storedAt == it.world.clock.now() - 20)
        await it.world.advance(by: .seconds(39))
        let second = try await resource.read()
        #expect(second.reason == .fresh && second.age == .seconds(59))
        await it.world.advance(by: .seconds(1))
        #expect(try await resource.read().value == [2])
    }

    @Test func `the app's own lifetime counts more than the server's`() async throws {
        let it = try ScriptedResource(.answer(.number(1, ["Cache-Control": "max-age=5"])))
        let resource = it.resource(maxAge: .seconds(60))
        _ = try await resource.read()
        await it.world.advance(by: .seconds(30))
        #expect(try await resource.read().reason == .fresh)
        try it.origin.verify()
    }

    @Test(arguments: ["no-store", "private, no-store, max-age=60", "no-cache"])
    func `what must not be stored by HTTP's rules is kept for the app, and asked for each time`(
        control: String
    ) async throws {
        let it = try ScriptedResource(
            .answer(.number(1, ["Cache-Control": control])), .answer(.number(2, ["Cache-Control": control])),
            .fail(FetchFailure(.offline, "no network")))
        let resource = it.resource()
        _ = try await resource.read()
        #expect(try await resource.read().value == [2])
        let offline = try await resource.read()
        #expect(offline.value == [2] && offline.isStale && offline.failure?.kind == .offline)
    }

    static let badAnswers: [(name: String, answer: RawAnswer, kind: FetchFailure.Kind)] = [
        (
            "202", RawAnswer(status: 202, headers: ["Cache-Control": "max-age=60"], body: Data("[9]".utf8)),
            .unexpectedStatus(202)
        ),
        ("204", .status(204), .unexpectedStatus(204)),
        ("206", RawAnswer(status: 206, body: Data("[9]".utf8)), .unexpectedStatus(206)),
        ("302", .status(302, ["Location": "/login"]), .unexpectedStatus(302)),
        ("400", .status(400), .unexpectedStatus(400)),
        ("429", .status(429), .throttled),
        ("500", .status(500), .server(status: 500)),
        ("503 with JSON", RawAnswer(status: 503, body: Data("[9]".utf8)), .server(status: 503)),
        (
            "HTML", RawAnswer(headers: ["Content-Type": "text/html"], body: Data("<html>Sign in</html>".utf8)),
            .wrongAnswer
        ),
        (
            "HTML called JSON", RawAnswer(headers: ["Content-Type": "application/json"], body: Data("<html>".utf8)),
            .wrongAnswer
        ),
        ("cut by length", .number(9, ["Content-Length": "1000"]), .wrongAnswer),
        ("cut JSON", RawAnswer(body: Data("[9, 1".utf8)), .wrongAnswer),
        ("empty", RawAnswer(body: Data()), .wrongAnswer),
        ("another shape", RawAnswer(body: Data(#"{"error":"busy"}"#.utf8)), .wrongAnswer),
        ("null", RawAnswer(body: Data("null".utf8)), .wrongAnswer),
        ("two values", RawAnswer(body: Data("[9] [9]".utf8)), .wrongAnswer),
        ("no UTF-8", RawAnswer(body: Data([0x5B, 0x22, 0xFF, 0x22, 0x5D])), .wrongAnswer),
    ]

    @Test(arguments: badAnswers.indices)
    func `a bad answer never replaces a good value`(index: Int) async throws {
        let (name, answer, kind) = Self.badAnswers[index]
        let it = try ScriptedResource(
            .answer(.number(1, ["ETag": "\"1\""])), .answer(answer), .answer(.number(2)))
        let resource = it.resource()
        _ = try await resource.read()
        let before = try #require(try resource.peek())
        await it.world.advance(by: .seconds(5))
        let reading = try await resource.read()
        #expect(reading.value == [1] && reading.source == .cache && reading.reason == .networkFailed, "\(name)")
        #expect(reading.failure?.kind == kind, "\(name)")
        #expect(reading.age == .seconds(5), "\(name)")
        #expect(try resource.peek()?.storedAt == before.storedAt, "\(name)")
        #expect(try await resource.read().value == [2], "\(name)")
        #expect(it.origin.requests.last?.validators?.etag == "\"1\"", "\(name)")
    }

    @Test(arguments: badAnswers.indices)
    func `a bad answer with nothing stored is the error, and leaves nothing`(index: Int) async throws {
        let (_, answer, kind) = Self.badAnswers[index]
        let it = try ScriptedResource(.answer(answer))
        await expect(.fetch(kind)) { try await it.resource().read() }
        #expect(try it.resource().peek() == nil)
    }

    @Test(
        arguments: [
            (401, .unauthorised), (403, .forbidden), (404, .gone(status: 404)), (410, .gone(status: 410)),
        ] as [(Int, FetchFailure.Kind)])
    func `an answer about the thing itself is thrown, and what is gone is not shown again`(
        status: Int, kind: FetchFailure.Kind
    ) async throws {
        for policy in [ReadPolicy.cacheFirst, .networkFirst, .networkOnly] {
            let it = try ScriptedResource(.answer(.number(1)), .answer(.status(status)))
            let resource = it.resource(policy)
            _ = try await resource.read()
            await expect(.fetch(kind)) { try await resource.read() }
            let isGone = if case .gone = kind { true } else { false }
            #expect(try resource.peek()?.value == (isGone ? nil : [1]))
        }
    }

    @Test func `a typed closure says the same by throwing`() async throws {
        let world = TestWorld()
        let larder = Larder.inMemory(environment: world.environment)
        let origin = ScriptedFetch<Void, Int>(
            .answer(1), .fail(.http(status: 403)), .fail(.http(status: 502)), .fail(URLError(.timedOut)),
            .fail(.http(status: 404)), .fail(.http(status: 502)))
        let resource = larder.common.resource("k") { try await origin() }
        #expect(try await resource.read().value == 1)
        await expect(.fetch(.forbidden)) { try await resource.read() }
        #expect(try await resource.read().failure?.kind == .server(status: 502))
        #expect(try await resource.read().failure?.kind == .timedOut)
        await expect(.fetch(.gone(status: 404))) { try await resource.read() }
        await expect(.fetch(.server(status: 502))) { try await resource.read() }
    }

    @Test func `only bytes are asked for, so any are taken; unless JSON was due`() async throws {
        let larder = Larder.inMemory(environment: TestWorld().environment)
        let html = RawAnswer(headers: ["Content-Type": "text/html"], body: Data("<html>".utf8))
        let page = larder.common.bytes("page") { _ in html }
        #expect(try await page.read().value == html.body)
        let json = larder.common.bytes("json", expecting: .json) { _ in html }
        await expect(.fetch(.wrongAnswer)) { try await json.read() }
        let empty = larder.common.bytes("empty") { _ in RawAnswer(body: Data()) }
        _ = try await empty.read()
        #expect(try empty.peek()?.value == Data())
    }

    @Test func `bytes come back as served, white space and large numbers and all`() async throws {
        let larder = Larder.inMemory(environment: TestWorld().environment)
        let body = Data("[ 3653247040368672768.10 ,\n\t\"\\u0041\\ud83d\" ]".utf8)
        let resource = larder.common.bytes("k", expecting: .json) { _ in RawAnswer(body: body) }
        _ = try await resource.read()
        #expect(try await resource.read(.cacheOnly).value == body)
    }

    // MARK: - Not modified

    @Test func `validators are handed to the closure, and not modified renews what is stored`() async throws {
        let it = try ScriptedResource(
            .answer(.number(1, ["ETag": "\"a\"", "Last-Modified": "x", "Cache-Control": "max-age=10"])),
            .answer(.status(304, ["ETag": "\"b\""])), .answer(.status(304, ["Cache-Control": "max-age=99"])),
            .answer(.number(2)), .answer(.number(3)))
        let resource = it.resource()
        _ = try await resource.read()
        await it.world.advance(by: .seconds(20))
        let renewed = try await resource.read()
        #expect(renewed.value == [1] && renewed.source == .revalidated && renewed.reason == .notModified)
        #expect(renewed.age == .zero && !renewed.isStale && renewed.failure == nil && renewed.warnings.isEmpty)

        // The old lifetime holds until another is given, and what a 304 leaves out stays.
        await it.world.advance(by: .seconds(9))
        #expect(try await resource.read().reason == .fresh)
        await it.world.advance(by: .seconds(1))
        #expect(try await resource.read().source == .revalidated)
        await it.world.advance(by: .seconds(98))
        #expect(try await resource.read().reason == .fresh)
        await it.world.advance(by: .seconds(1))
        #expect(try await resource.read().value == [2])
        // The new value came without any.
        #expect(try await resource.read().value == [3])
        #expect(
            it.origin.requests.map(\.validators) == [
                nil, Validators(etag: "\"a\"", lastModified: "x"), Validators(etag: "\"b\"", lastModified: "x"),
                Validators(etag: "\"b\"", lastModified: "x"), nil,
            ])
        #expect(it.origin.requests.allSatisfy { $0.key == "k" })
    }

    @Test func `a typed closure is handed validators and may answer not modified`() async throws {
        let world = TestWorld()
        let larder = Larder.inMemory(environment: world.environment)
        let origin = ScriptedFetch<ResourceRequest, Answer<Int>>(
            .answer(.value(1, validators: Validators(etag: "\"a\""), maxAge: .seconds(10))), .answer(.notModified),
            .answer(.value(2)))
        let resource = larder.common.resource("k") { try await origin($0) }
        #expect(try await resource.read().value == 1)
        #expect(try await resource.read().reason == .fresh)
        await world.advance(by: .seconds(10))
        let renewed = try await resource.read()
        #expect(renewed.value == 1 && renewed.source == .revalidated)
        await world.advance(by: .seconds(10))
        #expect(try await resource.read().value == 2)
        #expect(origin.requests.map(\.validators?.etag) == [nil, "\"a\"", "\"a\""])
    }

    @Test(arguments: [[:], ["ETag": "\"new\"", "Cache-Control": "max-age=60"]] as [HeaderFields])
    func `not modified that was not asked for calls nothing fresh`(headers: HeaderFields) async throws {
        let it = try ScriptedResource(.answer(.number(1)), .answer(.status(304, headers)), .answer(.number(2)))
        let resource = it.resource()
        _ = try await resource.read()
        await it.world.advance(by: .seconds(5))
        let reading = try await resource.read()
        #expect(it.origin.requests.last?.validators == nil)
        #expect(reading.value == [1] && reading.source == .cache && reading.reason == .networkFailed)
        #expect(reading.failure?.kind == .wrongAnswer && reading.isStale && reading.age == .seconds(5))
        #expect(try resource.peek()?.age == .seconds(5))
        #expect(try await resource.read().value == [2])
    }

    @Test func `nor does a typed closure that was handed no validators`() async throws {
        let world = TestWorld()
        let larder = Larder.inMemory(environment: world.environment)
        let origin = ScriptedFetch<ResourceRequest, Answer<Int>>(.answer(.value(1)), .answer(.notModified))
        let resource = larder.common.resource("k") { try await origin($0) }
        _ = try await resource.read()
        await world.advance(by: .seconds(5))
        let reading = try await resource.read()
        #expect(reading.value == 1 && reading.source == .cache && reading.failure?.kind == .wrongAnswer)
        #expect(reading.age == .seconds(5))
    }

    @Test func `the time a request takes counts as age`() async throws {
        let gates = [Gate(), Gate()]
        let headers: HeaderFields = ["Cache-Control": "max-age=60", "Age": "20", "ETag": "\"1\""]
        let it = try ScriptedResource(
            .gated(gates[0], .number(1, headers)), .gated(gates[1], .status(304, ["Age": "1"])))
        let resource = it.resource()
        for (gate, age, source) in [(gates[0], 25, ReadingSource.network), (gates[1], 6, .revalidated)] {
            let start = it.world.clock.now()
            let reader = Task { try await resource.read(.networkOnly) }
            await gate.reached()
            await it.world.advance(by: .seconds(5))
            gate.open()
            let reading = try await reader.value
            #expect(reading.source == source && reading.age == .seconds(age))
            #expect(reading.storedAt == start - Double(age - 5))
            await it.world.advance(by: .seconds(60 - age - 1))
            #expect(try await resource.read().reason == .fresh)
            await it.world.advance(by: .seconds(1))
            #expect(try resource.peek()?.isStale == true)
        }
    }

    @Test func `not modified with nothing stored is a wrong answer`() async throws {
        let it = try ScriptedResource(.answer(.status(304)))
        await expect(.fetch(.wrongAnswer)) { try await it.resource().read() }
        #expect(try it.resource().peek() == nil)
    }
}

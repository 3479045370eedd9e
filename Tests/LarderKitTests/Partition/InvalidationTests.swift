import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

/// "I just changed this": what is stored is stale at once, and no answer from before settles it.
@Suite(.timeLimit(.minutes(5))) struct InvalidationTests {
    private typealias Gate = LarderTestKit.Gate

    private let world = TestWorld()
    private let larder: Larder

    init() throws {
        larder = try Larder(.temporary, environment: world.environment)
    }

    private func resource(
        _ key: String, tags: [String] = [], storage: ResourceOptions.Storage = .database,
        _ origin: ScriptedFetch<Void, Int>
    ) -> Resource<Int> {
        larder.common.resource(key, maxAge: .seconds(3600), options: .init(storage: storage, tags: tags)) {
            try await origin()
        }
    }

    static let places: [ResourceOptions.Storage] = [.database, .files, .memory, .store(MemoryStore())]

    @Test(arguments: places.indices)
    func `by key, prefix, tag and all, in every store, and nothing else`(place: Int) async throws {
        let storage = Self.places[place]
        let names = [("user/1", ["me"]), ("user/2", []), ("users", ["me"]), ("User/1", []), ("other", [])]
        let resources = names.map { name, tags in
            resource(name, tags: tags, storage: storage, ScriptedFetch(Array(repeating: .answer(1), count: 9)))
        }
        func stale() throws -> [String] {
            try zip(names, resources).filter { try $1.peek()?.isStale ?? true }.map(\.0.0)
        }
        let cases: [(Selection, [String])] = [
            (.key("user/1"), ["user/1"]), (.prefix("user/"), ["user/1", "user/2"]),
            (.prefix("user"), ["user/1", "user/2", "users"]),
            (.tag("me"), ["user/1", "users"]), (.key("nothing"), []), (.tag("nothing"), []),
            (.all, ["user/1", "user/2", "users", "User/1", "other"]),
        ]
        for (selection, expected) in cases {
            for resource in resources { _ = try await resource.read(.networkOnly) }
            #expect(try stale() == [])
            try await larder.common.invalidate(selection)
            #expect(try stale() == expected)
            // Kept, to be shown where there is nothing else.
            for resource in resources { #expect(try resource.peek()?.value == 1) }
        }
    }

    @Test(arguments: places.indices)
    func `an answer that was asked for before is neither stored nor joined`(place: Int) async throws {
        let gate = Gate()
        let origin = ScriptedFetch<Void, Int>(.answer(1), .gated(gate, 2), .answer(3))
        let resource = resource("k", storage: Self.places[place], origin)
        _ = try await resource.read()
        let early = Task { try await resource.read(.networkOnly) }
        await gate.reached()
        try await larder.common.invalidate(.key("k"))
        #expect(try resource.peek()?.value == 1)
        // Who asks from now on gets a later answer, and what was in flight does not take its place.
        #expect(try await resource.read().value == 3)
        gate.open()
        let reading = try await early.value
        #expect(reading.value == 2)
        guard case .superseded? = reading.warnings.first else {
            Issue.record("\(reading.warnings)")
            return
        }
        #expect(try resource.peek()?.value == 3)
    }

    @Test func `with nothing stored the answer from before is not stored either`() async throws {
        let gate = Gate()
        let resource = resource("k", tags: ["t"], ScriptedFetch(.gated(gate, 1), .answer(2)))
        let early = Task { try await resource.read() }
        await gate.reached()
        try await larder.common.invalidate(.tag("t"))
        gate.open()
        #expect(try await early.value.value == 1)
        #expect(try resource.peek() == nil)
        #expect(try await resource.read().value == 2)
    }

    @Test func `stale while revalidate does not show the old state right after the change`() async throws {
        let resource = resource("k", ScriptedFetch(.answer(1), .answer(2), .fail(.http(status: 503))))
        _ = try await resource.read()
        try await larder.common.invalidate(.key("k"))
        #expect(try await resource.read(.staleWhileRevalidate).value == 2)
        try await larder.common.invalidate(.key("k"))
        let reading = try await resource.read(.staleWhileRevalidate)
        #expect(reading.value == 2 && reading.isStale && reading.failure?.kind == .server(status: 503))
    }

    @Test func `a value that the app stores is shown, asked for again, and not replaced by what was asked before`()
        async throws
    {
        let gate = Gate()
        let resource = resource("k", ScriptedFetch(.gated(gate, 1), .fail(.http(status: 503)), .answer(3)))
        let early = Task { try await resource.read() }
        await gate.reached()
        try await resource.store(2)
        gate.open()
        _ = try await early.value
        let reading = try await resource.read()
        #expect(reading.value == 2 && reading.isStale && reading.failure?.kind == .server(status: 503))
        #expect(try await resource.read().value == 3)
    }

    private struct Decoded: Decodable, Sendable { let name: String }

    @Test func `what comes raw can be stored by the app where its type can be encoded`() async throws {
        let answer = ScriptedFetch<ResourceRequest, RawAnswer>(
            .answer(RawAnswer(headers: ["ETag": "\"1\""], body: Data(#"{"name":"Ada"}"#.utf8))),
            .reply { request in RawAnswer(body: Data(#"{"name":"\#(request.validators == nil)"}"#.utf8)) })
        let profile = larder.common.resource("p", decoding: [String: String].self, maxAge: .seconds(60)) { request in
            try await answer(request)
        }
        _ = try await profile.read()
        try await profile.store(["name": "Bea"])
        #expect(try profile.peek()?.value == ["name": "Bea"])
        #expect(try await profile.read(.cacheOnly).isStale)
        #expect(try await profile.read().value == ["name": "true"])

        let decoded = larder.common.resource("p", decoding: Decoded.self) { _ in RawAnswer(status: 503, body: Data()) }
        let error = await #expect(throws: LarderError.self) { try await decoded.store(Decoded(name: "Cid")) }
        #expect(error?.description.contains("Make its type Codable") == true)
        #expect(try decoded.peek()?.value.name == "true")
    }

    @Test func `a feed is stale from then on, and a page from before is not taken in`() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...30)
        let gate = Gate()
        let isGated = ScriptedFetch<Void, Bool>(.answer(false), .answer(true), .answer(false), .answer(false))
        let feed: Feed<SimulatedFeedServer.Item> = larder.common.feed(
            "home", json: JSONItems(), paging: .byID, maxAge: .seconds(3600), options: .init(tags: ["posts"])
        ) { page in
            let answer = server.rawAnswer(for: page)
            if try await isGated() { try await gate.wait() }
            return answer
        }
        _ = try await feed.page()
        #expect(try feed.peek()?.isStale == false)
        let early = Task { try await feed.page(policy: .networkOnly) }
        await gate.reached()
        try await larder.common.invalidate(.tag("posts"))
        #expect(try feed.peek()?.isStale == true)
        _ = try server.insert("31")
        gate.open()
        let before = try await early.value
        #expect(before.value.items.first?.id == "30")
        #expect(try feed.peek()?.isStale == true)
        let after = try await feed.page()
        #expect(after.value.items.first?.id == "31" && !after.isStale)
        #expect(try feed.peek()?.isStale == false)
    }

    @Test func `what is watched is asked for again at once`() async throws {
        let origin = ScriptedFetch<Void, Int>(.answer(1), .answer(2))
        let resource = resource("k", origin)
        var iterator = resource.updates().makeAsyncIterator()
        var snapshot = try await iterator.next()
        while snapshot?.value != 1 { snapshot = try await iterator.next() }
        try await larder.common.invalidate(.prefix(""))
        while snapshot?.value != 2 { snapshot = try await iterator.next() }
        try origin.verify()
    }

    @Test func `also what was stamped by a clock that was ahead, and across partitions nothing`() async throws {
        let resource = resource("k", ScriptedFetch(.answer(1), .answer(2), .answer(3)))
        let other = larder.partition("b").resource("k", maxAge: .seconds(3600)) { 1 }
        world.clock.set(wall: ManualClock.defaultStart.addingTimeInterval(86_400 * 365))
        _ = try await resource.read()
        world.clock.set(wall: ManualClock.defaultStart)
        _ = try await other.read()
        try await larder.common.invalidate(.all)
        #expect(try await resource.read().value == 2)
        #expect(try other.peek()?.isStale == false)
        try await larder.common.invalidate(.key("k"))
        #expect(try await resource.read().value == 3)
    }

    @Test(arguments: places.indices)
    func `what the server calls gone is not brought back by an answer from before`(place: Int) async throws {
        let gate = Gate()
        let options = ResourceOptions(storage: Self.places[place])
        let early: Resource<[Int]> = larder.common.resource("gone", options: options) {
            try await gate.wait()
            return [1]
        }
        let late: Resource<[Int]> = larder.common.resource("gone", options: options, codec: .propertyList) {
            throw FetchFailure.http(status: 404)
        }
        try await late.store([0])
        let reader = Task { try await early.read(.networkOnly) }
        await gate.reached()
        await #expect(throws: LarderError.self) { try await late.read() }
        #expect(try late.peek() == nil)
        gate.open()
        #expect(try await reader.value.value == [1])
        #expect(try early.peek() == nil)
    }
}

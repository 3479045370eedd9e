import Foundation
import LarderKit
import LarderTestKit
import Testing

/// What is stored and cannot be decoded or read: never taken for nothing, and never in the way of a new value.
@Suite(.timeLimit(.minutes(5)))
struct ResourceDecodingTests {
    private let world = TestWorld()
    private let store = MemoryStore()

    /// A larder that holds, under `k`, bytes that are no array of numbers.
    private func larder(codec: String = "served", age: TimeInterval = 0) async throws -> Larder {
        try await store.put(
            StoredEntry(
                body: Data(#"{"old":1}"#.utf8),
                metadata: EntryMetadata(
                    codec: CodecID(name: codec), stamp: 1, storedAt: world.clock.now() - age, lifetime: .seconds(60),
                    validators: Validators(etag: "\"old\""))),
            for: StoreKey(key: "k"))
        return .inMemory(environment: world.environment)
    }

    private func resource(
        _ larder: Larder, _ origin: ScriptedFetch<ResourceRequest, RawAnswer>, _ policy: ReadPolicy = .cacheFirst
    ) -> Resource<[Int]> {
        larder.common.resource(
            "k", decoding: [Int].self, policy: policy, options: .init(storage: .store(store)),
            fetch: { try await origin($0) })
    }

    @Test(
        arguments: ["served", "json"],
        [ReadPolicy.cacheFirst, .networkFirst, .staleWhileRevalidate, .networkOnly])
    func `an undecodable value is fetched anew`(codec: String, policy: ReadPolicy) async throws {
        for age in [0, 3600] as [TimeInterval] {
            let larder = try await larder(codec: codec, age: age)
            let origin = ScriptedFetch<ResourceRequest, RawAnswer>(.answer(.number(1)))
            let resource = resource(larder, origin, policy)
            let reading = try await resource.read()
            #expect(reading.value == [1] && reading.source == .network)
            #expect(try resource.peek()?.value == [1])
            await store.remove(StoreKey(key: "k"))
        }
    }

    @Test func `its validators are not sent, since not modified would bring nothing`() async throws {
        let larder = try await larder()
        let origin = ScriptedFetch<ResourceRequest, RawAnswer>(
            .reply { $0.validators == nil ? .number(1) : .status(304) })
        #expect(try await resource(larder, origin).read().value == [1])
    }

    @Test(arguments: ["served", "json"])
    func `who only looks is told that it does not decode`(codec: String) async throws {
        let larder = try await larder(codec: codec)
        let resource = resource(larder, ScriptedFetch())
        await expect(.undecodable(nil)) { try resource.peek() }
        await expect(.undecodable(nil)) { try await resource.read(.cacheOnly) }
    }

    @Test(arguments: [ReadPolicy.cacheFirst, .networkFirst, .staleWhileRevalidate])
    func `when the fetch fails as well, both are told and the bytes stay`(policy: ReadPolicy) async throws {
        for age in [0, 3600] as [TimeInterval] {
            let larder = try await larder(age: age)
            let resource = resource(larder, ScriptedFetch(.answer(.status(503))), policy)
            await expect(.undecodable(.server(status: 503))) { try await resource.read() }
            #expect(store.entry(for: StoreKey(key: "k"))?.body == Data(#"{"old":1}"#.utf8))
        }
    }

    @Test(arguments: Connectivity.allCases)
    func `with nothing to show the network is waited for`(connectivity: Connectivity) async throws {
        let larder = try await larder(age: 3600)
        world.connectivity.set(connectivity)
        let gate = Gate()
        let resource = resource(larder, ScriptedFetch(.gated(gate, .number(1))), .networkFirst(patience: .seconds(1)))
        let reader = Task { try await resource.read() }
        await gate.reached()
        if connectivity == .online || connectivity == .unknown {
            await world.clock.sleepers(atLeast: 2)
            await world.advance(by: .seconds(1))
        }
        gate.open()
        #expect(try await reader.value.value == [1])
    }

    @Test func `another codec's value is undecodable, and one of another version is tried`() async throws {
        let larder = Larder.inMemory(environment: world.environment)
        let written = larder.common.resource("k", codec: .json(version: 1)) { [1] }
        _ = try await written.read()
        let plist = larder.common.resource("k", codec: .propertyList) { [2] }
        await expect(.undecodable(nil)) { try plist.peek() }
        let newer = larder.common.resource("k", codec: .json(version: 2)) { [3] }
        #expect(try newer.peek()?.value == [1])
        let text = larder.common.resource("k", codec: .json(version: 2)) { ["x"] }
        await expect(.undecodable(nil)) { try text.peek() }
    }

    // MARK: - Stores in trouble

    private static let damaged = StorageError(.corrupt, "a page is damaged")

    private func resource(_ store: FailingStore, _ larder: Larder, _ script: ScriptedFetch<Void, Int>.Step...)
        -> Resource<Int>
    {
        let origin = ScriptedFetch(script)
        return larder.common.resource("k", options: .init(storage: .store(store))) { try await origin() }
    }

    @Test(arguments: [ReadPolicy.cacheFirst, .networkFirst, .staleWhileRevalidate, .networkOnly])
    func `a store that cannot be read is no reason not to fetch`(policy: ReadPolicy) async throws {
        let larder = Larder.inMemory(environment: world.environment)
        let store = FailingStore()
        store.fail(reading: Self.damaged)
        let resource = resource(store, larder, .answer(1))
        #expect(try await resource.read(policy).value == 1)
        store.fail()
        #expect(try resource.peek()?.value == 1)
    }

    @Test func `a store that cannot be read is never taken for empty`() async throws {
        let larder = Larder.inMemory(environment: world.environment)
        let store = FailingStore()
        store.fail(reading: Self.damaged)
        let resource = resource(
            store, larder, .fail(.http(status: 503)), .fail(.http(status: 404)), .fail(.http(status: 503)))
        await expect(.storage(.corrupt)) { try resource.peek() }
        await expect(.storage(.corrupt)) { try await resource.read(.cacheOnly) }
        await expect(.storage(.corrupt)) { try await resource.read() }
        await expect(.fetch(.gone(status: 404))) { try await resource.read() }
        await expect(.fetch(.server(status: 503))) { try await resource.read(.networkOnly) }
    }

    @Test func `a value that could not be kept comes back with a warning, and the old one stays`() async throws {
        let larder = Larder.inMemory(environment: world.environment)
        let store = FailingStore()
        let resource = resource(store, larder, .answer(1), .answer(2))
        _ = try await resource.read()
        store.fail(writing: StorageError(.full, "the disk is full"))
        let reading = try await resource.read()
        #expect(reading.value == 2 && reading.source == .network && reading.failure == nil)
        guard case .notKept(let error)? = reading.warnings.first else {
            Issue.record("no warning: \(reading.warnings)")
            return
        }
        #expect(reading.warnings.count == 1 && error.kind == .full)
        #expect(try resource.peek()?.value == 1)
    }

    @Test func `a value that does not encode comes back with a warning`() async throws {
        let larder = Larder.inMemory(environment: world.environment)
        let resource = larder.common.resource("k") { Double.nan }
        let reading = try await resource.read()
        #expect(reading.value.isNaN)
        guard case .notKept? = reading.warnings.first else {
            Issue.record("no warning: \(reading.warnings)")
            return
        }
        #expect(try resource.peek() == nil)
    }
}

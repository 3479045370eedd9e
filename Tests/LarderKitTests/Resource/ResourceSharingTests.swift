import Foundation
import LarderKit
import LarderTestKit
import Testing

/// Handles, readers and partitions: what they share, and what they never do.
@Suite(.timeLimit(.minutes(5)))
struct ResourceSharingTests {
    private let world = TestWorld()

    private func larder() throws -> Larder { .inMemory(environment: world.environment) }

    private func resource(
        _ partition: Partition, _ origin: ScriptedFetch<Void, Int>, options: ResourceOptions = .init(),
        codec: Codec<Int> = .json
    ) -> Resource<Int> {
        partition.resource("k", maxAge: .seconds(60), options: options, codec: codec) { try await origin() }
    }

    @Test func `ten readers of two handles make one request`() async throws {
        let larder = try larder()
        let gate = Gate()
        let origin = ScriptedFetch<Void, Int>(.gated(gate, 1))
        let handles = [resource(larder.common, origin), resource(larder.partition(""), origin)]
        let readers = (0..<10).map { number in Task { try await handles[number % 2].read() } }
        await gate.reached()
        gate.open()
        for reader in readers { #expect(try await reader.value.value == 1) }
        #expect(try handles[1].peek()?.value == 1)
        try origin.verify()
    }

    @Test func `partitions see nothing of each other, stored or under way`() async throws {
        let larder = try larder()
        let gate = Gate()
        let names = ["", "ann", "Ann", "bob", "a/nn", "\u{E9}", "e\u{301}"]
        let origins = names.indices.map { ScriptedFetch<Void, Int>(.gated(gate, $0)) }
        let resources = zip(names, origins).map { resource(larder.partition($0), $1) }
        let readers = resources.map { resource in Task { try await resource.read() } }
        await gate.reached(times: names.count)
        gate.open()
        for (number, reader) in readers.enumerated() { #expect(try await reader.value.value == number) }
        for (number, resource) in resources.enumerated() { #expect(try resource.peek()?.value == number) }
        try await resources[0].remove()
        for (number, resource) in resources.enumerated().dropFirst() { #expect(try resource.peek()?.value == number) }
    }

    @Test func `handles that keep a value in different places do not take each other's request for their own`()
        async throws
    {
        let larder = try larder()
        let gate = Gate()
        let places: [ResourceOptions.Storage] = [
            .database, .files, .memory, .store(MemoryStore()), .store(MemoryStore()), .store(FailingStore()),
        ]
        let origin = ScriptedFetch<Void, Int>(places.map { _ in .gated(gate, 1) })
        let resources = places.map { resource(larder.common, origin, options: .init(storage: $0)) }
        let readers = resources.map { resource in Task { try await resource.read() } }
        await gate.reached(times: places.count)
        gate.open()
        for reader in readers { _ = try await reader.value }
        for resource in resources { #expect(try resource.peek()?.value == 1) }
    }

    @Test func `handles of different codecs do not share a request`() async throws {
        let larder = try larder()
        let gate = Gate()
        let origin = ScriptedFetch<Void, Int>(.gated(gate, 1), .gated(gate, 1))
        let readers = [Codec<Int>.json, .propertyList].map { codec in
            Task { try await resource(larder.common, origin, codec: codec).read() }
        }
        await gate.reached(times: 2)
        gate.open()
        for reader in readers { #expect(try await reader.value.value == 1) }
    }

    @Test func `a late answer never overwrites one that was asked for later`() async throws {
        let larder = try larder()
        let gate = Gate()
        let store = MemoryStore()
        let slow = ScriptedFetch<Void, Int>(.gated(gate, 1))
        let options = ResourceOptions(storage: .store(store))
        let first = Task { try await resource(larder.common, slow, options: options).read() }
        await gate.reached()
        // Another process, which shares the store and not the flights.
        let other = try self.larder()
        await world.advance(by: .milliseconds(1))
        let later = resource(other.common, ScriptedFetch(.answer(2)), options: options)
        #expect(try await later.read().value == 2)
        gate.open()
        let reading = try await first.value
        #expect(reading.value == 1)
        guard case .superseded? = reading.warnings.first else {
            Issue.record("no warning: \(reading.warnings)")
            return
        }
        #expect(try later.peek()?.value == 2)
    }

    @Test(arguments: [ResourceOptions.Storage.database, .files, .memory])
    func `an answer that was asked for before a removal does not bring the value back`(
        storage: ResourceOptions.Storage
    ) async throws {
        let larder = try larder()
        let gate = Gate()
        let origin = ScriptedFetch<Void, Int>(.answer(1), .gated(gate, 2), .answer(3))
        let resource = larder.common.resource("k", options: .init(storage: storage)) { try await origin() }
        _ = try await resource.read()
        let early = Task { try await resource.read() }
        await gate.reached()
        try await resource.remove()
        // Who asks now asks anew.
        #expect(try await resource.read().value == 3)
        gate.open()
        let reading = try await early.value
        #expect(reading.value == 2)
        guard case .superseded? = reading.warnings.first else {
            Issue.record("no warning: \(reading.warnings)")
            return
        }
        #expect(try resource.peek()?.value == 3)
    }

    @Test func `a removal reaches the requests of every codec for the same place`() async throws {
        let larder = try larder()
        let gate = Gate()
        let one = resource(larder.common, ScriptedFetch(.gated(gate, 1), .answer(3)), codec: .propertyList)
        let other = resource(larder.common, ScriptedFetch(.gated(gate, 2)))
        let elsewhere = resource(larder.common, ScriptedFetch(.gated(gate, 4)), options: .init(storage: .memory))
        let readers = [one, other, elsewhere].map { resource in Task { try await resource.read() } }
        await gate.reached(times: 3)
        try await other.remove()
        #expect(try await one.read().value == 3)
        try await other.remove()
        gate.open()
        #expect(try await readers[0].value.value == 1)
        #expect(try await readers[1].value.value == 2)
        #expect(try await readers[2].value.value == 4)
        #expect(try one.peek() == nil && other.peek() == nil)
        #expect(try elsewhere.peek()?.value == 4)
    }

    @Test func `a cancelled removal says so, and removes nothing`() async throws {
        let larder = try larder()
        let resource = resource(larder.common, ScriptedFetch(.answer(1)))
        _ = try await resource.read()
        let removal = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await expect(.cancelled) { try await resource.remove() }
            await expect(.cancelled) { try await larder.common.remove(item: "1") }
            let error = await #expect(throws: StorageError.self) { try await larder.resources() }
            #expect(error?.explanation.contains("cancelled") == true)
            await #expect(throws: StorageError.self) { try await larder.feeds() }
        }
        await removal.value
        #expect(try resource.peek()?.value == 1)
    }

    @Test func `removed while it is under way, a value stays removed`() async throws {
        let larder = try larder()
        let gate = Gate()
        let origin = ScriptedFetch<Void, Int>(.gated(gate, 1), .answer(2))
        let resource = resource(larder.common, origin)
        let early = Task { try await resource.read() }
        await gate.reached()
        try await resource.remove()
        gate.open()
        #expect(try await early.value.value == 1)
        #expect(try resource.peek() == nil)
        #expect(try await resource.read().value == 2)
        #expect(try resource.peek()?.value == 2)
    }

    @Test func `not modified speaks of what was stored when it was asked, not of what came since`() async throws {
        let store = MemoryStore()
        let gate = Gate()
        let options = ResourceOptions(storage: .store(store))
        let origin = ScriptedFetch<ResourceRequest, RawAnswer>(
            .answer(.number(1, ["ETag": "\"1\""])), .gated(gate, .status(304)))
        let mine = try larder().common.resource("k", decoding: [Int].self, options: options) { try await origin($0) }
        _ = try await mine.read()
        await world.advance(by: .seconds(1))
        let reader = Task { try await mine.read() }
        await gate.reached()
        // Another process stores an answer to a request that started before this one.
        try await store.put(
            StoredEntry(
                body: Data("[2]".utf8),
                metadata: EntryMetadata(
                    codec: CodecID(name: "served"), stamp: store.entry(for: StoreKey(key: "k"))?.metadata.stamp ?? 0,
                    storedAt: world.clock.now(), validators: Validators(etag: "\"2\""))),
            for: StoreKey(key: "k"))
        gate.open()
        let reading = try await reader.value
        #expect(reading.value == [1] && reading.source == .revalidated)
        #expect(try mine.peek()?.value == [1])
        #expect(store.entry(for: StoreKey(key: "k"))?.metadata.validators.etag == "\"1\"")
    }

    // MARK: - Files

    @Test func `network first on files: a document a file, and offline the file`() async throws {
        let folder = try TestFolder()
        let origin = ScriptedFetch<Void, Int>(
            .answer(1), .answer(2), .fail(URLError(.notConnectedToInternet)))
        do {
            let larder = try Larder(.folder(folder.url), environment: world.environment)
            let menu = larder.common.resource(
                "menu", policy: .networkFirst, options: .init(storage: .files)
            ) { try await origin() }
            #expect(try await menu.read().value == 1)
            #expect(try await menu.read().value == 2)
            #expect(folder.contents().filter { $0.hasSuffix(".entry") } == ["files/%/menu.entry"])
            larder.close()
        }
        let larder = try Larder(.folder(folder.url), environment: world.environment)
        let menu = larder.common.resource("menu", policy: .networkFirst, options: .init(storage: .files)) {
            try await origin()
        }
        let reading = try await menu.read()
        #expect(reading.value == 2 && reading.source == .cache && reading.failure?.kind == .offline)
        try origin.verify()
    }

    @Test func `a torn file is fetched anew, and offline reported`() async throws {
        let folder = try TestFolder()
        let larder = try Larder(.folder(folder.url), environment: world.environment)
        let origin = ScriptedFetch<Void, Int>(.answer(1), .fail(.http(status: 503)), .answer(2))
        let menu = larder.common.resource("menu", policy: .networkFirst, options: .init(storage: .files)) {
            try await origin()
        }
        _ = try await menu.read()
        let file = folder.url("files/%/menu.entry")
        try Data(contentsOf: file).dropLast().write(to: file)
        await expect(.storage(.corrupt)) { try await menu.read() }
        let reading = try await menu.read()
        #expect(reading.value == 2 && reading.warnings.isEmpty)
        #expect(try menu.peek()?.value == 2)
    }
}

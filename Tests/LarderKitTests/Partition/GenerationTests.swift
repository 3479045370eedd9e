import Foundation
import LarderSQLite
import LarderTestKit
import Synchronization
import Testing

@testable import LarderKit

/// Signing out in one process, as another on the same cache meets it.
@Suite(.timeLimit(.minutes(5)))
struct GenerationTests {
    private static let places = [ResourceOptions.Storage.database, .files, .memory]

    private let folder: TestFolder
    private let world = TestWorld()
    /// Each has its own connections, flights and memory, as in a process of its own.
    private let here: LarderCore
    private let there: LarderCore

    init() throws {
        folder = try TestFolder()
        here = try LarderCore(folder: folder.url, environment: world.environment)
        there = try LarderCore(folder: folder.url, environment: world.environment)
    }

    private func resource(
        _ partition: Partition, _ storage: ResourceOptions.Storage = .database, _ value: String = "old"
    ) -> Resource<String> {
        partition.resource("k", maxAge: .seconds(60), options: .init(storage: storage)) { value }
    }

    private func me(_ core: LarderCore) -> Partition { Partition(core: core, name: "me") }

    private func fill(_ partition: Partition) async throws {
        for storage in Self.places { _ = try await resource(partition, storage).read() }
    }

    @Test func `a new handle here sees nothing of who signed out there`() async throws {
        try await fill(me(here))
        try await me(there).signOut()
        let new = me(here)
        for storage in Self.places { #expect(try resource(new, storage).peek() == nil, "\(storage.identity)") }
        for storage in Self.places { #expect(try await resource(new, storage, "new").read().value == "new") }
    }

    @Test(arguments: places)
    func `what an old handle here asks for is not stored, and it learns of the end`(
        storage: ResourceOptions.Storage
    ) async throws {
        let old = me(here)
        try await fill(old)
        try await me(there).signOut()
        await expect(.signedOut) { try await resource(old, storage).read(.networkOnly) }
        await expect(.signedOut) { try resource(old, storage).peek() }
        #expect(try resource(me(there), storage).peek() == nil)
    }

    @Test func `an answer that was under way when it was signed out there is stored nowhere`() async throws {
        for storage in Self.places {
            let gate = Gate()
            let slow = me(here).resource("k", options: .init(storage: storage)) {
                try await gate.wait()
                return "old"
            }
            let reader = Task { try await slow.read() }
            await gate.reached()
            try await me(there).signOut()
            gate.open()
            await expect(.signedOut) { try await reader.value }
            #expect(try resource(me(here), storage).peek() == nil)
            #expect(try resource(me(there), storage).peek() == nil)
        }
    }

    @Test func `once an old handle here has learned of it, a new one works`() async throws {
        let old = me(here)
        try await fill(old)
        try await me(there).signOut()
        await expect(.signedOut) { try await resource(old).read(.networkOnly) }
        for storage in Self.places {
            #expect(try await resource(me(here), storage, "new").read().value == "new")
            #expect(try resource(me(here), storage).peek()?.value == "new")
        }
        try await old.signOut()
        for storage in Self.places { #expect(try resource(me(here), storage).peek()?.value == "new") }
    }

    @Test func `an old handle here that learns of it late disturbs nothing of a new one`() async throws {
        let old = me(here)
        try await fill(old)
        try await me(there).signOut()
        let gate = Gate()
        let new = me(here)
        for storage in Self.places { _ = try await resource(new, storage, "new").read() }
        let slow = new.resource("slow") {
            try await gate.wait()
            return "new"
        }
        let reader = Task { try await slow.read() }
        await gate.reached()
        await expect(.signedOut) { try await resource(old).read(.networkOnly) }
        await expect(.signedOut) { try await resource(old).store("old") }
        try await old.signOut()
        gate.open()
        #expect(try await reader.value.value == "new")
        for storage in Self.places { #expect(try resource(new, storage).peek()?.value == "new") }
    }

    @Test func `an old handle here shows neither what was there before nor what came after`() async throws {
        let old = me(here)
        try await fill(old)
        let feed: Feed<SimulatedFeedServer.Item> = old.feed("f", paging: .byID()) { _ in Page([.init("1")]) }
        _ = try await feed.page()
        try await me(there).signOut()
        for storage in Self.places { _ = try await resource(me(there), storage, "new").read() }
        let new: Feed<SimulatedFeedServer.Item> = me(there).feed("f", paging: .byID()) { _ in Page([.init("2")]) }
        _ = try await new.page()
        await expect(.signedOut) { try feed.peek() }
        await expect(.signedOut) { try feed.timeline() }
        for storage in Self.places {
            await expect(.signedOut) { try resource(old, storage).peek() }
            await expect(.signedOut) { try await resource(old, storage).read() }
            await expect(.signedOut) { try await resource(old, storage).read(.cacheOnly) }
        }
    }

    @Test func `signing out here after it was done there leaves who signed in since alone`() async throws {
        let old = me(here)
        try await fill(old)
        try await me(there).signOut()
        try await fill(me(there))
        try await old.signOut()
        for storage in Self.places { #expect(try resource(me(there), storage).peek()?.value == "old") }
    }

    /// Remembers in which generation it was emptied.
    private final class WatchedStore: Store {
        private let inner = MemoryStore()
        private let generation: @Sendable () -> Int64?
        private let seen = Mutex<[Int64?]>([])

        init(generation: @escaping @Sendable () -> Int64?) { self.generation = generation }

        var generations: [Int64?] { seen.withLock { $0 } }

        func entry(for key: StoreKey) -> StoredEntry? { inner.entry(for: key) }
        func put(_ entry: StoredEntry, for key: StoreKey) async throws(StorageError) -> Bool {
            try await inner.put(entry, for: key)
        }
        func remove(_ key: StoreKey) async { await inner.remove(key) }
        func summaries() async -> [EntrySummary] { await inner.summaries() }
        func removeAll(in partition: String) async {
            let generation = generation()
            seen.withLock { $0.append(generation) }
            await inner.removeAll(in: partition)
        }
    }

    @Test func `a process that dies while it signs out leaves no file to who comes next`() async throws {
        let store = WatchedStore { [here] in
            try? here.database.withReader { db in try PartitionTable.generation(of: "me", in: db) }
        }
        let me = me(here)
        _ = try await resource(me, .store(store)).read()
        try await me.signOut()
        // Once in time, and once for what was stored meanwhile.
        #expect(store.generations == [0, 1])
    }
}

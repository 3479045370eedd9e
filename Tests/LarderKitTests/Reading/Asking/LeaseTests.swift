import Foundation
import LarderSQLite
import LarderTestKit
import Synchronization
import Testing

@testable import LarderKit

/// What other processes on the cache are believed to ask for, by the rows that they have left.
@Suite(.timeLimit(.minutes(5)))
struct LeaseTests {
    private static let now: Int64 = 1_768_478_400_000
    private static let place = LeasePlace.resource(StoreKey(partition: "p", key: "k"))

    private let folder: TestFolder
    private let world = TestWorld()
    private let larder: Larder

    init() throws {
        folder = try TestFolder()
        larder = try Larder(.folder(folder.url), environment: world.environment)
    }

    /// A process that does nothing until it is killed. Waited for by its number, without a run loop: when that has ended, nobody
    /// is there any more.
    private final class OtherProcess: Sendable {
        let id: pid_t
        private let isDead = Atomic(false)

        init() throws {
            var child = pid_t()
            let words: [UnsafeMutablePointer<CChar>?] = ["sleep", "600"].map { (word: String) in strdup(word) }
            defer { for word in words { free(word) } }
            let result = posix_spawn(&child, "/bin/sleep", nil, nil, words + [nil], nil)
            try #require(result == 0)
            id = child
        }

        func die() {
            guard !isDead.exchange(true, ordering: .acquiringAndReleasing) else { return }
            kill(id, SIGKILL)
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
        }

        deinit { die() }
    }

    private func leave(
        _ place: LeasePlace = place, holder: String, stamp: Int64 = 7, expires: Int64 = now + 60_000
    ) async throws {
        let (partition, kind, name) = (place.key.partition, place.kind, place.key.key)
        try await larder.write { db in
            try db.execute(
                """
                INSERT OR REPLACE INTO larder_lease (partition, kind, name, holder, stamp, expires)
                VALUES (\(partition), \(kind), \(name), \(holder), \(stamp), \(expires))
                """)
        }
    }

    private func take(_ place: LeasePlace = place, stamp: Int64 = 9, now: Int64 = now) async throws -> Int64? {
        try await larder.write { db in
            try LeaseTable.take(place, stamp: stamp, now: now, expires: now + 60_000, in: db)
        }
    }

    private func rows() throws -> [String] {
        try larder.read { db in
            try db.query("SELECT kind || ' ' || name || ' ' || stamp FROM larder_lease ORDER BY 1") { try $0.text(0) }
        }
    }

    @Test func `what another process asks for is left to it, as long as it lives`() async throws {
        let other = try OtherProcess()
        try await leave(holder: "\(other.id) 1")
        #expect(try await take() == 7)
        other.die()
        #expect(try await take() == nil)
        #expect(try rows() == ["resource k 9"])
    }

    @Test(arguments: ["", " ", "x", "0 1", "-1 1", "99999999999 1", "1.5 1", "\(Int32.max) 1"])
    func `a holder that is nobody holds nothing`(holder: String) async throws {
        try await leave(holder: holder)
        #expect(try await take() == nil)
    }

    @Test(arguments: [
        (1, true), (60_000, true), (600_000, true), (0, false), (-1, false), (600_001, false),
        (Int64.max - now, false), (Int64.min + now, false),
    ])
    func `a lease ends in its time, and none is for long`(remaining: Int64, isHeld: Bool) async throws {
        let other = try OtherProcess()
        try await leave(holder: "\(other.id) 1", expires: Self.now &+ remaining)
        #expect(try await take() == (isHeld ? 7 : nil))
    }

    @Test func `a clock that is set back or ahead ends what was taken before`() async throws {
        let other = try OtherProcess()
        for wall in [Self.now - 172_800_000, Self.now + 31_536_000_000] {
            try await leave(holder: "\(other.id) 1")
            #expect(try await take(now: wall) == nil)
        }
    }

    @Test(arguments: [Int64.max, Int64.max / 2, -1, Int64.min])
    func `however long a request may take, its lease is no longer than any`(length: Int64) async throws {
        try await larder.write { db in
            _ = try LeaseTable.take(
                Self.place, stamp: 9, now: Self.now, expires: length, in: db)
        }
        let expires = try larder.read { db in try db.first("SELECT expires FROM larder_lease") { try $0.int64(0) } }
        #expect(try #require(expires) <= Self.now + 600_000)
    }

    @Test func `other things are not waited for`() async throws {
        let other = try OtherProcess()
        try await leave(holder: "\(other.id) 1")
        for (partition, key) in [("p", "K"), ("p", "k2"), ("P", "k"), ("", "k"), ("k", "p")] {
            #expect(try await take(.resource(StoreKey(partition: partition, key: key))) == nil)
        }
        #expect(try await take(.feed(StoreKey(partition: "p", key: "k"))) == nil)
        #expect(try await take() == 7)
    }

    @Test func `this process does not wait for itself, and gives back what is its own`() async throws {
        #expect(try await take(stamp: 1) == nil)
        #expect(try await take(stamp: 2) == nil)
        try await larder.write { db in try LeaseTable.release(Self.place, stamp: 1, in: db) }
        #expect(try rows() == ["resource k 2"])
        try await larder.write { db in try LeaseTable.release(Self.place, stamp: 2, in: db) }
        #expect(try rows() == [])
        let other = try OtherProcess()
        try await leave(holder: "\(other.id) 1", stamp: 7)
        try await larder.write { db in try LeaseTable.release(Self.place, stamp: 7, in: db) }
        #expect(try rows() == ["resource k 7"])
    }

    // MARK: Through reads

    /// As another process does: stores what it asked for, and gives its lease back.
    private func bring(_ value: String, stamp: Int64, holder: String) async throws {
        let metadata = EntryMetadata(
            codec: CodecID(name: "json"), stamp: stamp, storedAt: world.clock.now(), lifetime: nil)
        let entry = StoredEntry(body: Data(value.utf8), metadata: metadata)
        try await larder.core.sqliteStore.put(entry, for: Self.place.key)
        try await larder.write { db in try db.execute("DELETE FROM larder_lease WHERE holder = \(holder)") }
    }

    /// Returns when somebody sleeps until the lease is looked at again.
    private func waiting() async { await world.clock.sleepers(atLeast: 1) }

    @Test func `what another process brings is given, and nothing is asked`() async throws {
        let other = try OtherProcess()
        try await leave(holder: "\(other.id) 1")
        let origin = ScriptedFetch<Void, Int>()
        let reader = Task { try await larder.partition("p").resource("k") { try await origin() }.read() }
        await waiting()
        try await bring("5", stamp: 8, holder: "\(other.id) 1")
        await world.advance(by: .milliseconds(50))
        let reading = try await reader.value
        #expect(reading.value == 5 && !reading.isStale)
        try origin.verify()
        #expect(try rows() == [])
    }

    @Test func `another process that dies, or brings nothing, is not waited for any longer`() async throws {
        for dies in [true, false] {
            let other = try OtherProcess()
            try await leave(holder: "\(other.id) 1")
            let reader = Task { try await larder.partition("p").resource("k") { 3 }.read() }
            await waiting()
            if dies {
                other.die()
            } else {
                try await larder.write { db in try db.execute("DELETE FROM larder_lease") }
            }
            await world.advance(by: .milliseconds(50))
            #expect(try await reader.value.value == 3)
            // What a dead process has left goes with the next request.
            _ = try await larder.partition("p").resource("k") { 3 }.read(.networkOnly)
            #expect(try rows() == [])
        }
    }

    @Test func `what another process brings in another shape is asked for again`() async throws {
        let other = try OtherProcess()
        try await leave(holder: "\(other.id) 1")
        let reader = Task { try await larder.partition("p").resource("k") { 3 }.read() }
        await waiting()
        try await bring("\"of another version\"", stamp: 8, holder: "\(other.id) 1")
        await world.advance(by: .milliseconds(50))
        #expect(try await reader.value.value == 3)
    }

    @Test func `patience does not wait for another process either`() async throws {
        let other = try OtherProcess()
        let resource = larder.partition("p").resource("k") { 3 }
        _ = try await resource.read()
        try await leave(holder: "\(other.id) 1", stamp: .max)
        let reader = Task { try await resource.read() }
        await world.clock.sleepers(atLeast: 2)
        await world.advance(by: .seconds(3))
        #expect(try await reader.value.reason == .patienceRanOut)
        other.die()
        await world.advance(by: .milliseconds(50))
        await larder.settle()
    }

    @Test func `who waits for another process can be cancelled, and waits for it no longer`() async throws {
        let other = try OtherProcess()
        try await leave(holder: "\(other.id) 1")
        let reader = Task { try await larder.partition("p").resource("k") { 3 }.read() }
        await waiting()
        reader.cancel()
        await expect(.cancelled) { try await reader.value }
        await larder.settle()
        #expect(try rows() == ["resource k 7"])
    }

    @Test(arguments: [FetchFailure.http(status: 500), .http(status: 404), FetchFailure(.offline, "")])
    func `a request that fails gives its lease back, a cancelled one too`(failure: FetchFailure) async throws {
        let failing = larder.partition("p").resource("k") { () async throws -> Int in throw failure }
        await #expect(throws: LarderError.self) { try await failing.read() }
        #expect(try rows() == [])
        let gate = Gate()
        let feed: Feed<SimulatedFeedServer.Item> = larder.partition("p").feed("f", paging: .byID()) { _ in
            try await gate.wait()
            return Page([])
        }
        let reader = Task { try await feed.page() }
        await gate.reached()
        #expect(try rows().count == 1)
        reader.cancel()
        await expect(.cancelled) { try await reader.value }
        await larder.settle()
        #expect(try rows() == [])
    }

    @Test func `a file and the memory: what is not shared is not waited for`() async throws {
        let other = try OtherProcess()
        try await leave(holder: "\(other.id) 1")
        let memory = larder.partition("p").resource("k", options: .init(storage: .memory)) { 3 }
        #expect(try await memory.read().value == 3)
    }
}

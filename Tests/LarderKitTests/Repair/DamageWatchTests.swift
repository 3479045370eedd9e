import Dispatch
import Foundation
import LarderSQLite
import LarderTestKit
import Synchronization
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(5))) struct DamageWatchTests {
    private let events = EventList()

    private func open(_ cache: DamagedCache, _ damage: DamageResponse = .repair) throws -> Larder {
        var environment = cache.world.environment
        environment.log = ClosureLog { [events] event in events.add(event) }
        return try Larder(.folder(cache.folder), options: LarderOptions(damage: damage), environment: environment)
    }

    @Test func damageThatIsMetIsRepairedInTheBackground() async throws {
        let cache = try await DamagedCache()
        try cache.overwrite(page: try cache.leaves(of: "larder_entry")[2])
        let larder = try open(cache)
        let before = cache.readAll(larder)
        #expect(before.errors > 0)
        await larder.core.damage.settle()
        let after = cache.readAll(larder)
        #expect(after.errors == 0 && after.values > 90)
        #expect(events.repairs.count == 1)
        #expect(try cache.verify().isSound)
        larder.close()
    }

    @Test func damagedItemIsMetAsWell() async throws {
        let cache = try await DamagedCache()
        try cache.run("UPDATE larder_feed_item SET body = x'7B7D' WHERE rowid = 250")
        let larder = try open(cache)
        #expect(cache.readAll(larder).errors == 1)
        await larder.core.damage.settle()
        #expect(cache.readAll(larder) == Served(values: 124, items: 599, gaps: 1, errors: 0))
        larder.close()
    }

    @Test func damageIsOnlyReportedWhereTheAppSaysSo() async throws {
        let cache = try await DamagedCache()
        try cache.overwrite(page: try cache.leaves(of: "larder_entry")[2])
        let larder = try open(cache, .refuse)
        #expect(cache.readAll(larder).errors > 0)
        await larder.core.damage.settle()
        #expect(cache.readAll(larder).errors > 0)
        #expect(events.repairs.isEmpty)
        larder.close()
    }

    @Test func fileThatCannotBeOpenedIsRepairedFirst() async throws {
        let cache = try await DamagedCache()
        try cache.change(cache.files.database) { $0 = $0.prefix($0.count - 20_000) }
        let larder = try open(cache)
        let served = cache.readAll(larder)
        #expect(served.errors == 0 && served.values > 40)
        #expect(events.repairs.count == 1)
        larder.close()
    }

    @Test func cacheThatWasNotClosedIsLookedAt() async throws {
        let cache = try await DamagedCache()
        let first = try cache.open()
        try await cache.resource(5, in: first).store(DamagedCache.body(5))
        let log = try Data(contentsOf: cache.files.log)
        first.close()
        // Of none of the rows that are in the log.
        try cache.overwrite(page: try #require(try cache.leaves(of: "larder_entry").dropLast(8).last))
        try log.write(to: cache.files.log)
        let larder = try open(cache)
        await larder.core.damage.settle()
        await larder.core.damage.settle()
        #expect(events.repairs.count == 1)
        #expect(cache.readAll(larder).errors == 0)
        larder.close()
    }

    @Test func errorsOfAnAppsOwnSQLStartNothing() async throws {
        let cache = try await DamagedCache()
        // Found by nobody but a repair.
        try cache.run("UPDATE larder_feed_item SET body = x'7B7D' WHERE rowid = 250")
        let larder = try open(cache)
        #expect(throws: SQLiteError.self) { try larder.read { db in try db.first("SELECT 'a'") { try $0.int64(0) } } }
        #expect(throws: StorageError.self) { try larder.read { _ in throw StorageError(.corrupt, "another cache") } }
        let error = await #expect(throws: SQLiteError.self) {
            try await larder.write { db in try db.first("SELECT 'a'") { try $0.int64(0) } }
        }
        #expect(error?.code.primary == .mismatch)
        await larder.core.damage.settle()
        #expect(events.repairs.isEmpty)
        larder.close()
    }

    @Test func suspendedLarderIsRepairedAfterwards() async throws {
        let cache = try await DamagedCache()
        try cache.overwrite(page: try cache.leaves(of: "larder_entry")[2])
        let larder = try open(cache)
        await larder.suspend()
        #expect(cache.readAll(larder).errors > 0)
        await larder.core.damage.settle()
        #expect(events.repairs.isEmpty)
        larder.resume()
        await larder.core.damage.settle()
        #expect(events.repairs.count == 1)
        #expect(cache.readAll(larder).errors == 0)
        larder.close()
    }

    @Test func repairUnderWayEndsWithASuspensionAndBeginsAnew() async throws {
        let cache = try await DamagedCache()
        try cache.overwrite(page: try cache.leaves(of: "larder_entry")[2])
        let larder = try open(cache)
        // A repair waits for those of other processes.
        let lock = Gate()
        let holder = Task { [folder = cache.folder] in
            try await OwnThread.run { _ in
                try FolderLock.hold(folder, file: "repair.lock") { () throws(StorageError) in lock.waitBlocking() }
            }
        }
        await lock.reached()
        #expect(cache.readAll(larder).errors > 0)
        await larder.suspend()
        lock.open()
        try await holder.value
        await larder.core.damage.settle()
        #expect(events.repairs.isEmpty)
        larder.resume()
        await larder.core.damage.settle()
        #expect(events.repairs.count == 1)
        larder.close()
    }

    @Test func clockThatIsSetBackKeepsNothingFromBeingRepaired() async throws {
        let cache = try await DamagedCache()
        let larder = try open(cache)
        larder.core.damage.noticed()
        await larder.core.damage.settle()
        cache.world.clock.set(wall: cache.world.clock.now() - 86_400)
        try cache.run("UPDATE larder_feed_item SET body = x'7B7D' WHERE rowid = 250")
        larder.core.damage.noticed()
        await larder.core.damage.settle()
        #expect(events.repairs.count == 1)
        larder.close()
    }

    @Test func whoFollowsLooksAgain() async throws {
        let cache = try await DamagedCache()
        try cache.overwrite(page: try cache.leaves(of: "larder_entry")[2])
        let larder = try open(cache)
        let follower = larder.core.changes.follow(.resource(StoreKey(key: "value 0")))
        _ = cache.readAll(larder)
        await larder.core.damage.settle()
        #expect(await follower.changed())
        larder.close()
    }
}

/// Holds a thread up until it is opened: not one of the few that run all tasks, or all tests may wait for each other.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let isReached = AsyncStream.makeStream(of: Void.self)

    func waitBlocking() {
        isReached.continuation.finish()
        semaphore.wait()
    }

    func reached() async { for await _ in isReached.stream {} }

    func open() { semaphore.signal() }
}

private final class EventList: Sendable {
    private let events = Mutex<[LarderEvent]>([])

    func add(_ event: LarderEvent) { events.withLock { $0.append(event) } }

    var repairs: [LarderEvent] {
        events.withLock { events in
            events.filter { event in if case .repaired = event { true } else { false } }
        }
    }
}

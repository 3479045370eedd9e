import Dispatch
import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(5))) struct TidyTests {
    private func makeOld(_ url: URL) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: url.path)
    }

    @Test func `files that no value has go once they are old enough, and those of values stay`() async throws {
        let world = try BudgetWorld(nil)
        try await world.store("a", 100_000)
        let blobs = try #require(world.core.sqliteStore.blobs)
        let (orphan, fresh) = (try blobs.writeNow(Data(count: 500)), try blobs.writeNow(Data(count: 600)))
        for name in try world.larder.read({ db in
            try db.query("SELECT blob FROM larder_entry") { try $0.text(0) }
        }) + [orphan] { try makeOld(blobs.folder.appendingPathComponent(name)) }
        let unfinished = world.folder.url("files/%/.writing-1")
        try FileManager.default.createDirectory(
            at: unfinished.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: unfinished)
        try makeOld(unfinished)

        let report = try await world.larder.tidy()
        #expect(report.orphanedFiles == 1 && report.orphanedBytes == 500 && report.unfinishedFiles == 1)
        #expect(!blobs.holds(orphan) && blobs.holds(fresh))
        #expect(try world.value("a").peek()?.value.count == 100_000)
        #expect(try await world.larder.tidy().orphanedFiles == 0)
    }

    @Test func `what cannot be trimmed is told, and what nobody has goes all the same`() async throws {
        let (folder, disk) = (try TestFolder(), FaultyDisk())
        func open(_ budget: Int?) throws -> Larder {
            try Larder(
                .folder(folder.url), options: LarderOptions(budget: StorageBudget(bytes: budget)),
                environment: TestWorld(disk: disk).environment)
        }
        var larder = try open(nil)
        for number in 0..<10 {
            let value = larder.common.bytes("\(number)") { _ in throw FetchFailure(.offline, "nobody is asked") }
            try await value.store(Data(count: 100_000))
        }
        larder.close()
        larder = try open(600_000)
        defer { larder.close() }
        let blobs = try #require(larder.core.sqliteStore.blobs)
        let orphan = try blobs.writeNow(Data(count: 500))
        try makeOld(blobs.folder.appendingPathComponent(orphan))

        disk.fail(of: [.write], with: .full, .fromThenOn)
        let error = await #expect(throws: StorageError.self) { try await larder.tidy() }
        #expect(error?.kind == .full)
        #expect(!blobs.holds(orphan))
        disk.heal()
        let report = try await larder.tidy()
        #expect(!report.trimmed.isEmpty && report.usage.total <= 600_000)
    }

    @Test func `a value whose file was swept before its row was committed is refused`() async throws {
        let world = try BudgetWorld(nil)
        let store = world.core.sqliteStore
        let entry = StoredEntry(
            body: Data(count: 100_000), metadata: EntryMetadata(codec: .served, storedAt: Date()))
        // The writer is held, so that the file lies there without its row, as that of a process that is suspended.
        let (gate, isHeld) = (Gate(), Gate())
        let blocker = Task.detached {
            try await world.larder.write { _ in
                isHeld.open()
                let semaphore = DispatchSemaphore(value: 0)
                Task.detached {
                    try? await gate.wait()
                    semaphore.signal()
                }
                semaphore.wait()
            }
        }
        try await isHeld.wait()
        let put = Task.detached { try await store.put(entry, for: StoreKey(key: "late")) }
        while store.blobs?.settled(now: Date(timeIntervalSinceNow: 3600)).isEmpty != false { await Task.yield() }
        let blobs = try #require(store.blobs)
        let file = try #require(blobs.settled(now: Date(timeIntervalSinceNow: 3600)).first)
        store.blobs?.remove([file.name])
        gate.open()
        try await blocker.value
        await #expect(throws: StorageError.self) { try await put.value }
        #expect(try store.entry(for: StoreKey(key: "late")) == nil)
    }

    @Test func `space is given back to the file system in steps`() async throws {
        let world = try BudgetWorld(nil)
        for number in 1...100 { try await world.store("k\(number)", 50_000) }
        let before = try world.larder.usage()
        for number in 1...90 { try await world.value("k\(number)").remove() }
        #expect(try world.larder.usage().free > 3_000_000)
        let report = try await world.larder.tidy()
        #expect(report.bytesGivenBack > 3_000_000)
        let after = try world.larder.usage()
        #expect(after.free == 0 && after == report.usage && after.database < before.database / 4)
        #expect(try world.value("k95").peek()?.value.count == 50_000)
    }

    @Test func `a file of an early version is made anew where that is asked for`() async throws {
        let world = try BudgetWorld(nil)
        try await world.core.database.withWriter { db in try db.executeScript("PRAGMA auto_vacuum = NONE; VACUUM") }
        for number in 1...40 { try await world.store("k\(number)", 50_000) }
        for number in 1...39 { try await world.value("k\(number)").remove() }
        #expect(try await world.larder.tidy().bytesGivenBack == 0)
        #expect(try await world.larder.tidy(isThorough: true).bytesGivenBack > 1_000_000)
        #expect(try world.larder.read { db in try StaleRecords.isVacuumed(db) })
        #expect(try world.value("k40").peek()?.value.count == 50_000)
    }

    @Test func `records that mean nothing any more go, and those that do stay`() async throws {
        let world = try BudgetWorld(nil)
        let now = world.world.clock.now().millisecondsSince1970
        let (old, new) = ((now - 90_000_000) * 1000, now * 1000)
        try await world.larder.write { db in
            for (name, stamp) in [("old", old), ("new", new)] {
                try db.execute("INSERT INTO larder_fence VALUES ('', 'key', \(name), \(stamp))")
                try db.execute("INSERT INTO larder_gone VALUES ('', \(stamp), \(name))")
                try db.execute(
                    "INSERT INTO larder_lease VALUES ('', 'feed', \(name), '1 1', 1, \(stamp / 1000 + 60_000))")
            }
        }
        #expect(try await world.larder.tidy().staleRecords == 3)
        for table in ["fence", "gone", "lease"] {
            let count = try world.larder.read { db in
                try db.withStatement("SELECT count(*) FROM larder_\(table)") {
                    _ = try $0.step(); return try $0.row.int(0)
                }
            }
            #expect(count == 1, "\(table)")
        }
    }

    @Test func `an older cache is tidied some time after it was opened, and a new one is not`() async throws {
        let folder = try TestFolder()
        let world = TestWorld()
        let options = LarderOptions(budget: StorageBudget(bytes: nil, unusedFor: .seconds(3600)))
        let first = try Larder(.folder(folder.url), options: options, environment: world.environment)
        #expect(!first.core.idleAlarm.isSet)
        try await first.common.resource("k", fetch: { 1 }).store(7)
        first.close()
        await world.advance(by: .seconds(7200))
        let second = try Larder(.folder(folder.url), options: options, environment: world.environment)
        #expect(second.core.idleAlarm.isSet)
        var iterator = second.common.resource("k", fetch: { 1 }).updates(refresh: .never).makeAsyncIterator()
        #expect(await iterator.next(isolation: nil)?.value == 7)
        // Looked at, it counts as used; that is undone, so that it goes.
        _ = second.core.marks.takeAll()
        await world.clock.sleepers(atLeast: 1)
        await world.advance(by: IdleAlarm.delay)
        #expect(await iterator.next(isolation: nil)?.value == nil)
    }
}

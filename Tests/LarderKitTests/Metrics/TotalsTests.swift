import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// What all processes have counted, in the cache file.
@Suite(.timeLimit(.minutes(5))) struct TotalsTests {
    private let folder: TestFolder
    private let world = TestWorld()

    init() throws { folder = try TestFolder() }

    private func open() throws -> Larder { try Larder(.folder(folder.url), environment: world.environment) }

    /// As of a process that has gone: what is in the file, and not in anyone's memory.
    private func saved() throws -> Metrics {
        let database = try Database(.file(folder.url.appendingPathComponent("cache.sqlite").path))
        defer { database.close() }
        return try database.read { db in try CounterTable.totals(in: db) }
    }

    @Test func `what is counted in one run is there in the next`() async throws {
        let first = try open()
        let resource = first.common.resource("k", maxAge: .seconds(60)) { 1 }
        _ = try await resource.read()
        _ = try await resource.read()
        #expect(first.metrics.hits == 1 && first.metrics.fetched == 1)
        first.close()
        let second = try open()
        #expect(second.metrics.isEmpty)
        _ = try await second.common.resource("k", maxAge: .seconds(60)) { 2 }.read()
        let totals = try await second.totals()
        #expect(totals.hits == 2 && totals.fetched == 1 && totals.requests == 1)
    }

    @Test func `counts are saved along with values, and not with each of them`() async throws {
        let larder = try open()
        let storages: [ResourceOptions.Storage] = [.database, .files]
        for storage in storages {
            let resource = larder.common.resource("k", options: .init(storage: storage)) { 1 }
            await world.advance(by: CounterSaving.interval)
            _ = try await resource.read()
            let requests = try saved().requests
            #expect(requests == larder.metrics.requests, "\(storage)")
            _ = try await resource.read()
            #expect(try saved().requests == requests, "the next ones come later")
        }
        await world.advance(by: CounterSaving.interval)
        _ = try await larder.common.feed("f", id: \.self, paging: .byID) { _ in Page(["1"]) }.page()
        #expect(try saved().requests == 5)
    }

    @Test func `to settle saves what is left`() async throws {
        let larder = try open()
        let resource = larder.common.resource("k", maxAge: .seconds(60)) { 1 }
        for _ in 0..<3 { _ = try await resource.read() }
        await larder.settle()
        #expect(try saved().hits == 2)
    }

    @Test func `what could not be saved is saved later`() async throws {
        let larder = try open()
        let resource = larder.common.resource("k", maxAge: .seconds(60)) { 1 }
        _ = try await resource.read()
        _ = try await resource.read()
        try await larder.write { db in try db.executeScript("ALTER TABLE larder_counter RENAME TO away") }
        await larder.settle()
        try await larder.write { db in try db.executeScript("ALTER TABLE away RENAME TO larder_counter") }
        #expect(try await larder.totals().hits == 1)
        #expect(try saved().hits == 1)
    }

    @Test func `closing gives up where another process holds the lock, and may be done twice, and from inside a write`()
        async throws
    {
        let larder = try open()
        _ = try await larder.common.resource("k", maxAge: .seconds(60)) { 1 }.read()
        _ = try await larder.common.resource("k", maxAge: .seconds(60)) { 1 }.read()
        let other = try Database(.file(folder.url.appendingPathComponent("cache.sqlite").path))
        try other.writeSync { _ in
            larder.close()
        }
        larder.close()
        await #expect(throws: StorageError.self) { try await larder.totals() }
        let again = try open()
        _ = try await again.common.resource("k", maxAge: .seconds(60)) { 1 }.read()
        try await again.write { _ in again.close() }
    }

    @Test func `in memory, the totals are those of the process`() async throws {
        let larder = Larder.inMemory(environment: world.environment)
        _ = try await larder.common.resource("k") { 1 }.read()
        #expect(try await larder.totals() == larder.metrics)
    }

    @Test func `damaged counters count as nothing, and sums that do not fit stay as they were`() throws {
        let database = try Database(.memory)
        try database.writeSync { db in
            try db.executeScript(
                """
                CREATE TABLE larder_counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
                INSERT INTO larder_counter VALUES
                    ('hits', 'x'), ('fetched', 9223372036854775807), ('later', 3), ('failure offline', 2), ('late', -4);
                """)
            var metrics = Metrics()
            metrics.fetched = 1
            metrics.requests = 5
            metrics.failures = ["offline": 1, "gone": 1]
            try CounterTable.add(metrics, in: db)
            var expected = Metrics()
            expected.fetched = .max
            expected.requests = 5
            expected.failures = ["offline": 3, "gone": 1]
            #expect(try CounterTable.totals(in: db) == expected)
        }
    }

    @Test func `whoever listens is told of each change`() async throws {
        let larder = try open()
        var updates = larder.metricsUpdates().makeAsyncIterator()
        #expect(await updates.next(isolation: nil)?.isEmpty == true)
        _ = try await larder.common.resource("k") { 1 }.read()
        #expect(await updates.next(isolation: nil)?.fetched == 1)
        larder.close()
        #expect(await updates.next(isolation: nil) == nil)
    }
}

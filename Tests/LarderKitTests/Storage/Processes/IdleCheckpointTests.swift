import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// When nothing is written any more, the log is emptied.
@Suite(.timeLimit(.minutes(5))) struct IdleCheckpointTests {
    private let folder: TestFolder
    private let world = TestWorld()
    private let larder: Larder

    init() throws {
        folder = try TestFolder()
        larder = try Larder(.folder(folder.url), environment: world.environment)
    }

    private var logSize: Int {
        let facts = try? FileManager.default.attributesOfItem(atPath: folder.url("cache.sqlite-wal").path)
        return facts?[.size] as? Int ?? 0
    }

    private func write(_ megabytes: Int) async throws {
        try await larder.write { db in
            try db.executeScript("CREATE TABLE IF NOT EXISTS own (body BLOB)")
            for _ in 0..<megabytes { try db.execute("INSERT INTO own VALUES (zeroblob(1048576))") }
        }
    }

    @Test func `a large log is given back after a rest`() async throws {
        try await write(2)
        #expect(logSize > 2 << 20)
        #expect(larder.core.idleCheckpoint.alarm == .seconds(5))
        await world.advance(by: .seconds(4))
        try await write(1)
        await world.advance(by: .seconds(4))
        #expect(logSize > 3 << 20)
        await world.advance(by: .seconds(1))
        await larder.core.idleCheckpoint.ring(.seconds(9))
        #expect(logSize < 1 << 20)
        #expect(larder.core.idleCheckpoint.alarm == nil)
    }

    @Test func `a small one costs nothing`() async throws {
        try await larder.common.resource("k") { 1 }.store(1)
        #expect(logSize > 0 && larder.core.idleCheckpoint.alarm == nil)
    }

    @Test func `a reader in the way is waited for`() async throws {
        try await write(2)
        let checkpoint = larder.core.idleCheckpoint
        try await larder.core.database.write { _ in }
        let (begun, end) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        let reader = Task { [larder] in
            try await larder.core.database.scan { db in
                _ = try db.first("SELECT count(*) FROM own") { try $0.int(0) }
                begun.continuation.finish()
                end.wait()
            }
        }
        for await _ in begun.stream {}
        await world.clock.sleepers(atLeast: 1)
        await world.advance(by: .seconds(5))
        // It has found the reader when it sleeps again.
        await world.clock.sleepers(atLeast: 1)
        #expect(checkpoint.alarm == .seconds(15) && logSize > 2 << 20)
        end.signal()
        try await reader.value
        await world.advance(by: .seconds(10))
        await checkpoint.ring(.seconds(15))
        #expect(logSize < 1 << 20)
    }

    @Test func `a listener that takes nothing pins no log`() async throws {
        let changes = larder.changes()
        var updates = larder.common.resource("0") { Data() }.updates(refresh: .never).makeAsyncIterator()
        _ = try await updates.next()
        let body = Data(repeating: 0x41, count: 10_000)
        // Beyond what is moved at once, which is 4,000 pages of 8 KB.
        for number in 0..<2000 {
            try await larder.common.resource("\(number % 100)", options: .init()) { Data() }.store(body)
        }
        #expect(logSize < 64 << 20)
        withExtendedLifetime(changes) { larder.close() }
        #expect(logSize == 0)
    }
}

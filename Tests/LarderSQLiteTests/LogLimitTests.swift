import Dispatch
import Foundation
import Synchronization
import Testing

@testable import LarderSQLite

/// The write-ahead log stays small, whoever reads.
@Suite(.timeLimit(.minutes(5))) struct LogLimitTests {
    let scratch: Scratch
    private let news = News()

    init() throws { scratch = try Scratch() }

    private final class News: Sendable {
        let warnings = Mutex<[Int]>([])
    }

    private final class End: Sendable {
        let isReached = Atomic(false)
    }

    /// Limits a hundredth of those of an app.
    ///
    /// - Parameter readersEnd: Whether readers that are waited for do end, sooner or later: then waiting is what counts, and how
    ///   long that takes is the machine's affair.
    private func open(readersEnd: Bool = false) throws -> Database {
        var configuration = Configuration()
        configuration.busyLimit = .milliseconds(20)
        configuration.checkpointThreshold = 40
        configuration.logLimit.soft = 400 << 10
        configuration.logLimit.hard = 2560 << 10
        configuration.logLimit.patience = readersEnd ? .seconds(60) : .milliseconds(2)
        configuration.logLimit.lastPatience = readersEnd ? .seconds(60) : .milliseconds(5)
        configuration.onLog = { [news] item in
            if case .grows(let bytes) = item { news.warnings.withLock { $0.append(bytes) } }
        }
        let database = try Database(.file(scratch.path()), configuration: configuration)
        try database.writeSync { connection in
            try connection.execute("CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
        }
        return database
    }

    private var logSize: Int {
        let facts = try? FileManager.default.attributesOfItem(atPath: scratch.path() + "-wal")
        return facts?[.size] as? Int ?? 0
    }

    private func fill(_ database: Database, _ count: Int) async throws {
        for _ in 0..<count {
            try await database.write { try $0.execute("INSERT INTO note (title) VALUES (hex(zeroblob(5000)))") }
        }
    }

    /// A reader that holds a snapshot until it is told to end.
    private func pin(_ database: Database) async -> @Sendable () async throws -> Void {
        let (begun, end) = (Signal(), DispatchSemaphore(value: 0))
        let reader = Task {
            try await database.scan { connection in
                _ = try connection.first("SELECT count(*) FROM note") { try $0.int(0) }
                begun.open()
                end.wait()
            }
        }
        await begun.wait()
        return {
            end.signal()
            try await reader.value
        }
    }

    @Test func `it is begun anew though readers overlap without end`() async throws {
        let database = try open(readersEnd: true)
        let end = End()
        try await withThrowingTaskGroup { group in
            // Two that hand over to each other: there is no moment without one.
            let hands = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
            hands[0].signal()
            for index in 0..<2 {
                group.addTask {
                    while !end.isReached.load(ordering: .relaxed) {
                        try await database.scan { connection in
                            hands[index].wait()
                            _ = try connection.first("SELECT count(*) FROM note") { try $0.int(0) }
                            // The other one begins before this one ends.
                            hands[1 - index].signal()
                            _ = try connection.first("SELECT count(*) FROM note") { try $0.int(0) }
                        }
                    }
                    hands[1 - index].signal()
                }
            }
            let filling = await Result.catching { try await fill(database, 300) }
            end.isReached.store(true, ordering: .relaxed)
            try filling.get()
            try await group.waitForAll()
        }
        #expect(logSize < 1 << 20)
    }

    @Test func `while a reader pins it, there are warnings, then writes are refused, and soon after it is small`()
        async throws
    {
        let database = try open()
        let unpin = await pin(database)
        let error = await #expect(throws: SQLiteError.self) { try await fill(database, 400) }
        #expect(error?.code == .busy && error?.message.contains("reader") == true)
        let warnings = news.warnings.withLock { $0 }
        #expect(warnings.count >= 3 && zip(warnings, warnings.dropFirst()).allSatisfy { 2 * $0 <= $1 })
        #expect(logSize < 3 << 20)
        // Reads go on.
        #expect(try database.read { try $0.first("SELECT count(*) FROM note") { try $0.int(0) } ?? 0 } > 50)
        await #expect(throws: SQLiteError.self) { try await fill(database, 1) }

        try await unpin()
        try await fill(database, 1)
        #expect(logSize < 100 << 10)
    }

    @Test func `below the limit it is small soon after the reader has ended`() async throws {
        let database = try open()
        let unpin = await pin(database)
        try await fill(database, 80)
        #expect(logSize > 400 << 10)
        try await unpin()
        try await fill(database, 3)
        #expect(logSize < 400 << 10)
    }

    @Test func `of a peak, no more than the limit is kept`() async throws {
        let database = try open()
        try await database.write { connection in
            for _ in 0..<100 { try connection.execute("INSERT INTO note (title) VALUES (hex(zeroblob(5000)))") }
        }
        try await fill(database, 2)
        #expect(logSize <= 400 << 10)
    }

    @Test func `after closing there is none, whoever has read`() async throws {
        let database = try open()
        let unpin = await pin(database)
        _ = database.commitMark
        try await fill(database, 60)
        try await unpin()
        database.close()
        #expect(logSize == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == ["test.sqlite"])
    }

    @Test func `a write that was refused is stored when it is tried again`() async throws {
        let database = try open()
        let unpin = await pin(database)
        await #expect(throws: SQLiteError.self) { try await fill(database, 400) }
        let write = Task { try await fill(database, 1) }
        write.cancel()
        await #expect(throws: (any Error).self) { try await write.value }
        try await unpin()
        let before = try database.titles().count
        try await fill(database, 1)
        #expect(try database.titles().count == before + 1)
    }
}

extension Result where Failure == any Error {
    fileprivate static func catching(_ body: () async throws -> Success) async -> Result {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}

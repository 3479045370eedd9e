import Dispatch
import LarderSQLite
import Testing

/// No lock is held while the database is suspended, and nothing is lost by that.
@Suite(.timeLimit(.minutes(5))) struct Suspending {
    let scratch: Scratch
    let database: Database

    init() throws {
        scratch = try Scratch()
        database = try notes(.file(scratch.path()))
    }

    private func insert(_ title: String) -> Task<Void, any Error> {
        Task { [database] in
            try await database.write { try $0.execute("INSERT INTO note (title) VALUES (\(title))") }
        }
    }

    /// Another connection can take the lock at once.
    private func isFree() throws -> Bool {
        let other = try notes(.file(scratch.path()), busyLimit: .zero)
        return (try? other.writeSync { _ in }) != nil
    }

    @Test func writesWaitForItsEnd() async throws {
        await database.suspend()
        await database.suspend()
        let write = insert("a")
        #expect(try database.titles() == [])
        #expect(try isFree())
        database.resume()
        database.resume()
        try await write.value
        #expect(try database.titles() == ["a"])
    }

    @Test func aWriteUnderWayIsCompletedBefore() async throws {
        let started = Signal()
        let write = Task { [database] in
            try await database.write { connection in
                started.open()
                for _ in 0..<2000 { try connection.execute("INSERT INTO note (title) VALUES ('a')") }
            }
        }
        await started.wait()
        await database.suspend()
        #expect(try database.titles().count == 2000)
        try await write.value
        #expect(try isFree())
    }

    @Test func aWriteThatWaitsCanBeCancelled() async throws {
        await database.suspend()
        let write = insert("a")
        write.cancel()
        await #expect(throws: CancellationError.self) { try await write.value }
        database.resume()
        try await insert("b").value
        #expect(try database.titles() == ["b"])
    }

    @Test func aWriteThatWaitsForAnotherProcessIsNotWaitedFor() async throws {
        let patient = try notes(.file(scratch.path()), busyLimit: .seconds(3600))
        let (locked, release) = (Signal(), DispatchSemaphore(value: 0))
        let holder = Task { [database] in
            try await database.write { _ in
                locked.open()
                release.wait()
            }
        }
        await locked.wait()
        let write = Task { try await patient.write { try $0.execute("INSERT INTO note (title) VALUES ('a')") } }
        // Also where it has not begun to wait yet.
        await patient.suspend()
        release.signal()
        try await holder.value
        #expect(try patient.titles() == [])
        patient.resume()
        try await write.value
        #expect(try patient.titles() == ["a"])
    }

    @Test func aScanIsInterruptedAndBegunAnew() async throws {
        let (started, rounds) = (Signal(), Counter())
        let scan = Task { [database] in
            try await database.scan { connection in
                rounds.add()
                started.open()
                if rounds.value == 1 { try connection.execute(endless) }
                return rounds.value
            }
        }
        await started.wait()
        await database.suspend()
        let other = try notes(.file(scratch.path()), busyLimit: .zero)
        // With a reader in its way this would be busy.
        try await other.checkpoint(.truncate, isPatient: false)
        database.resume()
        #expect(try await scan.value == 2)
    }

    @Test func aScanThatWaitsCanBeCancelled() async throws {
        await database.suspend()
        let scan = Task { [database] in try await database.scan { try $0.execute("SELECT 1") } }
        scan.cancel()
        await #expect(throws: CancellationError.self) { try await scan.value }
    }

    @Test func closingEndsIt() async throws {
        await database.suspend()
        let write = insert("a")
        database.close()
        // It was asked for before or after that.
        let result = await write.result
        await database.suspend()
        let again = try notes(.file(scratch.path()))
        #expect(try again.titles().count == ((try? result.get()) == nil ? 0 : 1))
        #expect(throws: SQLiteError.self) { try database.titles() }
    }

    @Test func manyWhoSuspendAndResumeHangNobody() async throws {
        await withThrowingTaskGroup { group in
            for number in 0..<200 {
                group.addTask { [database] in
                    if number.isMultiple(of: 4) {
                        await database.suspend()
                        database.resume()
                    } else if number.isMultiple(of: 3) {
                        _ = try await database.scan { try $0.query("SELECT title FROM note") { try $0.text(0) } }
                    } else {
                        try await database.write { try $0.execute("INSERT INTO note (title) VALUES ('a')") }
                    }
                }
            }
        }
        database.resume()
        #expect(try database.titles().count == (0..<200).count { !$0.isMultiple(of: 4) && !$0.isMultiple(of: 3) })
    }
}

/// Opened once, awaited by the test: where others would sleep.
struct Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }

    func wait() async { for await _ in stream {} }
}

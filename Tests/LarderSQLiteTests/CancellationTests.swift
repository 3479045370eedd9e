import Dispatch
import LarderSQLite
import Testing

/// Opened once from inside an operation, awaited by the test: where others would sleep.
private struct Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func open() {
        continuation.finish()
    }

    func wait() async {
        for await _ in stream {}
    }
}

@Suite(.timeLimit(.minutes(5))) struct Cancelling {
    let scratch: Scratch
    let database: Database

    init() throws {
        scratch = try Scratch()
        database = try notes(.file(scratch.path()))
    }

    @Test func cancellingInterruptsAWriteAndRollsItBack() async throws {
        let started = Gate()
        let task = Task { [database] in
            try await database.write { connection in
                try connection.execute("INSERT INTO note (title) VALUES ('a')")
                started.open()
                try connection.execute(endless)
            }
        }
        await started.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try database.titles() == [])
        try await database.write { try $0.execute("INSERT INTO note (title) VALUES ('b')") }
        #expect(try database.titles() == ["b"])
    }

    @Test(arguments: [false, true])
    func cancellingInterruptsAScan(inMemory: Bool) async throws {
        let database = inMemory ? try Database(.memory) : database
        let started = Gate()
        let task = Task {
            try await database.scan { connection in
                started.open()
                try connection.execute(endless)
            }
        }
        await started.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try database.read { try $0.first("SELECT 1") { try $0.int(0) } } == 1)
    }

    @Test func cancellingEndsALoopOfShortStatements() async throws {
        let started = Gate()
        let task = Task { [database] in
            try await database.write { connection in
                try connection.withStatement("INSERT INTO note (title) VALUES (?)") { statement in
                    while true {
                        try statement.bind("a", at: 1)
                        try statement.run()
                        started.open()
                    }
                }
            }
        }
        await started.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try database.titles() == [])
    }

    @Test func aSwallowedInterruptIsStillACancellation() async throws {
        let started = Gate()
        let task = Task { [database] in
            try await database.write { connection in
                started.open()
                let error = failure { try connection.execute(endless) }
                #expect(error?.code == .interrupted)
            }
        }
        await started.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func anErrorOfTheBodyIsNotHiddenByTheCancellation() async throws {
        let started = Gate()
        let task = Task { [database] in
            try await database.write { connection in
                started.open()
                let error = failure { try connection.execute(endless) }
                #expect(error?.code == .interrupted)
                throw Refusal()
            }
        }
        await started.wait()
        task.cancel()
        await #expect(throws: Refusal.self) { try await task.value }
    }

    @Test func aQueuedWriteIsWokenAtOnceAndNeverStarts() async throws {
        let started = Gate()
        let release = DispatchSemaphore(value: 0)
        let first = Task { [database] in
            try await database.write { connection in
                started.open()
                release.wait()
                try connection.execute("INSERT INTO note (title) VALUES ('first')")
            }
        }
        await started.wait()
        let runs = Counter()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: CancellationError.self) {
                    try await database.write { _ in runs.add() }
                }
            }
            group.cancelAll()
        }
        // Only now may the write before it go on: the cancelled one did not wait for it.
        release.signal()
        try await first.value
        try await database.write { _ in }
        #expect(runs.value == 0)
        #expect(try database.titles() == ["first"])
    }

    @Test func cancellingEndsTheWaitForALock() async throws {
        let other = try notes(.file(scratch.path()), busyLimit: .seconds(600))
        let started = Gate()
        let release = DispatchSemaphore(value: 0)
        let holder = Task { [database] in
            try await database.write { _ in
                started.open()
                release.wait()
            }
        }
        await started.wait()
        let task = Task { try await other.write { _ in } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        release.signal()
        try await holder.value
    }

    @Test func anInterruptHitsNoOtherOperation() async throws {
        for number in 0..<300 {
            let started = Gate()
            let task = Task { [database] in
                try await database.write { connection in
                    started.open()
                    try connection.execute(
                        """
                        WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter LIMIT \(number * 10))
                        SELECT count(*) FROM counter
                        """)
                }
            }
            await started.wait()
            task.cancel()
            // Next in the queue; a stray interrupt would meet it.
            try await database.write { connection in
                try connection.execute("INSERT INTO note (title) VALUES ('a')")
            }
            do { try await task.value } catch is CancellationError {}
        }
        #expect(try database.titles().count == 300)
    }
}

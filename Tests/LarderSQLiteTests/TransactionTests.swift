import LarderSQLite
import Testing

@Suite struct Writing {
    let scratch: Scratch
    let database: Database

    init() throws {
        scratch = try Scratch()
        database = try notes(.file(scratch.path()))
    }

    @Test func aWriteCommitsWhenItReturns() async throws {
        let id = try await database.write { connection in
            try connection.execute("INSERT INTO note (title) VALUES ('a')")
            return connection.lastInsertRowID
        }
        #expect(id == 1)
        #expect(try database.titles() == ["a"])
        let other = try Database(.file(scratch.path()))
        #expect(try other.titles() == ["a"])
    }

    @Test func aWriteIsRolledBackWhenItThrows() async throws {
        await #expect(throws: Refusal.self) {
            try await database.write { connection in
                try connection.execute("INSERT INTO note (title) VALUES ('a')")
                throw Refusal()
            }
        }
        #expect(throws: Refusal.self) {
            try database.writeSync { connection in
                try connection.execute("INSERT INTO note (title) VALUES ('b')")
                throw Refusal()
            }
        }
        #expect(try database.titles() == [])
    }

    @Test func aFailedCommitIsRolledBackAndThrown() throws {
        try database.writeSync { connection in
            try connection.execute(
                "CREATE TABLE tag (note INTEGER REFERENCES note (id) DEFERRABLE INITIALLY DEFERRED)")
        }
        let error = #expect(throws: SQLiteError.self) {
            try database.writeSync { connection in
                try connection.execute("INSERT INTO note (title) VALUES ('a')")
                try connection.execute("INSERT INTO tag VALUES (99)")
            }
        }
        #expect(error?.code == .constraintForeignKey)
        #expect(error?.operation == .commit)
        #expect(try database.titles() == [])
        try database.writeSync { try $0.execute("INSERT INTO note (title) VALUES ('after')") }
        #expect(try database.titles() == ["after"])
    }

    @Test func nothingIsWrittenAfterTheTransactionIsGone() throws {
        let error = #expect(throws: SQLiteError.self) {
            try database.writeSync { connection in
                try connection.execute("INSERT INTO note (id, title) VALUES (1, 'a')")
                _ = failure {
                    // Ends the whole transaction, as SQLite itself does on a full disk.
                    try connection.execute("INSERT OR ROLLBACK INTO note (id, title) VALUES (1, 'b')")
                }
                try connection.execute("INSERT INTO note (title) VALUES ('alone')")
            }
        }
        #expect(error?.code == .abortRollback)
        #expect(try database.titles() == [])
    }

    @Test func aSwallowedEndOfTheTransactionIsNotACommit() throws {
        let error = #expect(throws: SQLiteError.self) {
            try database.writeSync { connection in
                try connection.execute("INSERT INTO note (title) VALUES ('a')")
                try connection.execute("ROLLBACK")
            }
        }
        #expect(error?.code == .abortRollback)
    }

    @Test func aFullDatabaseSaysSo() throws {
        let error = #expect(throws: SQLiteError.self) {
            try database.writeSync { connection in
                try connection.execute("PRAGMA max_page_count = 4")
                try connection.execute("INSERT INTO note (title) VALUES ('a')")
                try connection.execute("INSERT INTO note (title) VALUES (\(String(repeating: "x", count: 100_000)))")
            }
        }
        #expect(error?.code == .full)
        #expect(error?.hint?.contains("full") == true)
        #expect(try database.titles() == [])
    }

    @Test func writesRunInTheOrderTheyAreAskedFor() async throws {
        for number in 0..<20 {
            try await database.write { try $0.execute("INSERT INTO note (title) VALUES (\("\(number)"))") }
        }
        #expect(try database.titles() == (0..<20).map(String.init))
    }

    @Test func withoutATransactionEachStatementCommits() async throws {
        await #expect(throws: Refusal.self) {
            try await database.withWriter { connection in
                try connection.execute("INSERT INTO note (title) VALUES ('a')")
                try connection.execute("VACUUM")
                throw Refusal()
            }
        }
        #expect(try database.titles() == ["a"])
    }

    @Test func aTransactionLeftOpenByHandIsRolledBack() async throws {
        try await database.withWriter { connection in
            try connection.execute("BEGIN")
            try connection.execute("INSERT INTO note (title) VALUES ('a')")
        }
        #expect(try database.titles() == [])
        try await database.write { try $0.execute("INSERT INTO note (title) VALUES ('b')") }
        #expect(try database.titles() == ["b"])
    }

    @Test func aWriteInsideAWriteIsRefused() throws {
        let error = #expect(throws: SQLiteError.self) {
            try database.writeSync { _ in try database.writeSync { _ in } }
        }
        #expect(error?.code == .misuse)
    }

    @Test func anotherWriterIsWaitedForNoLongerThanTheLimit() throws {
        let other = try notes(.file(scratch.path()), busyLimit: .milliseconds(50))
        let clock = ContinuousClock()
        let start = clock.now
        let error = try database.writeSync { _ in
            failure { try other.writeSync { _ in } }
        }
        #expect(error?.code.primary == .busy)
        #expect(error?.operation == .begin)
        #expect(error?.hint != nil)
        #expect(clock.now - start >= .milliseconds(50))
        try other.writeSync { try $0.execute("INSERT INTO note (title) VALUES ('free again')") }
    }

    @Test func aLimitOfZeroDoesNotWait() throws {
        let other = try notes(.file(scratch.path()), busyLimit: .zero)
        let error = try database.writeSync { _ in
            failure { try other.writeSync { _ in } }
        }
        #expect(error?.code.primary == .busy)
    }
}

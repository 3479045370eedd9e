import Testing

@testable import LarderSQLite

@Suite struct Readers {
    let scratch: Scratch
    let database: Database

    init() throws {
        scratch = try Scratch()
        database = try notes(.file(scratch.path()))
        try database.writeSync { try $0.execute("INSERT INTO note (title) VALUES ('a')") }
    }

    @Test func aReaderDoesNotWaitForAWriter() throws {
        try database.writeSync { connection in
            try connection.execute("INSERT INTO note (title) VALUES ('b')")
            // On this very thread, so waiting would never end.
            #expect(try database.titles() == ["a"])
            #expect(try database.withReader { try $0.first("SELECT count(*) FROM note") { try $0.int(0) } } == 1)
        }
        #expect(try database.titles() == ["a", "b"])
    }

    @Test func aReadSeesOneSnapshot() throws {
        let counts = try database.read { connection in
            let before = try connection.first("SELECT count(*) FROM note") { try $0.int(0) }
            try database.writeSync { try $0.execute("INSERT INTO note (title) VALUES ('b')") }
            return [before, try connection.first("SELECT count(*) FROM note") { try $0.int(0) }]
        }
        #expect(counts == [1, 1])
    }

    @Test func withoutATransactionEachStatementSeesTheLastCommit() throws {
        let counts = try database.withReader { connection in
            let before = try connection.first("SELECT count(*) FROM note") { try $0.int(0) }
            try database.writeSync { try $0.execute("INSERT INTO note (title) VALUES ('b')") }
            return [before, try connection.first("SELECT count(*) FROM note") { try $0.int(0) }]
        }
        #expect(counts == [1, 2])
    }

    @Test(arguments: ["DELETE FROM note", "CREATE TABLE t (a)", "INSERT INTO note (title) VALUES ('b')", "VACUUM"])
    func writingInAReadIsAnError(_ text: String) async throws {
        let sql = SQL(raw: text)
        for database in [database, try notes(.memory)] {
            let errors = [
                #expect(throws: SQLiteError.self) { try database.read { try $0.execute(sql) } },
                #expect(throws: SQLiteError.self) { try database.withReader { try $0.execute(sql) } },
                #expect(throws: SQLiteError.self) { try database.withReader { try $0.executeScript(text) } },
                await #expect(throws: SQLiteError.self) { try await database.scan { try $0.execute(sql) } },
            ]
            #expect(errors.map(\.?.code) == [.readOnly, .readOnly, .readOnly, .readOnly])
        }
        #expect(try database.titles() == ["a"])
    }

    @Test func switchingTheGuardOffDoesNotHelp() throws {
        let error = #expect(throws: SQLiteError.self) {
            try database.withReader { connection in
                try connection.execute("PRAGMA query_only = 0")
                try connection.execute("DELETE FROM note")
            }
        }
        #expect(error?.code == .readOnly)
    }

    @Test func readsNestWithoutLimitAndFewReadersStay() throws {
        func nest(_ depth: Int) throws -> Int {
            try database.read { connection in
                let count = try connection.first("SELECT count(*) FROM note") { try $0.int(0) } ?? 0
                return depth == 0 ? count : try count + nest(depth - 1)
            }
        }
        #expect(try nest(9) == 10)
        #expect(database.readers?.idleCount == 4)
    }

    @Test func aReaderIsUsedAgain() throws {
        for _ in 0..<3 { _ = try database.titles() }
        #expect(database.readers?.idleCount == 1)
        #expect(throws: Refusal.self) { try database.read { _ in throw Refusal() } }
        #expect(database.readers?.idleCount == 1)
    }

    @Test func aTransactionLeftOpenByHandEndsWithTheRead() throws {
        try database.withReader { connection in
            try connection.execute("BEGIN")
            _ = try connection.first("SELECT count(*) FROM note") { try $0.int(0) }
        }
        try database.writeSync { try $0.execute("INSERT INTO note (title) VALUES ('b')") }
        #expect(try database.titles() == ["a", "b"])
    }

    @Test func aScanReads() async throws {
        let titles = try await database.scan { connection in
            try connection.query("SELECT title FROM note") { try $0.text(0) }
        }
        #expect(titles == ["a"])
    }

    @Test func aCheckpointEmptiesTheLog() async throws {
        let result = try await database.checkpoint(.truncate)
        #expect(result.logPages == 0)
        try await database.write { try $0.execute("INSERT INTO note (title) VALUES ('b')") }
        let passive = try await database.checkpoint()
        #expect(passive.logPages > 0)
        #expect(passive.movedPages == passive.logPages)
        #expect(try await notes(.memory).checkpoint(.truncate).logPages == -1)
    }

    @Test func aCheckpointThatAReaderBlocksIsBusy() async throws {
        let impatient = try notes(.file(scratch.path()), busyLimit: .milliseconds(20))
        let reader = try ConnectionHandle.openReader(path: scratch.path(), configuration: Configuration())
        try reader.control("BEGIN", .begin)
        try reader.control("SELECT count(*) FROM note", .step)
        try await impatient.write { try $0.execute("INSERT INTO note (title) VALUES ('b')") }
        let error = await #expect(throws: SQLiteError.self) { try await impatient.checkpoint(.truncate) }
        #expect(error?.code.primary == .busy)
        #expect(error?.operation == .checkpoint)
        try reader.control("ROLLBACK", .rollback)
        try await impatient.checkpoint(.truncate)
    }

    /// With a busy limit of an hour, it could not end otherwise.
    @Test(.timeLimit(.minutes(5))) func aCheckpointThatIsNotPatientWaitsForNoReader() async throws {
        let patient = try notes(.file(scratch.path()), busyLimit: .seconds(3600))
        let reader = try ConnectionHandle.openReader(path: scratch.path(), configuration: Configuration())
        try reader.control("BEGIN", .begin)
        try reader.control("SELECT count(*) FROM note", .step)
        try await patient.write { try $0.execute("INSERT INTO note (title) VALUES ('b')") }
        let error = await #expect(throws: SQLiteError.self) {
            try await patient.checkpoint(.truncate, isPatient: false)
        }
        #expect(error?.code.primary == .busy)
        try reader.control("ROLLBACK", .rollback)
        try await patient.checkpoint(.truncate, isPatient: false)
    }
}

@Suite struct InMemory {
    @Test func readsAndWritesShareTheDatabase() async throws {
        let database = try notes(.memory)
        try await database.write { try $0.execute("INSERT INTO note (title) VALUES ('a')") }
        #expect(try database.titles() == ["a"])
        #expect(try await database.scan { try $0.first("SELECT count(*) FROM note") { try $0.int(0) } } == 1)
        #expect(try notes(.memory).titles() == [])
    }

    @Test func aCallInsideAnotherIsRefused() throws {
        let database = try notes(.memory)
        let errors = [
            #expect(throws: SQLiteError.self) { try database.writeSync { _ in try database.titles() } },
            #expect(throws: SQLiteError.self) { try database.read { _ in try database.titles() } },
            #expect(throws: SQLiteError.self) { try database.read { _ in try database.writeSync { _ in } } },
        ]
        #expect(errors.map(\.?.code) == [.misuse, .misuse, .misuse])
        #expect(try database.titles() == [])
    }
}

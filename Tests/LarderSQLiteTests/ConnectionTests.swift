import Foundation
import LarderSQLite
import Testing

// That a connection, statement or row cannot leave its closure needs no test: the types are not copyable and are lent as
// `borrowing`, so storing or returning one does not compile.

@Suite struct Executing {
    @Test func valuesAreBoundAndNeverPasted() throws {
        let database = try notes(.memory)
        let title = "'); DROP TABLE note; --"
        try database.writeSync { try $0.execute("INSERT INTO note (title) VALUES (\(title))") }
        #expect(try database.titles() == [title])
    }

    @Test func everyKindOfValueIsInterpolated() {
        let flag: Bool? = nil
        let fragment: SQL = "x = \(1)"
        let sql: SQL = """
            SELECT \(Int64(1)), \(2), \(0.5), \("a"), \(true), \(flag), \(Data([1])), \([UInt8(2)]), \(raw: "max(3)") \
            WHERE \(fragment)
            """
        #expect(sql.text == "SELECT ?, ?, ?, ?, ?, ?, ?, ?, max(3) WHERE x = ?")
        #expect(
            sql.arguments == [
                .integer(1), .integer(2), .real(0.5), .text("a"), .integer(1), .null, .blob(Data([1])),
                .blob(Data([2])), .integer(1),
            ])
    }

    @Test func changesAndTheLastRowIDAreKnown() throws {
        let database = try notes(.memory)
        try database.writeSync { connection in
            try connection.execute("INSERT INTO note (id, title) VALUES (7, 'a'), (9, 'b')")
            let (changes, last) = (connection.changes, connection.lastInsertRowID)
            #expect(changes == 2)
            #expect(last == 9)
        }
    }

    @Test func aScriptRunsAllItsStatements() throws {
        let database = try notes(.memory)
        try database.writeSync { connection in
            try connection.executeScript(
                """
                -- two rows
                INSERT INTO note (title) VALUES ('a;b'); ;
                INSERT INTO note (title) VALUES ('c') /* the end */;

                """)
            try connection.executeScript("")
        }
        #expect(try database.titles() == ["a;b", "c"])
    }

    @Test func aScriptStopsAtItsFirstError() throws {
        let database = try notes(.memory)
        try database.writeSync { connection in
            _ = #expect(throws: SQLiteError.self) {
                try connection.executeScript(
                    "INSERT INTO note (title) VALUES ('a'); nonsense; INSERT INTO note (title) VALUES ('b')")
            }
        }
        #expect(try database.titles() == ["a"])
    }

    @Test(arguments: ["SELECT 1; SELECT 2", "", "-- nothing", "SELECT 1; nonsense"])
    func aStatementIsExactlyOne(_ text: String) throws {
        let database = try Database(.memory)
        let error = #expect(throws: SQLiteError.self) {
            try database.withReader { try $0.withStatement(text) { _ = try $0.step() } }
        }
        #expect(error?.code == .misuse)
    }

    @Test(arguments: ["SELECT 1;", "SELECT 1 ; -- done\n", "SELECT 1; /* done */ ;;"])
    func blanksAndCommentsMayFollow(_ text: String) throws {
        let database = try Database(.memory)
        #expect(try database.withReader { try $0.withStatement(text) { try $0.collect { try $0.int(0) } } } == [1])
    }

    @Test func aParameterWithoutAValueIsRefused() throws {
        let database = try Database(.memory)
        let error = #expect(throws: SQLiteError.self) {
            try database.withReader { try $0.first("SELECT ?, \(1)") { try $0.int(1) } }
        }
        #expect(error?.code == .misuse)
    }

    @Test func noRowIsNil() throws {
        let database = try notes(.memory)
        #expect(try database.read { try $0.first("SELECT title FROM note") { try $0.text(0) } } == nil)
    }
}

@Suite struct Savepoints {
    @Test func aFailedSavepointIsUndoneAndTheRestKept() throws {
        let database = try notes(.memory)
        try database.writeSync { connection in
            try connection.execute("INSERT INTO note (title) VALUES ('kept')")
            #expect(throws: Refusal.self) {
                try connection.savepoint { connection in
                    try connection.execute("INSERT INTO note (title) VALUES ('undone')")
                    throw Refusal()
                }
            }
            try connection.savepoint { try $0.execute("INSERT INTO note (title) VALUES ('later')") }
        }
        #expect(try database.titles() == ["kept", "later"])
    }

    @Test func savepointsNest() throws {
        let database = try notes(.memory)
        try database.writeSync { connection in
            try connection.savepoint { connection in
                try connection.execute("INSERT INTO note (title) VALUES ('outer')")
                #expect(throws: Refusal.self) {
                    try connection.savepoint { connection in
                        try connection.savepoint { try $0.execute("INSERT INTO note (title) VALUES ('innermost')") }
                        throw Refusal()
                    }
                }
            }
        }
        #expect(try database.titles() == ["outer"])
    }

    @Test func outsideATransactionASavepointIsOne() async throws {
        let database = try notes(.memory)
        await #expect(throws: Refusal.self) {
            try await database.withWriter { connection in
                try connection.savepoint { connection in
                    let isInTransaction = connection.isInTransaction
                    #expect(isInTransaction)
                    try connection.execute("INSERT INTO note (title) VALUES ('undone')")
                    throw Refusal()
                }
            }
        }
        #expect(try database.titles() == [])
    }
}

import Foundation
import LarderSQLite
import Testing

@Suite struct Errors {
    private let secret = "the reader's own words"

    private func violation(_ run: (borrowing Connection) throws -> Void) throws -> SQLiteError {
        let database = try notes(.memory)
        try database.writeSync { try $0.execute("CREATE UNIQUE INDEX one ON note (title)") }
        let error = failure {
            try database.writeSync { connection in
                try connection.execute("INSERT INTO note (title) VALUES (\(secret))")
                try run(connection)
            }
        }
        return try #require(error)
    }

    @Test func boundValuesAreShownOnRequestAlone() throws {
        let errors = [
            try violation { try $0.execute("INSERT INTO note (title) VALUES (\(secret))") },
            try violation { _ = try $0.query("INSERT INTO note (title) VALUES (\(secret))") { _ in } },
        ]
        for error in errors {
            var dumped = ""
            dump(error, to: &dumped)
            let texts = ["\(error)", String(reflecting: error), dumped, error.localizedDescription, "\([error])"]
            #expect(texts.allSatisfy { !$0.contains(secret) })
            #expect(error.descriptionWithArguments.contains("'the reader''s own words'"))
        }
    }

    @Test func anErrorSaysWhatFailedAndWhere() throws {
        let error = try violation { try $0.execute("INSERT INTO note (title) VALUES (\(secret))") }
        #expect(error.code == .constraintUnique)
        #expect(error.code.primary == .constraint)
        #expect(error.operation == .step)
        #expect(error.sql == "INSERT INTO note (title) VALUES (?)")
        #expect(error.message == "UNIQUE constraint failed: note.title")
        #expect(
            error.description
                == "SQLite error 2067 in step: UNIQUE constraint failed: note.title [INSERT INTO note (title) VALUES (?)]"
        )
    }

    @Test func aSyntaxErrorNamesTheStatement() throws {
        let error = #expect(throws: SQLiteError.self) {
            try Database(.memory).withReader { try $0.execute("SELEKT 1") }
        }
        #expect(error?.code == .error)
        #expect(error?.operation == .prepare)
        #expect(error?.sql == "SELEKT 1")
        #expect(error?.message.contains("SELEKT") == true)
    }

    @Test func codesOfNewerVersionsKeepTheirFamily() {
        let code = SQLiteError.Code(rawValue: 5 | 200 << 8)
        #expect(code.primary == .busy)
        #expect(code != .busy)
        #expect(SQLiteError.Code.busySnapshot.rawValue == 517)
        #expect(SQLiteError.Code.ioErrorSharedMemorySize.rawValue == 4874)
    }

    @Test func troubleWithTheIndexBesideTheFileIsNotLeftUnexplained() {
        let codes: [SQLiteError.Code] = [
            .ioErrorSharedMemoryOpen, .ioErrorSharedMemorySize, .ioErrorSharedMemoryLock, .ioErrorSharedMemoryMap,
        ]
        for code in codes {
            #expect(SQLiteError(code, .open, "disk I/O error").hint?.contains("The index beside the database") == true)
        }
        #expect(SQLiteError(.ioError, .step, "disk I/O error").hint == nil)
        #expect(SQLiteError(.cannotOpenFolder, .open, "x").hint?.contains("names a folder") == true)
    }
}

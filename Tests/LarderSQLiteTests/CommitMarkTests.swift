import Foundation
import Testing

@testable import LarderSQLite

@Suite(.timeLimit(.minutes(5))) struct Marks {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func open(inMemory: Bool) throws -> Database {
        try notes(inMemory ? .memory : .file(scratch.path()))
    }

    private func add(_ title: String = "a", to database: Database) throws {
        try database.writeSync { try $0.execute("INSERT INTO note (title) VALUES (\(title))") }
    }

    @Test(arguments: [false, true])
    func nothingCommittedLeavesTheMark(inMemory: Bool) throws {
        let database = try open(inMemory: inMemory)
        let mark = database.commitMark
        _ = try database.titles()
        _ = try database.read { try $0.first("SELECT count(*) FROM note") { try $0.int(0) } }
        #expect(database.commitMark == mark)
    }

    @Test(arguments: [false, true])
    func eachCommitGivesAMarkThatWasNotThereBefore(inMemory: Bool) async throws {
        let database = try open(inMemory: inMemory)
        var marks: Set<CommitMark> = [database.commitMark]
        for number in 0..<100 {
            switch number % 4 {
            case 0: try add(to: database)
            case 1: try await database.write { try $0.execute("UPDATE note SET title = \("\(number)")") }
            // What was is again: another commit all the same.
            case 2: try await database.write { try $0.execute("DELETE FROM note") }
            default: try await database.withWriter { try $0.execute("PRAGMA user_version = \(raw: "\(number)")") }
            }
            let (isNew, _) = marks.insert(database.commitMark)
            #expect(isNew, "commit \(number)")
        }
    }

    @Test func aWriteUnderWayDoesNotShow() throws {
        let database = try open(inMemory: false)
        let mark = database.commitMark
        try database.writeSync { connection in
            try connection.execute("INSERT INTO note (title) VALUES ('a')")
            #expect(database.commitMark == mark)
        }
        #expect(database.commitMark != mark)
    }

    /// More is written than the cache of pages holds, so that frames of the transaction are in the log when it is undone.
    @Test func aRollbackNeverBringsAMarkBack() throws {
        let database = try open(inMemory: false)
        var marks: Set<CommitMark> = [database.commitMark]
        for _ in 0..<5 {
            #expect(throws: Refusal.self) {
                try database.writeSync { connection in
                    try connection.execute("PRAGMA cache_size = 1")
                    for _ in 0..<20 { try connection.execute("INSERT INTO note (title) VALUES (hex(zeroblob(8000)))") }
                    throw Refusal()
                }
            }
            try add(to: database)
            #expect(marks.insert(database.commitMark).inserted)
        }
        #expect(try database.titles().count == 5)
    }

    @Test func whatAnotherConnectionCommitsShows() async throws {
        let database = try open(inMemory: false)
        let other = try open(inMemory: false)
        for _ in 0..<10 {
            let (mark, others) = (database.commitMark, other.commitMark)
            try add(to: other)
            #expect(database.commitMark != mark)
            #expect(other.commitMark != others)
        }
        #expect(database.commitMark != other.commitMark)
    }

    @Test(arguments: Database.CheckpointMode.all)
    func theLogBeginningAnewBringsNoMarkBack(_ mode: Database.CheckpointMode) async throws {
        let database = try open(inMemory: false)
        let other = try open(inMemory: false)
        var marks: Set<CommitMark> = [database.commitMark]
        for round in 0..<20 {
            // Each round writes the same pages, so that the log comes to the same length.
            try add("b", to: round.isMultiple(of: 2) ? database : other)
            #expect(marks.insert(database.commitMark).inserted)
            try await (round.isMultiple(of: 3) ? database : other).checkpoint(mode)
            marks.insert(database.commitMark)
        }
        #expect(try database.titles().count == 20)
    }

    @Test func theFileMadeAnewByVacuumIsACommit() async throws {
        let database = try open(inMemory: false)
        let mark = database.commitMark
        try await database.withWriter { try $0.execute("VACUUM") }
        #expect(database.commitMark != mark)
    }

    @Test(arguments: [false, true])
    func afterCloseNoMarkIsLikeAnother(inMemory: Bool) throws {
        let database = try open(inMemory: inMemory)
        let before = database.commitMark
        database.close()
        let marks = [before, database.commitMark, database.commitMark]
        #expect(Set(marks).count == 3)
        database.close()
        #expect(database.commitMark != database.commitMark)
    }

    @Test func closingStillLeavesOneFile() throws {
        let database = try open(inMemory: false)
        _ = database.commitMark
        database.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == ["test.sqlite"])
    }

    @Test func aFileOpenedAgainHasOtherMarks() throws {
        var marks: Set<CommitMark> = []
        for _ in 0..<3 {
            let database = try open(inMemory: false)
            #expect(marks.insert(database.commitMark).inserted)
            try add(to: database)
            #expect(marks.insert(database.commitMark).inserted)
            database.close()
        }
        #expect(try open(inMemory: false).titles().count == 3)
    }

    @Test func anAppCannotLeaveWALModeUnderIt() async throws {
        let database = try open(inMemory: false)
        let mark = database.commitMark
        _ = try? await database.withWriter { try $0.first("PRAGMA journal_mode = DELETE") { try $0.text(0) } }
        _ = database.commitMark
        try add(to: database)
        #expect(database.commitMark != mark)
    }

    @Test func whereTheFileIsGoneNoMarkIsLikeAnother() throws {
        let database = try open(inMemory: false)
        try FileManager.default.removeItem(at: scratch.folder)
        #expect(database.commitMark != database.commitMark)
    }
}

extension Database.CheckpointMode {
    static let all: [Self] = [.passive, .full, .restart, .truncate]
}

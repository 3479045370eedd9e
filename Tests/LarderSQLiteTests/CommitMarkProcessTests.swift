import Foundation
import LarderSQLite
import Synchronization
import Testing

/// Marks while others write, close, or have died.
@Suite(.timeLimit(.minutes(5))) struct MarksBesideOthers {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// Programs of the system, as other processes.
    private func run(_ program: String, _ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) failed")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"), "wants sqlite3(1)"))
    func whatAnotherProcessCommitsShows() throws {
        let database = try notes(.file(scratch.path()))
        var marks: Set<CommitMark> = [database.commitMark]
        for _ in 0..<3 {
            try run("/usr/bin/sqlite3", scratch.path(), "INSERT INTO note (title) VALUES ('a')")
            #expect(marks.insert(database.commitMark).inserted)
            #expect(database.commitMark == database.commitMark)
        }
        #expect(try database.titles() == ["a", "a", "a"])
    }

    /// A process that dies while it writes the header leaves its two copies different, as here; whoever reads next makes the
    /// index anew from the log, and counts from zero.
    @Test func recoveryBringsNoMarkBack() throws {
        let database = try notes(.file(scratch.path()))
        var marks: Set<CommitMark> = [database.commitMark]
        for _ in 0..<5 {
            for _ in 0..<3 {
                try database.writeSync { try $0.execute("INSERT INTO note (title) VALUES ('a')") }
                #expect(marks.insert(database.commitMark).inserted)
            }
            try run(
                "/bin/dd", "if=/dev/zero", "of=" + scratch.path() + "-shm", "bs=1", "seek=16", "count=4", "conv=notrunc"
            )
            #expect(marks.insert(database.commitMark).inserted)
            _ = try database.titles()
            #expect(marks.insert(database.commitMark).inserted)
        }
        #expect(try database.titles().count == 15)
    }

    /// What every reader of a cache does: the mark, then the row. Whoever finds the mark unchanged must hold the latest row.
    @Test func aMarkThatIsTheSameVouchesForWhatWasRead() async throws {
        let database = try notes(.file(scratch.path()))
        try database.writeSync { try $0.execute("INSERT INTO note (title) VALUES ('0')") }
        let progress = Progress()
        let path = scratch.path()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var kept: (mark: CommitMark, number: Int)?
                    while !progress.isOver.load(ordering: .acquiring) {
                        let least = progress.committed.load(ordering: .acquiring)
                        let mark = database.commitMark
                        if let kept, kept.mark == mark {
                            #expect(kept.number >= least)
                        } else {
                            let title = try database.titles().first ?? ""
                            kept = (mark, Int(title) ?? -1)
                        }
                        await Task.yield()
                    }
                }
            }
            group.addTask {
                defer { progress.isOver.store(true, ordering: .releasing) }
                let other = try Database(.file(path))
                for number in 1...500 {
                    let title = "\(number)"
                    try await (number.isMultiple(of: 2) ? other : database).write {
                        try $0.execute("UPDATE note SET title = \(title)")
                    }
                    progress.committed.store(number, ordering: .releasing)
                    if number.isMultiple(of: 100) { try await other.checkpoint() }
                }
            }
            try await group.waitForAll()
        }
        #expect(try database.titles() == ["500"])
    }

    /// The memory that marks are read from is unmapped at the end: not before the last has looked.
    @Test func closingMayComeAtAnyTime() async throws {
        for _ in 0..<30 {
            let database = try notes(.file(scratch.path()))
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        for _ in 0..<200 { _ = database.commitMark }
                        if number == 2 { database.close() }
                        for _ in 0..<200 { _ = database.commitMark }
                    }
                }
            }
            #expect(database.commitMark != database.commitMark)
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == ["test.sqlite"])
        }
    }
}

private final class Progress: Sendable {
    let committed = Atomic(0)
    let isOver = Atomic(false)
}

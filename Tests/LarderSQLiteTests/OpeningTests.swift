import Foundation
import LarderSQLite
import Testing

@Suite struct Opening {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func aNewFileIsPrivate() throws {
        let database = try notes(.file(scratch.path()))
        #expect(try permissions(scratch.path()) == 0o600)
        #expect(try permissions(scratch.path() + "-wal") == 0o600)
        #expect(try permissions(scratch.path() + "-shm") == 0o600)
        database.close()
    }

    @Test func theDefaultsAreSet() async throws {
        let database = try notes(.file(scratch.path()))
        let settings = try await database.withWriter { connection in
            try ["page_size", "synchronous", "foreign_keys", "journal_size_limit", "cache_size", "mmap_size"].map {
                try connection.first("PRAGMA \(raw: $0)") { try $0.int(0) }
            }
        }
        #expect(settings == [8192, 1, 1, 40 << 20, -2048, 0])
        let reader = try database.withReader { connection in
            try ["page_size", "query_only", "cache_size"].map { pragma in
                try connection.first("PRAGMA \(raw: pragma)") { try $0.int(0) }
            }
        }
        #expect(reader == [8192, 1, -2048])
        let mode = try await database.withWriter { try $0.first("PRAGMA journal_mode") { try $0.text(0) } }
        #expect(mode == "wal")
    }

    @Test(arguments: ["x", "This is no database.", String(repeating: "SQLite format 4\0", count: 1000)])
    func aFileThatIsNoDatabaseStaysUntouched(_ content: String) throws {
        try Data(content.utf8).write(to: scratch.folder.appending(path: "test.sqlite"))
        let error = #expect(throws: SQLiteError.self) { try Database(.file(scratch.path())) }
        #expect(error?.code == .notADatabase)
        #expect(error?.operation == .open)
        #expect(error?.hint?.contains("left as it was") == true)
        #expect(try Data(contentsOf: scratch.folder.appending(path: "test.sqlite")) == Data(content.utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == ["test.sqlite"])
    }

    @Test func aMissingFolderIsAnError() throws {
        let error = #expect(throws: SQLiteError.self) { try Database(.file(scratch.path("missing/test.sqlite"))) }
        #expect(error?.code.primary == .cannotOpen)
        #expect(error?.message.contains("No such file or directory") == true)
        #expect(error?.hint?.contains("folder") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == [])
    }

    @Test func aFolderInThePlaceOfTheFileIsAnError() throws {
        let error = #expect(throws: SQLiteError.self) { try Database(.file(scratch.folder.path)) }
        #expect(error?.code.primary == .cannotOpen)
        #expect(error?.hint != nil)
    }

    @Test(.enabled(if: geteuid() != 0, "the superuser may write everywhere"))
    func aFolderThatCannotBeWrittenIsAnError() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: scratch.folder.path)
        let error = #expect(throws: SQLiteError.self) { try Database(.file(scratch.path())) }
        #expect(error?.code.primary == .cannotOpen)
        #expect(error?.hint != nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: scratch.folder.path)
    }

    @Test(.enabled(if: geteuid() != 0, "the superuser may write everywhere"))
    func aFileThatCannotBeWrittenIsAnError() throws {
        try notes(.file(scratch.path())).close()
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: scratch.path())
        let error = #expect(throws: SQLiteError.self) { try Database(.file(scratch.path())) }
        #expect(error?.code.primary == .readOnly)
        #expect(error?.hint != nil)
    }

    @Test(arguments: ["", "a\0b"])
    func aPathThatNamesNoFileIsAnError(_ path: String) throws {
        let error = #expect(throws: SQLiteError.self) { try Database(.file(path)) }
        #expect(error?.code.primary == .cannotOpen)
    }

    @Test func aPathIsNoURI() throws {
        let database = try notes(.file(scratch.path("file:odd?mode=memory")))
        database.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == ["file:odd?mode=memory"])
    }

    @Test func aDamagedFileIsAnError() throws {
        let database = try notes(.file(scratch.path()))
        try database.writeSync { try $0.execute("INSERT INTO note (title) VALUES ('a')") }
        database.close()
        let file = try FileHandle(forUpdating: scratch.folder.appending(path: "test.sqlite"))
        try file.seek(toOffset: 8192)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 8192))
        try file.close()
        let damaged = try Database(.file(scratch.path()))
        let error = #expect(throws: SQLiteError.self) { try damaged.titles() }
        #expect(error?.code.primary == .corrupt)
        #expect(error?.hint != nil)
    }

    @Test func manyMayOpenANewFileAtOnce() async throws {
        let path = scratch.path()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let database = try notes(.file(path))
                    try await database.write { try $0.execute("INSERT INTO note (title) VALUES (\("\(number)"))") }
                }
            }
            try await group.waitForAll()
        }
        #expect(try Database(.file(path)).titles().count == 8)
    }

    @Test func theHookMeetsEveryConnection() throws {
        let counter = Counter()
        var configuration = Configuration()
        configuration.onOpen = { connection in
            counter.add()
            try connection.execute("SELECT 1")
        }
        let database = try Database(.file(scratch.path()), configuration: configuration)
        #expect(counter.value == 1)
        try database.withReader { _ in try database.withReader { _ in } }
        #expect(counter.value == 3)
    }

    @Test func whatTheHookThrowsIsThrown() throws {
        var configuration = Configuration()
        configuration.onOpen = { _ in throw Refusal() }
        #expect(throws: Refusal.self) { try Database(.memory, configuration: configuration) }
    }
}

@Suite struct Closing {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test(arguments: [false, true])
    func afterCloseEveryCallSaysSo(inMemory: Bool) async throws {
        let database = try notes(inMemory ? .memory : .file(scratch.path()))
        _ = try database.titles()
        database.close()
        database.close()
        let errors = [
            #expect(throws: SQLiteError.self) { try database.titles() },
            #expect(throws: SQLiteError.self) { try database.writeSync { _ in } },
            await #expect(throws: SQLiteError.self) { try await database.write { _ in } },
            await #expect(throws: SQLiteError.self) { try await database.scan { _ in } },
            await #expect(throws: SQLiteError.self) { try await database.checkpoint() },
        ]
        #expect(errors.allSatisfy { $0?.code == .misuse && $0?.message == "the database is closed" })
    }

    @Test func closingLeavesOneFile() throws {
        let database = try notes(.file(scratch.path()))
        _ = try database.titles()
        database.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == ["test.sqlite"])
    }

    @Test(arguments: [false, true])
    func closingInsideAReadLetsItEnd(inMemory: Bool) throws {
        let database = try notes(inMemory ? .memory : .file(scratch.path()))
        let count = try database.read { connection in
            database.close()
            return try connection.first("SELECT count(*) FROM note") { try $0.int(0) }
        }
        #expect(count == 0)
        #expect(throws: SQLiteError.self) { try database.titles() }
    }

    @Test func closingInsideAWriteLetsItEnd() throws {
        let database = try notes(.file(scratch.path()))
        try database.writeSync { connection in
            database.close()
            try connection.execute("INSERT INTO note (title) VALUES ('a')")
        }
        #expect(throws: SQLiteError.self) { try database.writeSync { _ in } }
        #expect(try Database(.file(scratch.path())).titles() == ["a"])
    }
}

import Foundation
import LarderSQLite
import Synchronization
import Testing

/// A folder of a test's own, removed with it.
final class Scratch: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "LarderSQLite-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        // Nothing depends on it: the folder lies in the system's temporary place.
        try? FileManager.default.removeItem(at: folder)
    }

    func path(_ name: String = "test.sqlite") -> String { folder.appending(path: name).path }
}

/// A database with the table `note (id INTEGER PRIMARY KEY, title TEXT NOT NULL)`.
func notes(_ location: Location, busyLimit: Duration = .seconds(5)) throws -> Database {
    var configuration = Configuration()
    configuration.busyLimit = busyLimit
    let database = try Database(location, configuration: configuration)
    try database.writeSync { connection in
        try connection.execute("CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
    }
    return database
}

extension Database {
    func titles() throws -> [String] {
        try read { connection in
            try connection.query("SELECT title FROM note ORDER BY id") { row in try row.text(0) }
        }
    }
}

/// An error of the body's own.
struct Refusal: Error, Equatable {}

/// Runs until it is interrupted.
let endless: SQL = """
    WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter) SELECT count(*) FROM counter
    """

/// Counts across threads.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() {
        count.add(1, ordering: .relaxed)
    }
}

/// The error of a call that must fail. A function, because expectations do not nest.
func failure(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> some Any
) -> SQLiteError? {
    #expect(throws: SQLiteError.self, sourceLocation: sourceLocation) { _ = try body() }
}

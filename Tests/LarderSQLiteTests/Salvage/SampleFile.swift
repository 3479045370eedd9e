import CSQLite
import Foundation
import LarderSQLite

/// A database made for a test by SQLite itself, and what SQLite reads from it.
struct SampleFile {
    struct Form: Sendable, CustomStringConvertible {
        var pageSize = 8192
        var autoVacuum = false
        /// The last transaction stays in the log.
        var leavesLog = false
        var encoding = "UTF-8"
        var rows = 300

        var description: String {
            "\(pageSize)\(autoVacuum ? " auto_vacuum" : "")\(leavesLog ? " log" : "") \(encoding)"
        }
    }

    var file: Data
    let log: Data?
    /// `item`: id, feed, name, payload, weight.
    let items: [Int64: [SQLValue]]
    /// `pair`, a table without row ids: a, b, c.
    let pairs: [[SQLValue]]

    init(_ form: Form) throws {
        let scratch = try Scratch()
        let database = try PlainDatabase(scratch.path())
        try database.run(
            """
            PRAGMA encoding = '\(form.encoding)';
            PRAGMA page_size = \(form.pageSize);
            PRAGMA auto_vacuum = \(form.autoVacuum ? 2 : 0);
            PRAGMA journal_mode = WAL;
            PRAGMA wal_autocheckpoint = 0;
            CREATE TABLE item (id INTEGER PRIMARY KEY, feed INTEGER, name TEXT, payload BLOB, weight REAL);
            CREATE INDEX item_name ON item (feed, name);
            CREATE TABLE pair (a TEXT, b INTEGER, c BLOB, PRIMARY KEY (a, b)) WITHOUT ROWID;
            CREATE TABLE doomed (id INTEGER PRIMARY KEY, payload BLOB);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(form.rows))
            INSERT INTO item SELECT i * 3, i % 7, CASE i % 50 WHEN 0 THEN 'a' || char(0) || i WHEN 1 THEN CAST(x'C3FF' AS TEXT)
                ELSE 'näme ' || i END, CASE WHEN i % 20 = 0 THEN randomblob(i * 97) ELSE randomblob(i % 300) END,
                CASE i % 3 WHEN 0 THEN i WHEN 1 THEN i / 7.0 END FROM n;
            INSERT INTO pair SELECT 'key ' || (id % 11), id, payload FROM item;
            INSERT INTO doomed SELECT id, randomblob(400) FROM item;
            DELETE FROM item WHERE id % 33 = 0;
            DELETE FROM doomed;
            PRAGMA wal_checkpoint(TRUNCATE);
            """)
        if form.leavesLog {
            try database.run("UPDATE item SET feed = feed + 1 WHERE id % 5 = 0; DELETE FROM pair WHERE b % 4 = 0;")
        }
        items = Dictionary(
            try database.rows("SELECT id, feed, name, payload, weight FROM item").compactMap { row in
                if case .integer(let id) = row[0] { (id, row) } else { nil }
            }, uniquingKeysWith: { first, _ in first })
        pairs = try database.rows("SELECT a, b, c FROM pair ORDER BY a, b")
        file = try Data(contentsOf: URL(fileURLWithPath: scratch.path()))
        log = try? Data(contentsOf: URL(fileURLWithPath: scratch.path() + "-wal"))
    }
}

/// A connection of its own, with SQLite's own settings.
final class PlainDatabase {
    private let database: OpaquePointer

    init(_ path: String) throws {
        var database: OpaquePointer?
        guard sqlite3_open(path, &database) == SQLITE_OK, let database else { throw Refusal() }
        self.database = database
    }

    deinit { sqlite3_close(database) }

    func run(_ script: String) throws {
        guard sqlite3_exec(database, script, nil, nil, nil) == SQLITE_OK else {
            throw SQLiteError(.error, .step, String(cString: sqlite3_errmsg(database)))
        }
    }

    /// Texts that are not UTF-8 come as bytes.
    func rows(_ sql: String) throws -> [[SQLValue]] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { throw Refusal() }
        var rows: [[SQLValue]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append((0..<sqlite3_column_count(statement)).map { Self.value(statement, $0) })
        }
        return rows
    }

    private static func value(_ statement: OpaquePointer?, _ column: Int32) -> SQLValue {
        func bytes() -> Data {
            let start = sqlite3_column_blob(statement, column)
            return start.map { Data(bytes: $0, count: Int(sqlite3_column_bytes(statement, column))) } ?? Data()
        }
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            let bytes = bytes()
            return String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .blob(bytes)
        case SQLITE_BLOB: return .blob(bytes())
        default: return .null
        }
    }
}

import Foundation
import SystemSQLite

/// Opens a database by SQLite's own calls and reads the newest page: what OpenLarder is compared with.
@main
struct OpenSQLite {
    static func main() {
        var database: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(CommandLine.arguments[1], &database, flags, nil) == SQLITE_OK else { exit(1) }
        sqlite3_exec(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", nil, nil, nil)
        var statement: OpaquePointer?
        let sql = "SELECT id, body FROM items WHERE feed = 1 ORDER BY id DESC LIMIT 20"
        sqlite3_prepare_v2(database, sql, -1, &statement, nil)
        var page: [Data] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            guard let bytes = sqlite3_column_blob(statement, 1) else { exit(1) }
            page.append(Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, 1))))
        }
        exit(page.count == 20 ? 0 : 1)
    }
}

import CSQLite

/// What SQLite's JSON functions say of a text.
final class SQLiteOracle {
    struct Failure: Error {
        let code: Int32
    }

    private var database: OpaquePointer?
    private var statement: OpaquePointer?

    init(_ sql: String) throws {
        try check(sqlite3_open(":memory:", &database))
        try check(sqlite3_prepare_v2(database, sql, -1, &statement, nil))
    }

    deinit {
        sqlite3_finalize(statement)
        sqlite3_close(database)
    }

    /// The statement's one text or number, with `bytes` for its parameter.
    func callAsFunction(_ bytes: [UInt8]) throws -> String? {
        defer { sqlite3_reset(statement) }
        return try bytes.withUnsafeBufferPointer { buffer in
            try buffer.withMemoryRebound(to: CChar.self) { text in
                // The text outlives the statement's run, so SQLite need not copy it. A null pointer would be NULL.
                let empty: StaticString = ""
                let start = text.baseAddress ?? UnsafeRawPointer(empty.utf8Start).assumingMemoryBound(to: CChar.self)
                try check(sqlite3_bind_text(statement, 1, start, Int32(text.count), nil))
                guard sqlite3_step(statement) == SQLITE_ROW else { throw Failure(code: sqlite3_errcode(database)) }
                return sqlite3_column_text(statement, 0).map { String(cString: $0) }
            }
        }
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw Failure(code: code) }
    }
}

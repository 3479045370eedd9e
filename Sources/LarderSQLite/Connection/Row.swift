public import Foundation
import CSQLite

/// How SQLite stores one value of a row.
public enum ColumnType: Int32, Sendable, Hashable {
    case integer = 1
    case real = 2
    case text = 3
    case blob = 4
    case null = 5
}

/// The row a statement stands on, lent to a closure. It cannot be kept: its bytes are gone with the next step.
///
/// Columns count from 0. Reading is strict: a value of another type than asked for, a NULL read by a form that is not
/// `optional…`, and a column that does not exist throw `.mismatch` or `.range`, so that a damaged row is not taken for
/// zero or an empty text. Two conversions lose nothing and are made: an integer reads as ``double(_:)``, and a text
/// reads as bytes (its UTF-8).
///
/// Each read is a few nanoseconds above SQLite's own call. Only texts of more than 15 bytes and `Data` allocate.
public struct Row: ~Copyable {
    let statement: OpaquePointer

    public var columnCount: Int32 { sqlite3_data_count(statement) }

    public func columnName(_ column: Int32) -> String? {
        sqlite3_column_name(statement, column).map { String(cString: $0) }
    }

    /// The stored type. A column that does not exist reads as null.
    public func type(_ column: Int32) -> ColumnType {
        ColumnType(rawValue: sqlite3_column_type(statement, column)) ?? .null
    }

    public func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    /// The value whatever its type; texts and blobs are copied.
    public func value(_ column: Int32) throws(SQLiteError) -> SQLValue {
        switch type(column) {
        case .null: .null
        case .integer: .integer(sqlite3_column_int64(statement, column))
        case .real: .real(sqlite3_column_double(statement, column))
        case .text: .text(try text(column))
        case .blob: .blob(try data(column))
        }
    }
}

// MARK: - Numbers

extension Row {
    public func int64(_ column: Int32) throws(SQLiteError) -> Int64 {
        guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else {
            throw mismatch(column, wanted: "INTEGER")
        }
        return sqlite3_column_int64(statement, column)
    }

    public func optionalInt64(_ column: Int32) throws(SQLiteError) -> Int64? {
        isNull(column) ? nil : try int64(column)
    }

    /// Throws `.range` where `Int` has 32 bits and the value has more.
    public func int(_ column: Int32) throws(SQLiteError) -> Int {
        guard let value = Int(exactly: try int64(column)) else {
            throw SQLiteError(.range, .column, "column \(column) does not fit an Int", sql: sql)
        }
        return value
    }

    public func optionalInt(_ column: Int32) throws(SQLiteError) -> Int? {
        isNull(column) ? nil : try int(column)
    }

    /// An integer other than 0 is true.
    public func bool(_ column: Int32) throws(SQLiteError) -> Bool {
        try int64(column) != 0
    }

    public func optionalBool(_ column: Int32) throws(SQLiteError) -> Bool? {
        isNull(column) ? nil : try bool(column)
    }

    public func double(_ column: Int32) throws(SQLiteError) -> Double {
        let type = sqlite3_column_type(statement, column)
        guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { throw mismatch(column, wanted: "REAL") }
        return sqlite3_column_double(statement, column)
    }

    public func optionalDouble(_ column: Int32) throws(SQLiteError) -> Double? {
        isNull(column) ? nil : try double(column)
    }
}

// MARK: - Text and bytes

extension Row {
    /// The text in full, NUL characters included. Bytes that are not UTF-8 become U+FFFD; read them by ``data(_:)``.
    public func text(_ column: Int32) throws(SQLiteError) -> String {
        guard sqlite3_column_type(statement, column) == SQLITE_TEXT else { throw mismatch(column, wanted: "TEXT") }
        // The pointer first: asking for it may convert the value and so change its length.
        guard let start = sqlite3_column_text(statement, column) else { throw outOfMemory(column) }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    public func optionalText(_ column: Int32) throws(SQLiteError) -> String? {
        isNull(column) ? nil : try text(column)
    }

    /// A copy of the bytes of a blob or text, made in one piece. An empty blob is empty data, not nil.
    public func data(_ column: Int32) throws(SQLiteError) -> Data {
        let bytes = try bytes(column)
        // Straight from the pointer: the initialiser for collections costs more.
        return bytes.baseAddress.map { Data(bytes: $0, count: bytes.count) } ?? Data()
    }

    public func optionalData(_ column: Int32) throws(SQLiteError) -> Data? {
        isNull(column) ? nil : try data(column)
    }

    /// Lends the bytes of a blob or text without copying them. They are valid until `body` returns.
    @inlinable
    public func withBytes<R>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        try body(try bytes(column))
    }

    @usableFromInline
    func bytes(_ column: Int32) throws(SQLiteError) -> UnsafeRawBufferPointer {
        let type = sqlite3_column_type(statement, column)
        guard type == SQLITE_BLOB || type == SQLITE_TEXT else { throw mismatch(column, wanted: "BLOB") }
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        // For an empty value the pointer is nil by definition; for any other it means that memory ran out.
        guard start != nil || count == 0 else { throw outOfMemory(column) }
        return UnsafeRawBufferPointer(start: start, count: count)
    }
}

// MARK: - Errors

extension Row {
    private var sql: String? { sqlite3_sql(statement).map { String(cString: $0) } }

    @inline(never)
    private func mismatch(_ column: Int32, wanted: String) -> SQLiteError {
        guard column >= 0, column < columnCount else {
            let message = columnCount == 0 ? "the statement stands on no row" : "there is no column \(column)"
            return SQLiteError(.range, .column, message, sql: sql)
        }
        let name = columnName(column) ?? "?"
        let found = type(column)
        return SQLiteError(
            .mismatch, .column, "column \(column) (\(name)) holds \(found) where \(wanted) was asked for", sql: sql)
    }

    @inline(never)
    private func outOfMemory(_ column: Int32) -> SQLiteError {
        SQLiteError(.outOfMemory, .column, "no memory to read column \(column)", sql: sql)
    }
}

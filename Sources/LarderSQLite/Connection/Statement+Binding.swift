public import Foundation
import CSQLite

/// Parameters count from 1. Binding throws `.range` for a parameter that does not exist, `.tooBig` beyond SQLite's
/// limit (a billion bytes), and `.misuse` for a statement that was stepped and not reset.
extension Statement {
    public func bind(_ value: Int64, at parameter: Int32) throws(SQLiteError) {
        try check(sqlite3_bind_int64(row.statement, parameter, value))
    }

    public func bind(_ value: Int, at parameter: Int32) throws(SQLiteError) {
        try check(sqlite3_bind_int64(row.statement, parameter, Int64(value)))
    }

    public func bind(_ value: Bool, at parameter: Int32) throws(SQLiteError) {
        try check(sqlite3_bind_int64(row.statement, parameter, value ? 1 : 0))
    }

    /// NaN is bound as NULL: SQLite has no NaN.
    public func bind(_ value: Double, at parameter: Int32) throws(SQLiteError) {
        try check(sqlite3_bind_double(row.statement, parameter, value))
    }

    /// SQLite keeps a copy of the text, NUL characters included.
    public func bind(_ value: String, at parameter: Int32) throws(SQLiteError) {
        var value = value
        let result = value.withUTF8 {
            bindText(UnsafeRawBufferPointer($0), at: parameter, lifetime: copied)
        }
        try check(result)
    }

    /// SQLite keeps a copy of the bytes.
    public func bind(_ value: Data, at parameter: Int32) throws(SQLiteError) {
        try check(value.withUnsafeBytes { bindBlob($0, at: parameter, lifetime: copied) })
    }

    /// SQLite keeps a copy of the bytes.
    public func bind(_ value: [UInt8], at parameter: Int32) throws(SQLiteError) {
        try check(value.withUnsafeBytes { bindBlob($0, at: parameter, lifetime: copied) })
    }

    /// Binds a blob without copying it: the caller keeps the memory alive and unchanged until the statement has been
    /// stepped to its end, reset or bound anew, or the closure it was lent to returns.
    public func bind(_ bytes: UnsafeRawBufferPointer, at parameter: Int32) throws(SQLiteError) {
        try check(bindBlob(bytes, at: parameter, lifetime: nil))
    }

    /// Binds UTF-8 as a text without copying it, under the terms of ``bind(_:at:)-(UnsafeRawBufferPointer,_)``.
    /// SQLite does not check that it is UTF-8.
    public func bind(text bytes: UnsafeRawBufferPointer, at parameter: Int32) throws(SQLiteError) {
        try check(bindText(bytes, at: parameter, lifetime: nil))
    }

    public func bindNull(at parameter: Int32) throws(SQLiteError) {
        try check(sqlite3_bind_null(row.statement, parameter))
    }

    public func bind(_ value: SQLValue, at parameter: Int32) throws(SQLiteError) {
        switch value {
        case .null: try bindNull(at: parameter)
        case .integer(let value): try bind(value, at: parameter)
        case .real(let value): try bind(value, at: parameter)
        case .text(let value): try bind(value, at: parameter)
        case .blob(let value): try bind(value, at: parameter)
        }
    }

    /// Binds any convertible value; nil is NULL.
    @inlinable
    public func bind<Value: SQLValueConvertible>(_ value: Value?, at parameter: Int32) throws(SQLiteError) {
        guard let value else { return try bindNull(at: parameter) }
        try bind(value.sqlValue, at: parameter)
    }

    /// Binds all parameters in order; throws `.misuse` unless there is one value for each.
    public func bind(all values: [SQLValue]) throws(SQLiteError) {
        guard values.count == Int(parameterCount) else {
            throw SQLiteError(
                .misuse, .bind, "\(parameterCount) parameters but \(values.count) values",
                sql: sqlite3_sql(row.statement).map { String(cString: $0) })
        }
        var parameter: Int32 = 0
        for value in values {
            parameter += 1
            try bind(value, at: parameter)
        }
    }
}

// MARK: - C

extension Statement {
    /// `SQLITE_TRANSIENT`, a cast that Swift does not import: SQLite copies the bytes before the call returns.
    private var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    // The lifetime nil is `SQLITE_STATIC`. A nil pointer would bind NULL, hence the two empty forms.

    private func bindBlob(
        _ bytes: UnsafeRawBufferPointer, at parameter: Int32, lifetime: sqlite3_destructor_type?
    ) -> Int32 {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return sqlite3_bind_zeroblob(row.statement, parameter, 0)
        }
        return sqlite3_bind_blob64(row.statement, parameter, start, UInt64(bytes.count), lifetime)
    }

    private func bindText(
        _ bytes: UnsafeRawBufferPointer, at parameter: Int32, lifetime: sqlite3_destructor_type?
    ) -> Int32 {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return sqlite3_bind_text64(row.statement, parameter, "", 0, copied, UInt8(SQLITE_UTF8))
        }
        return sqlite3_bind_text64(
            row.statement, parameter, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), lifetime,
            UInt8(SQLITE_UTF8))
    }

    private func check(_ result: Int32) throws(SQLiteError) {
        if result != SQLITE_OK { throw failure(result, .bind) }
    }
}

import CSQLite

/// The arguments of a call of a function of one's own in SQL. Valid only during the call.
package struct FunctionArguments: ~Copyable {
    private let count: Int32
    private let values: UnsafeMutablePointer<OpaquePointer?>?

    fileprivate init(count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?) {
        self.count = count
        self.values = values
    }

    package var indices: Range<Int32> { 0..<count }

    /// The kind of an argument, and for a number the number.
    package enum Kind {
        case null
        case integer(Int64)
        case real(Double)
        case text
        case blob
    }

    package func kind(_ index: Int32) -> Kind {
        guard let value = values?[Int(index)] else { return .null }
        return switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: .real(sqlite3_value_double(value))
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// The bytes of a text or blob.
    package func withBytes<R>(_ index: Int32, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        guard let value = values?[Int(index)] else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        // The pointer first, and then its length (<https://www.sqlite.org/c3ref/value_blob.html>).
        let bytes = sqlite3_value_blob(value)
        return try body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
    }
}

extension Connection {
    /// Makes a function of one's own known to the SQL of this connection, for any number of arguments.
    ///
    /// - Parameter body: Gives the same number for the same arguments (<https://www.sqlite.org/deterministic.html>). Runs on
    ///   whatever thread the connection is used on.
    package func addFunction(
        _ name: String, _ body: @escaping @Sendable (borrowing FunctionArguments) -> Int64
    ) throws(SQLiteError) {
        let box = Unmanaged.passRetained(FunctionBody(call: body))
        // Lets go of the box also when it fails.
        let result = sqlite3_create_function_v2(
            handle.database, name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, box.toOpaque(),
            { context, count, values in
                guard let data = sqlite3_user_data(context) else { return }
                let body = Unmanaged<FunctionBody>.fromOpaque(data).takeUnretainedValue()
                sqlite3_result_int64(context, body.call(FunctionArguments(count: count, values: values)))
            }, nil, nil, { data in data.map { Unmanaged<FunctionBody>.fromOpaque($0).release() } })
        guard result == SQLITE_OK else {
            throw SQLiteError(lastErrorOf: handle.database, result: result, .configure, sql: nil)
        }
    }
}

private final class FunctionBody: Sendable {
    let call: @Sendable (borrowing FunctionArguments) -> Int64

    init(call: @escaping @Sendable (borrowing FunctionArguments) -> Int64) {
        self.call = call
    }
}

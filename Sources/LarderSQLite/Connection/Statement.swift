import CSQLite

/// A prepared statement, lent to a closure by ``Connection/withStatement(_:_:)``.
///
/// ```swift
/// try connection.withStatement("SELECT title FROM note WHERE folder = ?") { statement in
///     try statement.bind(folder, at: 1)
///     while try statement.step() { titles.append(try statement.row.text(0)) }
/// }
/// ```
///
/// It comes without bindings, and goes back reset with its bindings cleared, whatever the closure does. Parameters count
/// from 1, columns from 0, as in SQLite. Stepping and binding allocate nothing.
public struct Statement: ~Copyable {
    /// The row the statement stands on; reading throws `.range` unless the last ``step()`` returned true.
    public let row: Row
    /// Held by whoever lends the connection that lends the statement; see there.
    unowned(unsafe) let connection: ConnectionHandle

    init(_ statement: OpaquePointer, on connection: ConnectionHandle) {
        row = Row(statement: statement)
        self.connection = connection
    }

    /// Goes to the next row; false when there is none. A step after that starts the statement anew.
    ///
    /// Throws `.interrupted` once the task that runs the operation is cancelled, `.busy` when a lock was not had within
    /// the busy limit, and `.abortRollback` when the transaction around it is gone.
    public func step() throws(SQLiteError) -> Bool {
        try connection.checkMayStep()
        let result = sqlite3_step(row.statement)
        if result == SQLITE_ROW { return true }
        if result == SQLITE_DONE { return false }
        throw failure(result, .step)
    }

    /// Runs the statement to its end, ignoring rows, and resets it for new bindings. Bindings stay until replaced.
    public func run() throws(SQLiteError) {
        defer { reset() }
        while try step() {}
    }

    /// Makes the statement ready to be bound and stepped from its start. Bindings stay.
    public func reset() {
        // The code it returns repeats what the last step threw.
        sqlite3_reset(row.statement)
    }

    /// Sets every parameter to NULL.
    public func clearBindings() {
        sqlite3_clear_bindings(row.statement)
    }

    public var parameterCount: Int32 { sqlite3_bind_parameter_count(row.statement) }

    /// Steps through all rows and collects what `body` makes of each.
    @inlinable
    public func collect<T>(_ body: (borrowing Row) throws -> T) throws -> [T] {
        var values: [T] = []
        while try step() { values.append(try body(row)) }
        return values
    }

    @inline(never)
    func failure(_ result: Int32, _ operation: SQLiteError.Operation) -> SQLiteError {
        SQLiteError(
            lastErrorOf: connection.database, result: result, operation,
            sql: sqlite3_sql(row.statement).map { String(cString: $0) })
    }
}

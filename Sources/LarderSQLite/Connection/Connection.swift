import CSQLite

/// A connection, lent to a closure by ``Database``. It cannot be copied or kept, so no other thread can ever meet it.
///
/// All calls are synchronous and run on the thread of the closure.
public struct Connection: ~Copyable {
    /// Alive as long as the connection is lent: see ``ConnectionHandle/lend(_:)``. Not a counted reference, because the
    /// optimiser of Swift 6.3 crashes on a noncopyable value built around a borrowed one.
    unowned(unsafe) let handle: ConnectionHandle

    fileprivate init(_ handle: ConnectionHandle) {
        self.handle = handle
    }

    /// Runs one statement to its end; rows it returns are dropped.
    public func execute(_ sql: SQL) throws(SQLiteError) {
        let prepared = try handle.take(sql.text)
        defer { handle.giveBack(prepared) }
        let statement = Statement(prepared.pointer, on: handle)
        do {
            try statement.bind(all: sql.arguments)
            try statement.run()
        } catch {
            throw error.with(arguments: sql.arguments)
        }
    }

    /// Runs every statement of a trusted text, in order, up to the first that fails. Nothing is cached or bound.
    public func executeScript(_ script: String) throws(SQLiteError) {
        try handle.executeScript(script)
    }

    /// All rows, each made into a value by `body` while SQLite stands on it.
    @inlinable
    public func query<T>(_ sql: SQL, _ body: (borrowing Row) throws -> T) throws -> [T] {
        try withBoundStatement(sql) { statement in try statement.collect(body) }
    }

    /// The first row, or nil when there is none. Further rows are not computed.
    @inlinable
    public func first<T>(_ sql: SQL, _ body: (borrowing Row) throws -> T) throws -> T? {
        try withBoundStatement(sql) { statement in try statement.step() ? try body(statement.row) : nil }
    }

    /// Lends the prepared statement of a trusted text; see ``Statement``.
    ///
    /// The text is a plain `String`: an interpolation in it is pasted, not bound. Statements are cached by text, so a
    /// text should be constant. Calls nest, with the same text
    /// as well: a statement in use is not lent twice.
    public func withStatement<R>(_ sql: String, _ body: (borrowing Statement) throws -> R) throws -> R {
        let prepared = try handle.take(sql)
        defer { handle.giveBack(prepared) }
        return try body(Statement(prepared.pointer, on: handle))
    }

    /// Rows inserted, updated or deleted by the last such statement, not counting triggers and foreign key actions.
    public var changes: Int { Int(sqlite3_changes64(handle.database)) }

    /// The row id of the last successful insert into a rowid table on this connection; 0 when there was none.
    public var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(handle.database) }

    /// Whether a transaction is open. False inside a write when SQLite had to roll it back by itself
    /// (<https://www.sqlite.org/lang_transaction.html>).
    public var isInTransaction: Bool { handle.isInTransaction }
}

extension Connection {
    /// Lends the prepared statement of `sql` with its values bound; its errors carry them. Not an overload of
    /// ``withStatement(_:_:)``: a literal would choose `String` there, and paste its interpolations.
    @usableFromInline
    func withBoundStatement<R>(_ sql: SQL, _ body: (borrowing Statement) throws -> R) throws -> R {
        try withStatement(sql.text) { statement in
            do {
                try statement.bind(all: sql.arguments)
                return try body(statement)
            } catch let error as SQLiteError where error.sql == sql.text {
                throw error.with(arguments: sql.arguments)
            }
        }
    }
}

extension ConnectionHandle {
    /// The only place that makes a ``Connection``, and holds the handle until the closure has returned.
    func lend<R>(_ body: (borrowing Connection) throws -> R) throws -> R {
        defer { withExtendedLifetime(self) {} }
        return try body(Connection(self))
    }
}

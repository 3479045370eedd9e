import CSQLite

/// The owner of one `sqlite3*`: closes it, caches its statements, and knows the operation it works for.
///
/// Nothing in it is locked, and SQLite's own mutexes are off (`SQLITE_OPEN_NOMUTEX`).
// @unchecked Sendable: one thread at a time. Readers belong to whoever took them out of `ReaderPool`, whose Mutex hands
// them over; the writer is only touched with `Writer`'s lock held.
final class ConnectionHandle: @unchecked Sendable {
    let database: OpaquePointer
    let configuration: Configuration
    var statements: StatementCache
    /// The operation under way, if it can be cancelled.
    var cancellation: Cancellation?
    /// While true, a statement that could write is refused before it runs.
    var isReading = false
    /// Transactions and savepoints of this layer that are open.
    var transactionDepth = 0
    /// A rollback failed: the connection may still hold a transaction, and perhaps a lock.
    var isSuspect = false
    private var busyDeadline = ContinuousClock.now
    /// How long to wait for locks, if not up to the busy limit.
    var patience: Duration?
    /// Pages in the write-ahead log after the latest commit of the writer, until that was seen to.
    var logPages: Int?
    var logKeeping: LogKeeping

    /// Takes `database` over, also when it throws later.
    init(_ database: OpaquePointer, configuration: Configuration) {
        self.database = database
        self.configuration = configuration
        statements = StatementCache(capacity: configuration.statementCacheCapacity)
        logKeeping = LogKeeping(configuration)
        installBusyHandler()
    }

    deinit {
        statements.removeAll()
        // The handlers point here.
        sqlite3_busy_handler(database, nil, nil)
        sqlite3_wal_hook(database, nil, nil)
        // The v2 form takes a handle whose statements are not all finalised, and never fails.
        sqlite3_close_v2(database)
    }

    var isInTransaction: Bool { sqlite3_get_autocommit(database) == 0 }

    /// What every step asks first. An interrupt that falls between two statements has no effect on the second, so the
    /// flag is read here; and after SQLite has rolled a transaction back by itself (disk full, I/O error, interrupt),
    /// further writes would each commit on their own.
    func checkMayStep() throws(SQLiteError) {
        if let cancellation, isReading ? cancellation.isToStop : cancellation.isCancelled {
            throw SQLiteError(.interrupted, .step, "the task was cancelled")
        }
        if transactionDepth > 0, !isInTransaction { throw lostTransaction }
    }

    var lostTransaction: SQLiteError {
        SQLiteError(.abortRollback, .step, "the transaction is gone: an earlier error or statement ended it")
    }
}

// MARK: - Statements

extension ConnectionHandle {
    /// A statement for this text, out of the cache or new. To be given back by ``giveBack(_:)``.
    func take(_ sql: String) throws(SQLiteError) -> PreparedStatement {
        let statement: PreparedStatement
        if let kept = statements.take(sql) {
            statement = kept
        } else {
            statement = try prepare(sql)
            statements.insert(statement, for: sql)
        }
        guard statement.isReadOnly || !isReading else {
            giveBack(statement)
            throw SQLiteError(.readOnly, .prepare, "a statement that writes inside a read", sql: sql)
        }
        return statement
    }

    func giveBack(_ statement: PreparedStatement) {
        sqlite3_reset(statement.pointer)
        // Also forgets bytes bound without a copy, whose memory may go now.
        sqlite3_clear_bindings(statement.pointer)
        statement.isInUse = false
    }

    private func prepare(_ sql: String) throws(SQLiteError) -> PreparedStatement {
        var text = sql
        var pointer: OpaquePointer?
        var rest = false
        let result = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                var tail: UnsafePointer<CChar>?
                let result = sqlite3_prepare_v3(
                    database, characters.baseAddress, Int32(clamping: characters.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, &tail)
                rest = result == SQLITE_OK && holdsStatement(characters, from: tail)
                return result
            }
        }
        guard result == SQLITE_OK else {
            throw SQLiteError(lastErrorOf: database, result: result, .prepare, sql: sql)
        }
        guard let pointer else { throw SQLiteError(.misuse, .prepare, "the text holds no statement", sql: sql) }
        let statement = PreparedStatement(pointer)
        guard !rest else {
            throw SQLiteError(.misuse, .prepare, "more than one statement: use executeScript", sql: sql)
        }
        return statement
    }

    /// Whether more than blanks and comments follow. Only SQLite knows its comments, so it is asked to prepare them.
    private func holdsStatement(_ text: UnsafeBufferPointer<CChar>, from tail: UnsafePointer<CChar>?) -> Bool {
        guard let start = text.baseAddress, let tail, tail < start + text.count, tail.pointee != 0 else { return false }
        var pointer: OpaquePointer?
        let result = sqlite3_prepare_v2(database, tail, Int32(clamping: start + text.count - tail), &pointer, nil)
        sqlite3_finalize(pointer)
        return result != SQLITE_OK || pointer != nil
    }

    /// Runs a statement of this layer's own (BEGIN, COMMIT…), which cancellation and lost transactions do not stop.
    func control(_ sql: String, _ operation: SQLiteError.Operation) throws(SQLiteError) {
        let statement = try take(sql)
        defer { giveBack(statement) }
        var result = sqlite3_step(statement.pointer)
        while result == SQLITE_ROW { result = sqlite3_step(statement.pointer) }
        guard result == SQLITE_DONE else {
            throw SQLiteError(lastErrorOf: database, result: result, operation, sql: sql)
        }
    }
}

// MARK: - Waiting for locks

extension ConnectionHandle {
    /// SQLite's own timeout cannot be cancelled and counts its naps instead of the clock, so the handler is ours.
    private func installBusyHandler() {
        sqlite3_busy_handler(
            database,
            { context, attempt in
                guard let context else { return 0 }
                let handle = Unmanaged<ConnectionHandle>.fromOpaque(context).takeUnretainedValue()
                return handle.waitWhileBusy(attempt) ? 1 : 0
            },
            Unmanaged.passUnretained(self).toOpaque())
    }

    /// Naps before another try for a lock; false when the busy limit is reached or the task was cancelled.
    func waitWhileBusy(_ attempt: Int32) -> Bool {
        if let cancellation, cancellation.isToStop { return false }
        let now = ContinuousClock.now
        if attempt == 0 { busyDeadline = now + (patience ?? configuration.busyLimit) }
        guard now < busyDeadline else { return false }
        let left = (busyDeadline - now).components
        let leftMilliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1
        // Short naps first, since most write transactions last a few milliseconds.
        let nap = min(Int64(1) << min(Int64(attempt), 5), leftMilliseconds)
        sqlite3_sleep(Int32(nap))
        return true
    }
}

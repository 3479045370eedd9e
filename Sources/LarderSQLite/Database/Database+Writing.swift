import Dispatch

extension Database {
    /// Runs `body` in a transaction that holds the write lock from its start, on the writer's own thread.
    ///
    /// Returns after the commit: a crash of the process cannot undo it any more (for a power cut see
    /// ``Configuration/synchronous``). When `body` or the commit throws, everything is rolled back and the first error
    /// thrown. Waits behind the writes asked for earlier; readers neither wait nor are waited for.
    ///
    /// Cancelling the task before the commit interrupts the running statement, rolls back and throws
    /// `CancellationError`; a write whose turn has not come does not start.
    ///
    /// `body` runs a second time where the disk was full and room could be made (``Configuration/makeRoom``).
    ///
    /// - Throws: ``SQLiteError`` `.busy` when another process holds the write lock beyond the busy limit, `.full` when
    ///   the disk is; and what `body` throws.
    public nonisolated(nonsending) func write<R: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> R
    ) async throws -> R {
        try await write(in: .immediate, body)
    }

    /// ``write(_:)`` that blocks the calling thread instead, and cannot be cancelled. Throws `.misuse` inside a write.
    public func writeSync<R>(_ body: (borrowing Connection) throws -> R) throws -> R {
        try writer.refuseReentry()
        return try writer.queue.sync {
            gate.enter()
            defer { gate.leave() }
            return try perform(.immediate, cancellation: nil, body)
        }
    }

    /// ``writeSync(_:)`` for what is only worth writing if that can be done at once, right before ``close()``: from here on
    /// nothing waits for another process's lock for longer than a tenth of a second.
    package func lastWriteSync<R>(_ body: (borrowing Connection) throws -> R) throws -> R {
        try writer.refuseReentry()
        return try writer.queue.sync {
            gate.enter()
            defer { gate.leave() }
            // SQLite's own handler takes the place of the one with the busy limit.
            try perform(nil, cancellation: nil) { db in try db.executeScript("PRAGMA busy_timeout = 100") }
            return try perform(.immediate, cancellation: nil, body)
        }
    }

    /// Lends the writer without a transaction, each statement committing by itself: for `VACUUM` and pragmas that a
    /// transaction does not admit. Otherwise as ``write(_:)``.
    public nonisolated(nonsending) func withWriter<R: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> R
    ) async throws -> R {
        try await write(in: nil, body)
    }

    private nonisolated(nonsending) func write<R: Sendable>(
        in transaction: ConnectionHandle.Transaction?,
        _ body: @escaping @Sendable (borrowing Connection) throws -> R
    ) async throws -> R {
        try await onQueue(writer.queue, gate) { cancellation in
            do {
                return try self.perform(transaction, cancellation: cancellation, body)
            } catch let error as SQLiteError where error.isOfFullDisk && transaction != nil {
                guard let begin = self.configuration.makeRoom?() else { throw error }
                return try self.perform(transaction, cancellation: cancellation) { db in
                    try begin(db)
                    return try body(db)
                }
            }
        }
    }

    private func perform<R>(
        _ transaction: ConnectionHandle.Transaction?, cancellation: Cancellation?,
        _ body: (borrowing Connection) throws -> R
    ) throws -> R {
        try reportingFailure { try performNow(transaction, cancellation: cancellation, body) }
    }

    /// Runs an operation and tells ``Configuration/onFailure`` if it fails.
    func reportingFailure<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch {
            configuration.onFailure?(error)
            throw error
        }
    }

    private func performNow<R>(
        _ transaction: ConnectionHandle.Transaction?, cancellation: Cancellation?,
        _ body: (borrowing Connection) throws -> R
    ) throws -> R {
        try writer.use { handle in
            // In memory, who reads waits for this: what was written is never seen under the mark of before.
            defer {
                marks.noteWrite()
                handle.tendLog()
            }
            return try handle.perform(transaction, isReading: false, cancellation: cancellation, body)
        }
    }
}

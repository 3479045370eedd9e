import Dispatch

extension Database {
    /// Lends a connection that cannot write, on the caller's thread, without a transaction: each statement sees the last
    /// commit before it. The cheapest way to read with one statement.
    ///
    /// Never waits for a writer or another reader: when no reader is idle, one is opened (a fraction of a millisecond).
    /// Blocks its thread for the time of the read; use ``scan(_:)`` where that is long.
    public func withReader<R>(_ body: (borrowing Connection) throws -> R) throws -> R {
        try read(in: nil, cancellation: nil, body)
    }

    /// Lends a connection that cannot write, on the caller's thread, in one transaction: all statements see the same
    /// commit. Otherwise as ``withReader(_:)``.
    public func read<R>(_ body: (borrowing Connection) throws -> R) throws -> R {
        try read(in: .deferred, cancellation: nil, body)
    }

    /// ``read(_:)`` for what takes long: runs on a thread that may block, outside the cooperative pool.
    ///
    /// Cancelling the task interrupts the running statement and throws `CancellationError`. While the database is suspended
    /// (``suspend()``) it waits, and is begun anew if it was under way: `body` must have no effects of its own. The way to another
    /// thread and back costs as much as several short reads.
    public nonisolated(nonsending) func scan<R: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> R
    ) async throws -> R {
        // A serial queue has a thread of its own. On Linux a concurrent queue takes its threads out of the same few that
        // run all tasks, so that scans would keep the very task from running that could cancel them.
        let queue = DispatchQueue(label: "LarderSQLite.scan")
        return try await onQueue(queue, gate) { cancellation in
            try self.read(in: .deferred, cancellation: cancellation, body)
        }
    }

    private func read<R>(
        in transaction: ConnectionHandle.Transaction?, cancellation: Cancellation?,
        _ body: (borrowing Connection) throws -> R
    ) throws -> R {
        try reportingFailure {
            try takeAndRead(in: transaction, cancellation: cancellation, body)
        }
    }

    private func takeAndRead<R>(
        in transaction: ConnectionHandle.Transaction?, cancellation: Cancellation?,
        _ body: (borrowing Connection) throws -> R
    ) throws -> R {
        guard let readers else {
            return try writer.use { handle in
                try handle.perform(transaction, isReading: true, cancellation: cancellation, body)
            }
        }
        let handle = try readers.take()
        defer { readers.giveBack(handle) }
        return try handle.perform(transaction, isReading: true, cancellation: cancellation, body)
    }
}

/// Transactions by BEGIN and COMMIT, and inside them savepoints (<https://www.sqlite.org/lang_savepoint.html>).
extension ConnectionHandle {
    enum Transaction: String {
        /// One snapshot for all reads, taken at the first (in WAL mode).
        case deferred = "BEGIN DEFERRED"
        /// The write lock at once, so that the busy limit applies here and no later statement meets `.busySnapshot`.
        case immediate = "BEGIN IMMEDIATE"
    }

    /// Commits when `body` returns; rolls back when it throws, when the operation was cancelled before the commit, and
    /// when the commit fails. The first error is the one thrown.
    func transaction<R>(_ kind: Transaction, _ body: (borrowing Connection) throws -> R) throws -> R {
        try checkMayStep()
        try control(kind.rawValue, .begin)
        transactionDepth += 1
        defer { transactionDepth -= 1 }
        do {
            let result = try lend(body)
            // From here on a cancellation comes too late: it must not hit the commit half way.
            try sealCancellation()
            guard isInTransaction else { throw lostTransaction }
            try control("COMMIT", .commit)
            return result
        } catch {
            // Nor may it hit the rollback.
            cancellation?.detach()
            rollBackIfNeeded()
            throw error
        }
    }

    private func sealCancellation() throws(SQLiteError) {
        guard let cancellation else { return }
        cancellation.detach()
        if cancellation.isCancelled { throw SQLiteError(.interrupted, .commit, "the task was cancelled") }
    }

    /// Leaves no transaction open. A rollback that fails (the disk is gone) is tried again by the next operation, which
    /// is refused while it fails; the error that led here is the one worth throwing.
    func rollBackIfNeeded() {
        guard isInTransaction else { return }
        do {
            try control("ROLLBACK", .rollback)
        } catch {
            isSuspect = true
        }
    }

    /// Releases when `body` returns, undoes what `body` did when it throws.
    func savepoint<R>(_ body: (borrowing Connection) throws -> R) throws -> R {
        try checkMayStep()
        // One name serves all: SQLite takes the innermost.
        try control("SAVEPOINT larder", .savepoint)
        transactionDepth += 1
        defer { transactionDepth -= 1 }
        do {
            let result = try lend(body)
            try checkMayStep()
            try control("RELEASE larder", .savepoint)
            return result
        } catch {
            undoSavepoint()
            throw error
        }
    }

    private func undoSavepoint() {
        guard isInTransaction else { return }
        do {
            try control("ROLLBACK TO larder", .rollback)
            try control("RELEASE larder", .savepoint)
        } catch {
            // Half an undone savepoint must not be committed: without it, the whole transaction goes.
            rollBackIfNeeded()
        }
    }
}

extension Connection {
    /// A part of a transaction that can fail alone: what `body` wrote is undone when it throws, and the error goes on.
    /// Whoever catches it may continue the transaction. Savepoints nest. Outside a transaction it is one.
    public func savepoint<R>(_ body: (borrowing Connection) throws -> R) throws -> R {
        try handle.savepoint(body)
    }
}

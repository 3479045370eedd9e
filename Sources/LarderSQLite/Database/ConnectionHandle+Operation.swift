extension ConnectionHandle {
    /// Runs one operation from start to end: what every read and write of ``Database`` comes down to.
    ///
    /// Throws `CancellationError` when the cancellation is what stopped it; an error of `body`'s own goes on as it is.
    func perform<R>(
        _ transaction: Transaction?, isReading: Bool, cancellation: Cancellation?,
        _ body: (borrowing Connection) throws -> R
    ) throws -> R {
        if isInTransaction { try control("ROLLBACK", .rollback) }
        isSuspect = false
        self.isReading = isReading
        self.cancellation = cancellation
        cancellation?.attach(to: self)
        defer {
            cancellation?.detach()
            // A BEGIN of the body's own that it left open.
            rollBackIfNeeded()
            self.cancellation = nil
            self.isReading = false
        }
        do {
            guard let transaction else { return try lend(body) }
            return try self.transaction(transaction, body)
        } catch let error as SQLiteError where wasCancelled(error) {
            throw CancellationError()
        }
    }

    /// A wait for a lock that was cut short by the cancellation ends as busy.
    private func wasCancelled(_ error: SQLiteError) -> Bool {
        guard let cancellation, cancellation.isCancelled else { return false }
        return error.code.primary == .interrupted || error.code.primary == .busy
    }
}

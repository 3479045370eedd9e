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
            // An interrupt that came after the last statement leaves its mark until the next step, and would end whatever is
            // prepared here first: SQLite has no way to take it back. A reader is not lent again then.
            if isReading, cancellation?.isToStop == true { isSuspect = true }
            // A BEGIN of the body's own that it left open.
            rollBackIfNeeded()
            self.cancellation = nil
            self.isReading = false
        }
        do {
            guard let transaction else { return try lend(body) }
            if !isReading {
                if cancellation?.isSuspended == true { throw Suspended() }
                try refuseIfLogIsFull()
            }
            return try self.transaction(transaction, body)
        } catch let error as SQLiteError where wasCancelled(error) {
            throw CancellationError()
        } catch let error as SQLiteError where wasSuspended(error) {
            throw Suspended()
        }
    }

    /// A read was interrupted, or a write stopped waiting for the lock that it begins with.
    private func wasSuspended(_ error: SQLiteError) -> Bool {
        guard let cancellation, cancellation.isSuspended else { return false }
        return isReading ? error.code.primary == .interrupted : error.isBusyAtBegin
    }

    /// A wait for a lock that was cut short by the cancellation ends as busy.
    private func wasCancelled(_ error: SQLiteError) -> Bool {
        guard let cancellation, cancellation.isCancelled else { return false }
        return error.code.primary == .interrupted || error.code.primary == .busy
    }
}

extension SQLiteError {
    fileprivate var isBusyAtBegin: Bool { code.primary == .busy && operation == .begin }
}

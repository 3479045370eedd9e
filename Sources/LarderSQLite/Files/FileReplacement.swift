import CSQLite

/// Puts the contents of one database in the place of another's, in one transaction: whoever has that open sees a commit
/// (<https://www.sqlite.org/backup.html>).
package final class FileReplacement {
    private let source: FileConnection
    private let target: FileConnection
    private var backup: OpaquePointer?

    /// Takes the write lock of `target`, and changes nothing yet.
    package init(of target: FileConnection, by source: FileConnection) throws(SQLiteError) {
        self.source = source
        self.target = target
        backup = sqlite3_backup_init(target.handle.database, "main", source.handle.database, "main")
        guard let backup else {
            throw SQLiteError(lastErrorOf: target.handle.database, result: SQLITE_ERROR, .begin, sql: nil)
        }
        // No page is copied, but the locks are taken.
        try step(backup, 0)
    }

    deinit {
        // Undoes what was not completed.
        if let backup { sqlite3_backup_finish(backup) }
    }

    /// Copies everything and commits.
    package func run() throws(SQLiteError) {
        guard let backup else { return }
        try step(backup, -1)
        self.backup = nil
        let result = sqlite3_backup_finish(backup)
        guard result == SQLITE_OK else {
            throw SQLiteError(lastErrorOf: target.handle.database, result: result, .commit, sql: nil)
        }
    }

    /// A copy does not call the busy handler for every lock it needs.
    private func step(_ backup: OpaquePointer, _ pages: Int32) throws(SQLiteError) {
        let end = ContinuousClock.now + target.handle.configuration.busyLimit
        while true {
            let result = sqlite3_backup_step(backup, pages)
            switch result & 0xFF {
            case SQLITE_OK, SQLITE_DONE: return
            case SQLITE_BUSY where ContinuousClock.now < end, SQLITE_LOCKED where ContinuousClock.now < end:
                sqlite3_sleep(5)
            default: throw SQLiteError(lastErrorOf: target.handle.database, result: result, .step, sql: nil)
            }
        }
    }
}

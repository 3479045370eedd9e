import CSQLite
import Foundation

/// The write-ahead log of the writer is seen to by hand: SQLite's own way begins it anew only in a moment without readers, which
/// may never come (<https://www.sqlite.org/wal.html>, "Avoiding Excessively Large WAL Files").
extension ConnectionHandle {
    func observeLog() {
        sqlite3_wal_hook(
            database,
            { context, _, name, pages in
                guard let context, let name, strcmp(name, "main") == 0 else { return SQLITE_OK }
                Unmanaged<ConnectionHandle>.fromOpaque(context).takeUnretainedValue().logPages = Int(pages)
                return SQLITE_OK
            },
            Unmanaged.passUnretained(self).toOpaque())
    }

    /// Sees to the log after something was committed. What cannot be done now is done after a later commit.
    func tendLog() {
        guard let pages = logPages else { return }
        logPages = nil
        let step = logKeeping.committed(pages * configuration.pageSize)
        do {
            switch step {
            case .none:
                break
            case .move:
                let result = try checkpoint(.passive, patience: .zero)
                if result.movedPages == result.logPages { logKeeping.wasMoved() } else { giveUp(step) }
            case .empty(let patience):
                try checkpoint(.truncate, patience: patience)
            }
        } catch {
            giveUp(step)
        }
        configuration.onLog?(.written(bytes: logKeeping.size))
    }

    private func giveUp(_ step: LogKeeping.Step) {
        if logKeeping.failed(step) { configuration.onLog?(.grows(bytes: logKeeping.size)) }
    }

    /// Waits until a log that is too large has been emptied, the first time, and throws where it cannot be.
    func refuseIfLogIsFull() throws {
        guard logKeeping.isFull else { return }
        do {
            try checkpoint(.truncate, patience: logKeeping.hasRefused ? .zero : nil)
        } catch let error as SQLiteError where error.code.primary == .busy {
            // Another process may have emptied it, and it is in use again.
            logKeeping.found(try checkpoint(.passive, patience: .zero).logPages * configuration.pageSize)
            guard logKeeping.isFull else { return }
            logKeeping.hasRefused = cancellation?.isToStop != true
            throw SQLiteError(
                .busy, .begin,
                "a reader has kept the write-ahead log from being emptied, which has \(logKeeping.size >> 20) MB by now"
            )
        }
    }
}

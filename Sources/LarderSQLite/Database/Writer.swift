import Dispatch
import Foundation

/// The one connection that writes, and for a database in memory the only one there is.
///
/// `queue` gives writes their order and a thread of their own. `lock` guards the connection; in memory, readers come to
/// it from their own threads.
// @unchecked Sendable: `handle` and `isInUse` are only touched with `lock` held.
final class Writer: @unchecked Sendable {
    let queue = DispatchQueue(label: "LarderSQLite.writer")
    /// Recursive only in order to notice a call from inside a call, and to refuse it.
    private let lock = NSRecursiveLock()
    private var handle: ConnectionHandle?
    private var isInUse = false

    init(_ handle: ConnectionHandle) {
        self.handle = handle
    }

    func use<R>(_ body: (ConnectionHandle) throws -> R) throws -> R {
        lock.lock()
        defer { lock.unlock() }
        guard !isInUse else { throw SQLiteError.reentrant }
        guard let handle else { throw SQLiteError.closed }
        isInUse = true
        defer { isInUse = false }
        return try body(handle)
    }

    /// Throws when this thread is inside ``use(_:)``, where waiting for the queue would never end.
    func refuseReentry() throws(SQLiteError) {
        if isUsedHere { throw SQLiteError.reentrant }
    }

    /// Closes after the writes queued so far; from inside a write, when that write has ended.
    func close() {
        guard !isUsedHere else {
            handle = nil
            return
        }
        queue.sync {
            lock.lock()
            let last = handle
            handle = nil
            lock.unlock()
            withExtendedLifetime(last) {}
        }
    }

    private var isUsedHere: Bool {
        guard lock.try() else { return false }
        defer { lock.unlock() }
        return isInUse
    }
}

extension SQLiteError {
    static var reentrant: SQLiteError {
        SQLiteError(.misuse, .begin, "called inside a write of the same database: use the connection at hand")
    }
}

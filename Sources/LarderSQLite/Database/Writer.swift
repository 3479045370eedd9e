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

    /// Marks the queue, so that whoever runs on it can be told.
    private static let mark = DispatchSpecificKey<ObjectIdentifier>()

    init(_ handle: ConnectionHandle) {
        self.handle = handle
        queue.setSpecific(key: Self.mark, value: ObjectIdentifier(self))
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

    /// Throws where waiting for the queue would never end: inside ``use(_:)``, and on the queue itself.
    func refuseReentry() throws(SQLiteError) {
        if isUsedHere || isOnQueue { throw SQLiteError.reentrant }
    }

    /// Closes after the writes queued so far; from inside a write, when that write has ended. On the queue, where a write
    /// that is over may release the last object that closes in its `deinit`, at once.
    func close() {
        if isUsedHere {
            handle = nil
        } else if isOnQueue {
            drop()
        } else {
            queue.sync { drop() }
        }
    }

    private func drop() {
        lock.lock()
        let last = handle
        handle = nil
        lock.unlock()
        withExtendedLifetime(last) {}
    }

    private var isOnQueue: Bool {
        DispatchQueue.getSpecific(key: Self.mark) == ObjectIdentifier(self)
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

import CSQLite
import Synchronization

/// Carries the cancellation of one operation to the connection that works for it, and to no other.
///
/// An interrupt is only sent with the lock held and while the operation is attached to a connection, and it detaches
/// before it lets the connection go: so the interrupt meets no later operation and no closed connection. One that falls
/// between two statements is forgotten by SQLite, hence the flag, which every step reads.
package final class Cancellation: Sendable {
    private enum Phase {
        /// In a queue. `wake` ends the wait of the caller.
        case queued(wake: @Sendable () -> Void)
        case attached(Target)
        /// Between the two, or past both.
        case idle
    }

    // @unchecked Sendable: used for sqlite3_interrupt alone, which any thread may call on an open connection, and only
    // under the lock of `phase`.
    private struct Target: @unchecked Sendable {
        let database: OpaquePointer
        let isReading: Bool
    }

    private let flag = Atomic(false)
    /// The operation is to stop, and to be begun anew later.
    private let isInterrupted = Atomic(false)
    private let phase = Mutex(Phase.idle)

    package var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Whether the operation has to give up waiting, or reading.
    package var isToStop: Bool { isCancelled || isInterrupted.load(ordering: .relaxed) }

    /// Whether it was interrupted and not cancelled.
    var isSuspended: Bool { !isCancelled && isInterrupted.load(ordering: .relaxed) }

    /// What to throw by an operation that has given up, and has had no effect.
    package var reason: (any Error)? { isCancelled ? CancellationError() : isSuspended ? Suspended() : nil }

    func cancel() {
        let wake: (@Sendable () -> Void)? = phase.withLock { phase in
            flag.store(true, ordering: .relaxed)
            switch phase {
            case .queued(let wake):
                phase = .idle
                return wake
            case .attached(let target):
                sqlite3_interrupt(target.database)
                return nil
            case .idle:
                return nil
            }
        }
        wake?()
    }

    /// Stops the operation under way for now: where it waits for a lock, and where it only reads.
    func interrupt() {
        phase.withLock { phase in
            isInterrupted.store(true, ordering: .relaxed)
            if case .attached(let target) = phase, target.isReading { sqlite3_interrupt(target.database) }
        }
    }

    /// False when it is cancelled already; `wake` is then not called.
    func enqueue(wake: @escaping @Sendable () -> Void) -> Bool {
        phase.withLock { phase in
            guard !isCancelled else { return false }
            isInterrupted.store(false, ordering: .relaxed)
            phase = .queued(wake: wake)
            return true
        }
    }

    /// False when it was cancelled while queued: the caller was woken, and the operation must not start.
    func dequeue() -> Bool {
        phase.withLock { phase in
            guard case .queued = phase else { return false }
            phase = .idle
            return true
        }
    }

    func attach(to handle: ConnectionHandle) {
        let target = Target(database: handle.database, isReading: handle.isReading)
        phase.withLock { $0 = .attached(target) }
    }

    /// After this, no interrupt is sent. Whether one was due is settled as well: see ``isCancelled``.
    func detach() {
        phase.withLock { $0 = .idle }
    }
}

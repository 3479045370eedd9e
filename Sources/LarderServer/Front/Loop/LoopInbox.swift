import CEvents
import Synchronization

/// What other threads have to say to a loop.
///
/// The descriptors that wake the loop are closed by it under the lock, and used by nobody after that.
final class LoopInbox: Sendable {
    /// A connection that another loop has accepted.
    struct Arrival: Sendable {
        let socket: Int32
        let peer: String
    }

    struct Contents: Sendable {
        var mailboxes: [ExchangeMailbox] = []
        var arrivals: [Arrival] = []
        /// How long exchanges may go on, once the loop is to stop.
        var stopWithin: Duration?
        /// Others look for places.
        var isCrowded = false
    }

    private struct State {
        var contents = Contents()
        var isSignalled = false
        var isClosed = false
    }

    private let wakeUp: larder_wakeup
    private let state = Mutex(State())

    init(_ wakeUp: larder_wakeup) {
        self.wakeUp = wakeUp
    }

    func post(_ mailbox: ExchangeMailbox) { tell { $0.mailboxes.append(mailbox) } }

    /// - Returns: `false` when the loop has ended, and the connection is still the caller's.
    func post(_ arrival: Arrival) -> Bool { tell { $0.arrivals.append(arrival) } }

    func makeRoom() { tell { $0.isCrowded = true } }

    func stop(within limit: Duration) {
        tell { $0.stopWithin = min($0.stopWithin ?? limit, limit) }
    }

    @discardableResult
    private func tell(_ change: (inout Contents) -> Void) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            change(&state.contents)
            if !state.isSignalled {
                state.isSignalled = true
                larder_wakeup_signal(wakeUp)
            }
            return true
        }
    }

    // MARK: On the loop's thread

    var readable: Int32 { wakeUp.readable }

    func take() -> Contents {
        state.withLock { state in
            if state.isSignalled {
                larder_wakeup_clear(wakeUp)
                state.isSignalled = false
            }
            defer { state.contents = Contents() }
            return state.contents
        }
    }

    /// Nothing is taken any more. What was posted and not taken is given back.
    func close() -> Contents {
        state.withLock { state in
            state.isClosed = true
            larder_wakeup_close(wakeUp)
            defer { state.contents = Contents() }
            return state.contents
        }
    }
}

import Dispatch
import Synchronization

/// Whether a server's handler tells of a request before it answers, and whether it waits then.
///
/// State: `flags`, under its lock.
final class Hold: Sendable {
    private struct Flags {
        var isOn = false
        var untilReleased = false
    }

    private let flags = Mutex(Flags())
    /// Signalled once to let one waiting handler go on.
    let gate = DispatchSemaphore(value: 0)

    var isOn: Bool {
        get { flags.withLock { $0.isOn } }
        set { flags.withLock { $0.isOn = newValue } }
    }

    var untilReleased: Bool {
        get { flags.withLock { $0.untilReleased } }
        set { flags.withLock { $0.untilReleased = newValue } }
    }
}

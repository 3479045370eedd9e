import Synchronization

/// The idle readers of one file. Whoever takes one owns it until it is given back; when none is idle a new one is
/// opened, so that no reader ever waits for another.
final class ReaderPool: Sendable {
    private struct State {
        var idle: [ConnectionHandle] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let path: String
    private let configuration: Configuration

    init(path: String, configuration: Configuration) {
        self.path = path
        self.configuration = configuration
    }

    func take() throws -> ConnectionHandle {
        let (idle, isClosed) = state.withLock { ($0.idle.popLast(), $0.isClosed) }
        if isClosed { throw SQLiteError.closed }
        return try idle ?? ConnectionHandle.openReader(path: path, configuration: configuration)
    }

    /// One that nobody uses, if there is one.
    func takeIdle() -> ConnectionHandle? { state.withLock { $0.idle.popLast() } }

    /// The last one used is the first taken: its pages and statements are warm.
    func giveBack(_ handle: ConnectionHandle) {
        guard !handle.isSuspect else { return }
        state.withLock { state in
            guard !state.isClosed, state.idle.count < configuration.maximumIdleReaders else { return }
            state.idle.append(handle)
        }
    }

    /// Closes the idle ones; those in use are closed when given back.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        // Closing reads and writes files, so not under the lock.
        withExtendedLifetime(idle) {}
    }

    var idleCount: Int { state.withLock { $0.idle.count } }
}

extension SQLiteError {
    static var closed: SQLiteError { SQLiteError(.misuse, .open, "the database is closed") }

    /// Whether the database had been closed by ``Database/close()``.
    package var isOfClosedDatabase: Bool { code == .misuse && operation == .open }
}

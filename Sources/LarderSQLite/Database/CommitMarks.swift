import CSQLite
import Synchronization

/// Where the marks of one database come from: in memory a count of its writes, for a file what SQLite keeps in the shared
/// memory of its WAL-index.
///
/// That memory is mapped for as long as a connection has the file open in WAL mode, so there is one of its own for this, which
/// runs nothing: SQL that an app gives the writer could leave WAL mode, but not while this one is there.
// @unchecked Sendable: for the pointer `index`. What it points to is only read, by atomic loads and past `gate`, which keeps
// the connection, and so the mapping, from being closed meanwhile.
final class CommitMarks: @unchecked Sendable {
    /// How many are looking at the index now, and, below zero, that no more may.
    private let gate = Atomic<Int>(0)
    private static let closed = Int.min
    /// Read by those who have passed the gate.
    private let index = Atomic<UnsafeRawPointer?>(nil)
    private let connection = Mutex(Connection.none)
    private let writes = Atomic<UInt64>(0)
    private let source = CommitMark.newSource()
    private let location: Location
    private let configuration: Configuration

    private enum Connection: Sendable {
        case none
        case open(ConnectionHandle)
        /// It could not be opened, or shows no index: not tried again.
        case failed
    }

    init(_ location: Location, configuration: Configuration) {
        self.location = location
        self.configuration = configuration
    }

    var current: CommitMark {
        // Looked at before it is passed, so that who comes after the end does not keep it from coming.
        guard gate.load(ordering: .relaxed) >= 0 else { return .unique() }
        let isOpen = gate.wrappingAdd(1, ordering: .acquiring).oldValue >= 0
        defer { gate.wrappingSubtract(1, ordering: .releasing) }
        guard isOpen else { return .unique() }
        guard case .file(let path) = location else {
            return CommitMark(source: source, count: writes.load(ordering: .acquiring))
        }
        guard let index = index.load(ordering: .acquiring) ?? open(path) else { return .unique() }
        return CommitMark(source: source, larder_read_wal_head(index))
    }

    /// A write of the connection of a database in memory has ended; to be said before another can use that connection.
    func noteWrite() {
        writes.wrappingAdd(1, ordering: .releasing)
    }

    /// Waits for those who are looking. When this returns the connection is closed, so that another one can be the last.
    func close() {
        gate.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing)
        // They stay for some nanoseconds, but for one that is opening the connection.
        while gate.load(ordering: .acquiring) != Self.closed { sqlite3_sleep(1) }
        connection.withLock { $0 = .none }
    }

    private func open(_ path: String) -> UnsafeRawPointer? {
        connection.withLock { connection in
            switch connection {
            case .open:
                return index.load(ordering: .acquiring)
            case .failed:
                return nil
            case .none:
                guard let handle = try? ConnectionHandle.openWatcher(path: path, configuration: configuration),
                    let found = larder_wal_index(handle.database)
                else {
                    connection = .failed
                    return nil
                }
                connection = .open(handle)
                index.store(found, ordering: .releasing)
                return found
            }
        }
    }
}

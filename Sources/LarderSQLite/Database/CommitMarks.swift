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
    /// How many are looking at the index now, and, below zero, that no more may: ``close()`` waits for nobody, and whoever is
    /// the last to go closes the connection.
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
        case closed
    }

    init(_ location: Location, configuration: Configuration) {
        self.location = location
        self.configuration = configuration
    }

    var current: CommitMark {
        let isOpen = gate.wrappingAdd(1, ordering: .acquiring).oldValue >= 0
        defer { leave() }
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

    func close() {
        let isLast = gate.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing).newValue == Self.closed
        if isLast { closeConnection() }
    }

    private func leave() {
        let isLast = gate.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == Self.closed
        if isLast { closeConnection() }
    }

    private func open(_ path: String) -> UnsafeRawPointer? {
        connection.withLock { connection in
            switch connection {
            case .open:
                return index.load(ordering: .acquiring)
            case .failed, .closed:
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

    private func closeConnection() {
        let last = connection.withLock { connection in
            let last = connection
            connection = .closed
            return last
        }
        // Closing reads and writes files, so not under the lock.
        withExtendedLifetime(last) {}
    }
}

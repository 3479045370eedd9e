/// Where a database lives.
public enum Location: Sendable, Hashable {
    /// A file, made with permissions 0600 when it is missing; its folder must exist. SQLite keeps `-wal` and `-shm`
    /// beside it. The path is plain, never a URI.
    case file(String)
    /// Memory, for this ``Database`` alone.
    case memory
}

/// How a ``Database`` opens its connections. The defaults suit a cache that is read much and may lose its last
/// transactions to a power cut, though never its soundness.
public struct Configuration: Sendable {
    /// What is synced to the disk, and when (<https://www.sqlite.org/pragma.html#pragma_synchronous>).
    public enum Synchronous: String, Sendable, Hashable {
        /// Nothing: a power cut may damage the file.
        case off = "OFF"
        /// At checkpoints: a power cut may undo the last transactions, a crash of the process none.
        case normal = "NORMAL"
        /// At every commit: what was committed stays.
        case full = "FULL"
    }

    /// How long a connection waits for a lock that another holds before it throws `.busy`.
    public var busyLimit: Duration = .seconds(5)
    public var synchronous: Synchronous = .normal
    /// Bytes a page, a power of two from 512 to 65536. Only a new file takes it.
    public var pageSize = 8192
    /// Whether a new file is made so that space that is no longer needed can be given back to the file system in steps, by
    /// `PRAGMA incremental_vacuum` (<https://www.sqlite.org/pragma.html#pragma_auto_vacuum>).
    public var vacuumsIncrementally = false
    public var enforcesForeignKeys = true
    /// A commit that finds more pages than this in the write-ahead log moves them into the file.
    public var checkpointThreshold = 4000
    public var logLimit = LogLimit()
    /// Told on the writer's thread how the write-ahead log has grown.
    package var onLog: (@Sendable (LogNews) -> Void)?
    /// KiB of pages each connection keeps in memory.
    public var cacheSize = 2048
    /// Readers kept open while nobody uses them. More are opened when more read at once, and closed after.
    public var maximumIdleReaders = 4
    /// Prepared statements each connection keeps.
    public var statementCacheCapacity = 64
    /// The name of a registered VFS; nil is the system's. For tests that inject faults.
    public var vfs: String?
    /// Called with the writer before anything of the file is changed, WAL mode included: throws where the file is
    /// another program's, and so leaves it as it is.
    public var beforeSetup: (@Sendable (borrowing Connection) throws -> Void)?
    /// Called when a write found the disk full, on the writer's thread, after it was rolled back. What it returns runs at the
    /// beginning of the same write, which is then made once more, body and all; with `nil` the write fails.
    public var makeRoom: (@Sendable () -> (@Sendable (borrowing Connection) throws -> Void)?)?
    /// Called with every connection after it is set up: the writer once, readers (which cannot write) as they open.
    public var onOpen: (@Sendable (borrowing Connection) throws -> Void)?
    /// Told of every error that an operation of the database, or its closure, throws.
    package var onFailure: (@Sendable (any Error) -> Void)?

    public init() {}
}

/// How many bytes of the write-ahead log are borne. Each time that no reader needs the log, it is begun anew from its start; who
/// reads without end, or many who overlap, keep that from being done.
public struct LogLimit: Sendable, Hashable {
    /// A commit that leaves more than this waits for the readers, up to a tenth of a second, and empties the log; where that has
    /// failed and it has grown by a quarter, up to a second. Of the file, no more than this is kept after a peak.
    public var soft = 40 << 20
    /// Beyond this, writes are refused as `.busy` until the readers have ended.
    public var hard = 256 << 20
    /// How long readers, and other processes that write, are waited for; and where that has failed before.
    package var patience = Duration.milliseconds(100)
    package var lastPatience = Duration.seconds(1)

    public init() {}
}

/// What is told of the write-ahead log.
package enum LogNews: Sendable, Hashable {
    /// So many bytes are in it after a write.
    case written(bytes: Int)
    /// It has become as large as this, since a reader keeps it from being emptied; told once each time it has doubled.
    case grows(bytes: Int)
}

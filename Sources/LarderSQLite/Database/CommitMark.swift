import CSQLite
import Synchronization

/// Tells whether anything can have been committed between two moments: the marks taken at both are equal only if nothing was.
///
/// To keep what a read gave, take the mark *before* the read, and the value is what the database holds for as long as
/// ``Database/commitMark`` is the same. A different mark says nothing: it may come from a rollback or a checkpoint, too.
/// Marks of two ``Database``s are never equal.
public struct CommitMark: Sendable, Hashable {
    /// The source it comes from; zero for a mark that nothing else equals.
    private let source: UInt64
    private let count: UInt64
    private let checksum: UInt64
    private let salt: UInt64

    /// The `count`-th state of a database in memory.
    init(source: UInt64, count: UInt64) {
        self.source = source
        self.count = count
        checksum = 0
        salt = 0
    }

    // What is relied on, of SQLite's wal.c:
    //
    // - A commit is seen by others when walIndexWriteHdr has written both copies of the header, the first last; a reader
    //   takes a header only when both are the same. Who has seen a commit, or has been told of it, hence finds the first
    //   copy new. While it is being written, a mark may be of two states at once. No reader gets in then, so there is no
    //   value for such a mark to vouch for; and it does not come again, since what it has of the earlier state goes.
    // - iChange counts commits. Recovery, after a process has died within those few instructions, begins it from zero,
    //   but with the log as it is: mxFrame, its checksum and the salts tell which. In one log, mxFrame only grows.
    // - A log is begun anew with the first salt counted up and the second drawn by lot.
    // - The index as a whole is made anew only when no process has the file open. The connection of `CommitMarks` does.
    init(source: UInt64, _ head: larder_wal_head) {
        self.source = source
        // The halves that say how the file is made are left out.
        count = head.change << 32 | head.extent & 0xFFFF_FFFF
        checksum = head.checksum
        salt = head.salt
    }

    /// A mark unlike every other.
    static func unique() -> CommitMark {
        CommitMark(source: 0, count: uniqueCount.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// A number for a source of marks, unlike every other.
    static func newSource() -> UInt64 {
        sourceCount.wrappingAdd(1, ordering: .relaxed).newValue
    }

    private static let uniqueCount = Atomic<UInt64>(0)
    private static let sourceCount = Atomic<UInt64>(0)
}

extension Database {
    /// What is committed now, as a mark: after any commit to this database, by whatever connection of whatever process, it is
    /// another one than before.
    ///
    /// Costs a few loads from memory, without a lock or a system call; only the first call opens a connection, which stays
    /// open until ``close()``. Where no such mark can be had (that connection could not be opened, SQLite's
    /// shared memory has another form than the one known, the database is closed), each call gives a different one.
    public var commitMark: CommitMark { marks.current }
}

/// What a cache takes on disk, in bytes.
///
/// Against the budget counts what is kept: the pages of the database that hold something (an empty cache has some, about a
/// quarter of a megabyte), the files of large values, and those of ``ResourceOptions/Storage/files``. What comes and goes by
/// itself does not count, and is told apart: pages that hold nothing any more, and SQLite's log.
public struct StorageUsage: Sendable, Hashable {
    /// The pages of the database that hold something: rows, their indexes, and the room left between them.
    public var database = 0
    /// Those that hold nothing any more. They are used again first, and given back to the file system in small steps.
    public var free = 0
    /// SQLite's log beside the database, which is emptied when nobody reads.
    public var log = 0
    /// The files of values too large for a row.
    public var blobs = 0
    /// The files of values that the app keeps in files.
    public var files = 0
    /// What of all this is exempt from trimming.
    public var pinned = 0
    /// What all of it is measured against.
    public var budget = StorageBudget.unlimited

    /// The bytes that count against the budget.
    public var total: Int { database + blobs + files }

    /// The bytes by which the cache is over its budget; zero when it keeps to it.
    public var excess: Int { max(0, total - (budget.bytes ?? .max)) }
}

/// What trimming takes away, or would.
public struct TrimmedAmount: Sendable, Hashable {
    /// Values under keys.
    public var values = 0
    /// Items of feeds.
    public var items = 0
    /// The bytes of both.
    public var bytes = 0

    public init() {}

    public var isEmpty: Bool { values == 0 && items == 0 }

    static func += (left: inout TrimmedAmount, right: TrimmedAmount) {
        left.values += right.values
        left.items += right.items
        left.bytes += right.bytes
    }
}

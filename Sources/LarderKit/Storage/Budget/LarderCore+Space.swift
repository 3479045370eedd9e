import LarderSQLite

extension LarderCore {
    /// How many pages are given back in one transaction.
    private static let pagesAtOnce = 64

    /// Gives the pages back to the file system that hold nothing any more, in small steps, but for some that are about to be used
    /// again.
    ///
    /// A file that was made by an early version keeps its pages: only ``Larder/tidy(isThorough:)`` makes it smaller.
    ///
    /// - Parameter reserve: So many bytes stay, or an eighth of what is in use where that is more.
    /// - Returns: The bytes given back.
    @discardableResult
    func giveBackSpace(keeping reserve: Int) async throws(StorageError) -> Int {
        var size = try await storing { try await database.scan { db in try DatabaseSize(of: db) } }
        guard size.free > max(reserve, reserve == 0 ? 0 : size.inUse / 8) else { return 0 }
        let (start, end) = (size.pages, reserve / max(1, size.pageSize))
        while size.freePages > end {
            let count = min(Self.pagesAtOnce, size.freePages - end)
            let after = try await storing {
                try await database.withWriter { db in
                    try db.executeScript("PRAGMA incremental_vacuum(\(count))")
                    return try DatabaseSize(of: db)
                }
            }
            guard after.freePages < size.freePages else { break }
            size = after
        }
        return max(0, start - size.pages) * size.pageSize
    }

    /// Makes the file anew, without free pages and so that it can be made smaller in steps from then on.
    ///
    /// - Returns: The bytes given back.
    func rebuildFile() async throws(StorageError) -> Int {
        try await storing {
            try await database.withWriter { db in
                let before = try DatabaseSize(of: db)
                try db.executeScript("PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
                return max(0, before.pages - (try DatabaseSize(of: db).pages)) * before.pageSize
            }
        }
    }
}

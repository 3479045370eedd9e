public import Foundation

/// Looks after the folder of a cache, whether it can be opened or not, and also while it is open.
///
/// A cache looks after itself (``LarderOptions/damage``). This is for whoever wants to know, or to be sure.
public enum LarderRepair {
    /// Looks at a cache and changes nothing: pages and indexes of the database, the checksum of every row, files of values
    /// against the rows that name them, and what is proven of the feeds against their items.
    ///
    /// - Parameters:
    ///   - folder: The cache's.
    ///   - isQuick: Looks at the structure of the database alone.
    ///   - disk: What the folder lies on.
    ///   - progress: Told from 0 to 1 how far it is, from any thread.
    /// - Throws: ``StorageError`` where there is nothing to look at: of kind `missing` without a folder, `notALarder` for
    ///   another program's database, `newerFormat` for one of a newer version. A damaged cache is no error, but a report.
    public static func verify(
        folder: URL, isQuick: Bool = false, disk: any DiskAccess = SystemDisk(),
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(StorageError) -> VerificationReport {
        try await OwnThread.run { mayGoOn in
            let progress = RepairProgress(report: progress, mayGoOn: mayGoOn)
            return try Verifier(cache: CacheFiles(folder: folder, disk: disk), isQuick: isQuick, progress: progress)
                .run()
        }
    }

    /// Makes a damaged cache a sound one: what proves itself is kept, what does not is forgotten, and where feeds have lost
    /// items there is a gap. A sound cache is left as it is.
    ///
    /// A database whose structure is damaged is set aside in the folder `damaged` before anything is changed, and the new one
    /// put in its place in one transaction: a cache that is open meanwhile goes on.
    ///
    /// - Throws: As ``verify(folder:isQuick:disk:progress:)``; and of kind `full` or `busy`, in which case nothing was changed.
    public static func repair(
        folder: URL, disk: any DiskAccess = SystemDisk(), progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(StorageError) -> RepairReport {
        try await OwnThread.run { mayGoOn in
            let progress = RepairProgress(report: progress, mayGoOn: mayGoOn)
            return try Repairer(cache: CacheFiles(folder: folder, disk: disk), progress: progress).run()
        }
    }
}

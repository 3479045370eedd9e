import Foundation
import LarderSQLite

/// Makes a damaged cache a sound one; see ``LarderRepair/repair(folder:disk:progress:)``.
///
/// Repairs of one folder come one after the other, in whatever process. One that is killed leaves the cache as it was or as
/// it was to be, and beside it what the next one sweeps.
struct Repairer {
    let cache: CacheFiles
    var progress = RepairProgress()

    private static let lockName = "repair.lock"

    func run() throws(StorageError) -> RepairReport {
        try storing { try repair() }
    }

    private func repair() throws -> RepairReport {
        let found = try verify()
        guard !found.isSound || !leftovers().isEmpty else { return RepairReport(found: found) }
        return try FolderLock.hold(cache.folder, file: Self.lockName, unless: { !progress.continues }) {
            () throws(StorageError) in
            try storing { try lockedRepair() }
        }
    }

    private func lockedRepair() throws -> RepairReport {
        for leftover in leftovers() { try FileManager.default.removeItem(at: leftover) }
        // Another repair may have been first.
        var found = try verify()
        var report = RepairReport(found: found)
        if found.isStructureDamaged {
            try Rebuild(cache: cache, progress: progress).run(&report)
            found = try verify()
        }
        if !found.isSound { try RowRemoval(cache: cache, progress: progress).run(&report) }
        progress.reached(1)
        return report
    }

    private func verify() throws -> VerificationReport {
        let inner = RepairProgress(mayGoOn: { [progress] in progress.continues })
        return try Verifier(cache: cache, progress: inner).run()
    }

    /// What repairs that were killed have left.
    private func leftovers() -> [URL] {
        let folders = [cache.folder, cache.damaged]
        return folders.flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
                .filter { $0.hasPrefix(CacheFiles.unfinishedPrefix) }.map { folder.appendingPathComponent($0) }
        }
    }
}

import Foundation
import LarderSQLite

/// Builds the database anew from what is readable, and puts that in its place.
struct Rebuild {
    let cache: CacheFiles
    let progress: RepairProgress

    /// The bytes of a database at one moment.
    private struct Snapshot: Equatable {
        let file: Data
        let log: Data?
    }

    func run(_ report: inout RepairReport) throws {
        // Whoever writes meanwhile is not held up, and is not forgotten either: then it begins again.
        for _ in 0..<5 {
            try progress.check()
            if try attempt(&report) { return SetAside(cache: cache).trim() }
        }
        throw StorageError(
            .busy, "the cache in \(cache.folder.path) was being written to all the time",
            nextStep: "Close what uses it, and repair it again. Nothing was changed.")
    }

    private func attempt(_ report: inout RepairReport) throws -> Bool {
        let target = try FileConnection(cache.database.path, vfs: cache.disk.vfs)
        // The file of a damaged header may be in any mode; its log stays until the new contents are in it.
        try target.set(.keepsLog)
        guard let before = try snapshot(target) else { return false }
        let image = DatabaseImage(file: before.file, log: before.log)
        try refuseNewer(image)
        var attempt = report
        let folder = try SetAside(cache: cache).keep(before.file, log: before.log)
        attempt.setAside = folder
        attempt.outcome = .rebuilt
        progress.reached(0.3)
        let fresh = cache.folder.appendingPathComponent(CacheFiles.unfinishedPrefix + UUID().uuidString + ".sqlite")
        defer { try? FileManager.default.removeItem(at: fresh) }
        do {
            let source = try build(fresh, from: image, &attempt)
            progress.reached(0.8)
            guard try replace(target, by: source, expecting: before) else {
                try? FileManager.default.removeItem(at: folder)
                return false
            }
        } catch {
            // Nothing has changed, so nothing needs to be kept.
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        report = attempt
        return true
    }

    /// Nothing was committed between two looks at a log that are the same, so what was read of the file between them belongs
    /// to it: moving the log into the file changes no page that is not in the log.
    private func snapshot(_ connection: FileConnection) throws -> Snapshot? {
        for _ in 0..<5 {
            let log = try cache.disk.read(cache.log.path)
            let file = try connection.bytes()
            if try cache.disk.read(cache.log.path) == log { return Snapshot(file: file, log: log) }
        }
        return nil
    }

    private func refuseNewer(_ image: DatabaseImage?) throws {
        guard let image, image.applicationID == UInt32(Schema.applicationID), let version = image.userVersion,
            version > UInt32(Schema.version)
        else { return }
        throw StorageError(
            .newerFormat, "the cache in \(cache.folder.path) was written by a newer version (format \(version))",
            nextStep: "Nothing was changed. Use a newer version of this program.")
    }

    private func build(_ url: URL, from image: DatabaseImage?, _ report: inout RepairReport) throws -> FileConnection {
        let connection = try FileConnection(url.path, vfs: cache.disk.vfs, createsFile: true)
        let pageSize = image?.pageSize ?? Configuration().pageSize
        try connection.use { db in
            // Nobody needs it after a crash.
            try db.executeScript(
                """
                PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = 2; PRAGMA journal_mode = OFF;
                PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY;
                """)
            try RowChecksum.register(on: db)
        }
        let progress = progress
        let salvage = Salvage(image: image, shapes: try TableShape.all()) { try progress.check() }
        report = try connection.write { [report] db in
            var report = report
            try db.executeScript(Schema.script)
            try db.executeScript("PRAGMA application_id = \(Schema.applicationID)")
            try db.executeScript("PRAGMA user_version = \(Schema.version)")
            try salvage.run(into: db, &report)
            return report
        }
        return connection
    }

    /// - Returns: Whether the database was still the one that was read, and so has been replaced.
    private func replace(
        _ target: FileConnection, by source: FileConnection, expecting before: Snapshot
    ) throws -> Bool {
        do {
            return try copy(source, over: target, expecting: before)
        } catch let error as SQLiteError where error.isOfDamage {
            // The header is gone, or what is behind it: then all of it is.
            try target.set(.forgetsContents)
            defer { try? target.set(.forgetsContents, false) }
            return try copy(source, over: target, expecting: before)
        }
    }

    private func copy(_ source: FileConnection, over target: FileConnection, expecting before: Snapshot) throws -> Bool
    {
        let replacement = try FileReplacement(of: target, by: source)
        // With the lock held. Where there is no log, a commit changes the file.
        let log = try cache.disk.read(cache.log.path)
        guard log ?? Data() == before.log ?? Data() else { return false }
        if (log ?? Data()).isEmpty, try target.bytes() != before.file { return false }
        try replacement.run()
        try target.set(.forgetsContents, false)
        try target.set(.keepsLog, false)
        // In use elsewhere, it is done later.
        try? target.use { db in try db.executeScript("PRAGMA wal_checkpoint(TRUNCATE)") }
        return true
    }
}

import Foundation
import LarderSQLite

/// The files of a cache's folder, as verification and repair see them.
struct CacheFiles: Sendable {
    let folder: URL
    let disk: any DiskAccess

    static let databaseName = "cache.sqlite"
    /// What the name of a database that is being built begins with.
    static let unfinishedPrefix = ".repairing-"

    var database: URL { folder.appendingPathComponent(Self.databaseName) }
    var log: URL { folder.appendingPathComponent(Self.databaseName + "-wal") }
    var sharedMemory: URL { folder.appendingPathComponent(Self.databaseName + "-shm") }
    var damaged: URL { folder.appendingPathComponent("damaged", isDirectory: true) }
    var blobs: URL { folder.appendingPathComponent("blobs", isDirectory: true) }
    var files: URL { folder.appendingPathComponent("files", isDirectory: true) }

    func size(_ url: URL) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size].flatMap { ($0 as? NSNumber)?.intValue }
    }

    /// A connection to the cache file that changes nothing by being opened or closed.
    func open(busyLimit: Duration = .seconds(5)) throws -> FileConnection {
        let hadLog = (size(log) ?? 0) > 0
        let connection = try FileConnection(database.path, vfs: disk.vfs, busyLimit: busyLimit)
        if hadLog {
            try connection.set(.keepsLog)
            // Nobody has the file open. An index of the log in memory of one's own leaves no file behind.
            if size(sharedMemory) == nil {
                try connection.use { db in try db.executeScript("PRAGMA locking_mode = EXCLUSIVE") }
            }
        }
        return connection
    }

    /// The bytes of a file; `nil` when there is none, or something else in its place.
    func readUnlessDamaged(_ path: String) throws(StorageError) -> Data? {
        do throws(StorageError) { return try disk.read(path) } catch {
            guard error.kind == .corrupt else { throw error }
            return nil
        }
    }

    /// Where the names of all files under a folder come from; empty when there is none.
    static func files(under folder: URL) -> [String] {
        guard let names = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        return names.compactMap { $0 as? String }
    }
}

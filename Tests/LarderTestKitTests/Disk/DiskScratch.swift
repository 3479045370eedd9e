import Foundation
import LarderSQLite
import LarderTestKit

/// A folder of a test's own, with a database in it that lies on a faulty disk.
final class DiskScratch: Sendable {
    let folder: URL
    let disk = FaultyDisk()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "larder-disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        // Nothing depends on it: the folder lies in the system's temporary place.
        try? FileManager.default.removeItem(at: folder)
    }

    var path: String { folder.appending(path: "test.sqlite").path }

    func open(
        faulty: Bool = true, synchronous: Configuration.Synchronous = .normal, checkpointThreshold: Int = 4000
    ) throws -> Database {
        var configuration = Configuration()
        configuration.vfs = faulty ? disk.vfs : nil
        configuration.synchronous = synchronous
        configuration.checkpointThreshold = checkpointThreshold
        configuration.pageSize = 512
        return try Database(.file(path), configuration: configuration)
    }
}

extension Database {
    func makeNotes() throws {
        try writeSync { db in
            try db.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
        }
    }

    func add(_ titles: String...) throws {
        try writeSync { db in
            for title in titles { try db.execute("INSERT INTO note (title) VALUES (\(title))") }
        }
    }

    func titles() throws -> [String] {
        try read { db in try db.query("SELECT title FROM note ORDER BY id") { try $0.text(0) } }
    }

    func isSound() throws -> Bool {
        try read { db in try db.first("PRAGMA integrity_check") { try $0.text(0) } } == "ok"
    }
}

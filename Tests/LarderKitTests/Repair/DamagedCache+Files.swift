import Foundation
import LarderSQLite
import Synchronization
import Testing

@testable import LarderKit

extension DamagedCache {
    var files: CacheFiles { CacheFiles(folder: folder, disk: SystemDisk()) }

    func verify() throws -> VerificationReport { try Verifier(cache: files).run() }

    func repair() throws -> RepairReport { try Repairer(cache: files).run() }

    var database: Data {
        get throws { try Data(contentsOf: files.database) }
    }

    /// Overwrites bytes of a file of the cache.
    func change(_ url: URL, _ body: (inout Data) -> Void) throws {
        var bytes = try Data(contentsOf: url)
        body(&bytes)
        try bytes.write(to: url)
    }

    static let pageSize = 8192

    /// Pages of a table, from those that hold its rows.
    func leaves(of table: String) throws -> [Int] {
        let image = try #require(DatabaseImage(file: try database, log: nil))
        let root = try #require(image.schema.first { $0.name == table }?.rootPage)
        var pages: Set<Int> = []
        _ = image.rows(ofTableRootedAt: root) { pages.insert(Int($0.page)) }
        _ = image.entries(ofIndexRootedAt: root) { pages.insert(Int($0.page)) }
        return pages.sorted()
    }

    func root(of name: String) throws -> Int {
        let image = try #require(DatabaseImage(file: try database, log: nil))
        return Int(try #require(image.schema.first { $0.name == name }?.rootPage))
    }

    func overwrite(page: Int) throws {
        try change(files.database) { bytes in
            for offset in 0..<Self.pageSize {
                bytes[(page - 1) * Self.pageSize + offset] = UInt8(truncatingIfNeeded: offset &* 73 &+ 5)
            }
        }
    }

    /// Runs SQL on the file, as damage does: without checksums and with the schema open to it.
    func run(_ script: String) throws {
        let connection = try FileConnection(files.database.path)
        try connection.use { db in try db.executeScript(script) }
    }

    /// Files that are closed with the process.
    static let open = Mutex<[FileHandle]>([])

    /// What lies in the folder.
    var names: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        }
    }
}

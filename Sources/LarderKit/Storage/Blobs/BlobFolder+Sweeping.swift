import Foundation
import LarderSQLite

extension BlobFolder {
    /// A file that no row names, as far as that was looked at.
    struct Orphan: Sendable, Hashable {
        let name: String
        let size: Int
    }

    /// How long ago a file must have been written for its row to be missed: the row is committed right after.
    static let orphanAge = Duration.seconds(600)

    /// Whether the file is there.
    func holds(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    /// The files written long enough ago to be named by a row, if they are to be.
    ///
    /// - Complexity: O(number of files).
    func settled(now: Date) -> [Orphan] {
        let keys: Set<URLResourceKey> = [.contentModificationDateKey, .fileSizeKey]
        let shelves = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return shelves.filter { $0.utf8.count == 2 }.flatMap { shelf -> [Orphan] in
            // What cannot be listed is in nobody's way, and is met again.
            let files = try? FileManager.default.contentsOfDirectory(
                at: folder.appendingPathComponent(shelf, isDirectory: true), includingPropertiesForKeys: Array(keys))
            return (files ?? []).compactMap { file in
                let name = "\(shelf)/\(file.lastPathComponent)"
                guard Self.isName(name), let values = try? file.resourceValues(forKeys: keys),
                    let written = values.contentModificationDate, now - written > Self.orphanAge
                else { return nil }
                return Orphan(name: name, size: values.fileSize ?? 0)
            }
        }
    }
}

extension SQLiteStore {
    /// How many files are looked up in one transaction.
    private static let sweptAtOnce = 100

    /// Removes files that no row names: they were left by processes that ended between writing a file and its row.
    ///
    /// They are removed while nobody else can write, and a row that names a file is only committed where the file is there. So a
    /// process that was suspended in between, for however long, loses its file and never leaves a row without one.
    ///
    /// - Returns: Those that went.
    func sweepOrphans(now: Date = Date()) async throws(StorageError) -> [BlobFolder.Orphan] {
        guard let blobs else { return [] }
        var swept: [BlobFolder.Orphan] = []
        let settled = blobs.settled(now: now)
        for start in stride(from: 0, to: settled.count, by: Self.sweptAtOnce) {
            let files = settled[start..<min(start + Self.sweptAtOnce, settled.count)]
            // A look that makes nobody wait finds that there is nothing to do, nearly always.
            let orphans = try await storing {
                try await database.scan { db in
                    let orphans = try Self.orphans(among: files, in: db)
                    return orphans.isEmpty ? [] : try Self.unnamed(among: orphans, in: db)
                }
            }
            guard !orphans.isEmpty else { continue }
            swept += try await storing {
                try await database.write { db in
                    // What was given up on a full disk has a row still, where that could not be removed then.
                    for file in orphans where file.size == 0 {
                        let isGivenUp = "blob = ?1 AND size > 0"
                        _ = try EntryTable.remove(where: isGivenUp, in: db) { try $0.bind(file.name, at: 1) }
                    }
                    let orphans = try Self.orphans(among: orphans[...], in: db)
                    blobs.remove(orphans.map(\.name))
                    return orphans
                }
            }
        }
        return swept
    }

    /// Those that no row names, whatever the index says: where that has lost a row, the row's file is not to be lost as well.
    ///
    /// - Complexity: O(number of values), without their bytes.
    private static func unnamed(
        among orphans: [BlobFolder.Orphan], in db: borrowing Connection
    ) throws -> [BlobFolder.Orphan] {
        let sql = "SELECT blob FROM larder_entry NOT INDEXED WHERE blob IS NOT NULL"
        let named = try db.withStatement(sql) { statement in
            Set(try statement.collect { row in try row.readableText(0) }.compactMap { $0 })
        }
        return orphans.filter { $0.size == 0 || !named.contains($0.name) }
    }

    private static func orphans(
        among files: ArraySlice<BlobFolder.Orphan>, in db: borrowing Connection
    ) throws -> [BlobFolder.Orphan] {
        try db.withStatement("SELECT 1 FROM larder_entry WHERE blob = ?1") { statement in
            try files.filter { file in
                statement.reset()
                try statement.bind(file.name, at: 1)
                return try file.size == 0 || !statement.step()
            }
        }
    }
}

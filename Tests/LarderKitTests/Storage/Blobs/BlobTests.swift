import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// Large values: their bytes lie in files, their rows name them, and neither is there without the other.
@Suite struct BlobTests {
    private let folder: TestFolder
    private let larder: Larder
    private var store: SQLiteStore { larder.core.sqliteStore }
    private let key = StoreKey(partition: "ada", key: "photo")

    init() throws {
        folder = try TestFolder()
        larder = try Larder(.folder(folder.url), environment: TestWorld().environment)
    }

    private func entry(_ byte: UInt8, count: Int = BlobFolder.threshold + 1, stamp: Int64 = 1) -> StoredEntry {
        StoredEntry(
            body: Data(repeating: byte, count: count),
            metadata: EntryMetadata(codec: CodecID(name: "raw"), stamp: stamp, storedAt: Date(timeIntervalSince1970: 9))
        )
    }

    private var blobs: [String] {
        folder.contents().filter { $0.hasPrefix("blobs/") && $0.split(separator: "/").count == 3 }
    }

    @Test func `a value above the threshold lies in a file that only its owner can read`() async throws {
        try await store.put(entry(1, count: BlobFolder.threshold), for: key)
        #expect(blobs.isEmpty)
        try await store.put(entry(2), for: key)
        #expect(blobs.count == 1)
        let file = folder.url(try #require(blobs.first))
        #expect(try permissions(file) == 0o600)
        #expect(try permissions(file.deletingLastPathComponent()) == 0o700)
        #expect(try Data(contentsOf: file) == entry(2).body)
        #expect(try store.entry(for: key) == entry(2))
        #expect(try await store.summaries().map(\.place) == [.blob])
    }

    @Test func `a value that is replaced, removed or refused leaves no file`() async throws {
        try await store.put(entry(1), for: key)
        try await store.put(entry(2, stamp: 2), for: key)
        #expect(blobs.count == 1)
        #expect(try await !store.put(entry(3, stamp: 1), for: key))
        #expect(try blobs.count == 1 && store.entry(for: key) == entry(2, stamp: 2))
        try await store.put(entry(4, count: 5, stamp: 3), for: key)
        #expect(blobs.isEmpty)
        try await store.put(entry(5, stamp: 4), for: key)
        try await store.remove(key)
        #expect(try blobs.isEmpty && store.entry(for: key) == nil)
        try await store.put(entry(6, stamp: 5), for: key)
        try await store.removeAll(in: "ada")
        #expect(blobs.isEmpty)
    }

    @Test func `signing out removes the files`() async throws {
        let photo = larder.partition("ada").resource("photo", codec: .raw) {
            Data(count: BlobFolder.threshold * 2)
        }
        _ = try await photo.read()
        #expect(blobs.count == 1)
        try await larder.partition("ada").signOut()
        #expect(blobs.isEmpty)
    }

    @Test(arguments: ["cut", "flipped", "missing"])
    func `a file that is not what was stored is damage, and the next answer replaces it`(damage: String) async throws {
        try await store.put(entry(1), for: key)
        let file = folder.url(try #require(blobs.first))
        var bytes = try Data(contentsOf: file)
        switch damage {
        case "cut": try bytes.dropLast().write(to: file)
        case "flipped":
            bytes[bytes.count / 2] ^= 4
            try bytes.write(to: file)
        default: try FileManager.default.removeItem(at: file)
        }
        let error = #expect(throws: StorageError.self) { try store.entry(for: key) }
        #expect(error?.kind == .corrupt)
        try await store.put(entry(2, stamp: 2), for: key)
        #expect(try store.entry(for: key) == entry(2, stamp: 2))
        #expect(blobs.count == 1)
    }

    @Test func `what was given up for room counts as not stored, and its row goes with the next tidying`() async throws
    {
        try await store.put(entry(1), for: key)
        let blobs = try #require(store.blobs)
        let name = String(try #require(self.blobs.first).dropFirst("blobs/".count))
        blobs.giveUp([name])
        #expect(try store.entry(for: key) == nil)
        #expect(try await LarderRepair.verify(folder: folder.url).isSound)
        let swept = try await store.sweepOrphans(now: Date(timeIntervalSinceNow: 86_400))
        #expect(swept.map(\.name) == [name])
        #expect(try store.metadata(for: key) == nil && self.blobs.isEmpty)
    }

    @Test func `a file whose row the index has lost is not swept`() async throws {
        try await store.put(entry(1), for: key)
        let connection = try FileConnection(folder.url("cache.sqlite").path)
        func declare(_ past: String, _ condition: String) -> String {
            """
            PRAGMA writable_schema = 1;
            UPDATE sqlite_master SET sql = replace(sql, '\(past)', '\(condition)') WHERE name = 'larder_entry_blob';
            PRAGMA writable_schema = RESET;

            """
        }
        let script =
            declare("blob IS NOT NULL", "blob IS NULL") + "REINDEX larder_entry_blob;"
            + declare("blob IS NULL", "blob IS NOT NULL")
        try connection.use { db in try db.executeScript(script) }
        let lost = try larder.read { db in
            try db.query("SELECT key FROM larder_entry INDEXED BY larder_entry_blob WHERE blob IS NOT NULL") { _ in 0 }
        }
        #expect(lost.isEmpty)
        #expect(try await store.sweepOrphans(now: Date(timeIntervalSinceNow: 86_400)).isEmpty)
        #expect(try store.entry(for: key) == entry(1))
    }

    @Test(arguments: ["../../etc/passwd", "aa/../../cache.sqlite", "", "aa", "aa/\(String(repeating: "g", count: 32))"])
    func `a row names files of the cache alone`(name: String) throws {
        #expect(!BlobFolder.isName(name))
        let blobs = try #require(store.blobs)
        #expect(throws: StorageError.self) { try blobs.read(name) }
        blobs.remove([name])
        #expect(FileManager.default.fileExists(atPath: folder.url("cache.sqlite").path))
    }

    @Test func `a value is there or not, however often it is replaced while it is read`() async throws {
        let store = store
        let key = key
        try await store.put(entry(0), for: key)
        let first = entry(0).body.count
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for stamp in 1...60 {
                    try await store.put(self.entry(UInt8(stamp), stamp: Int64(stamp)), for: key)
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<200 {
                        let body = try #require(try store.entry(for: key)).body
                        #expect(body.count == first && body.allSatisfy { $0 == body.first })
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(blobs.count == 1)
    }
}

import Foundation
import LarderKit
import LarderSQLite
import Testing

@testable import LarderKit

@Suite struct SQLiteStoreTests {
    let larder: Larder
    var store: SQLiteStore { larder.core.sqliteStore }

    init() throws { larder = .inMemory() }

    private func entry(_ codec: CodecID) -> StoredEntry {
        StoredEntry(body: Data("1".utf8), metadata: EntryMetadata(codec: codec, storedAt: Date()))
    }

    @Test func `a row names its codec and version, each once in a table of its own`() async throws {
        let ids = [CodecID(name: "json"), CodecID(name: "json", version: 2), CodecID(name: "plist")]
        for (number, id) in (ids + ids).enumerated() {
            try await store.put(entry(id), for: StoreKey(key: "\(number)"))
        }
        let names = try larder.read { db in
            try db.query(
                """
                SELECT codec.name || ' ' || codec.version FROM larder_entry
                JOIN larder_codec AS codec ON codec.id = larder_entry.codec ORDER BY key
                """
            ) { try $0.text(0) }
        }
        #expect(names == ["json 1", "json 2", "plist 1", "json 1", "json 2", "plist 1"])
        #expect(try larder.read { db in try db.first("SELECT count(*) FROM larder_codec") { try $0.int(0) } } == 3)
    }

    @Test func `metadata comes alone, and is that of the entry`() async throws {
        let key = StoreKey(partition: "ada", key: "k")
        #expect(try store.metadata(for: key) == nil)
        let metadata = EntryMetadata(
            codec: CodecID(name: "json", version: 3), stamp: 5, storedAt: Date(timeIntervalSince1970: 1.5),
            lifetime: .seconds(60), validators: Validators(etag: "\"a\"", lastModified: "now"))
        try await store.put(StoredEntry(body: Data(count: 100_000), metadata: metadata), for: key)
        #expect(try store.metadata(for: key) == metadata)
        #expect(try store.entry(for: key)?.metadata == metadata)
        #expect(try store.metadata(for: StoreKey(key: "k")) == nil)
        try await store.remove(key)
        #expect(try store.metadata(for: key) == nil)
    }

    @Test func `a damaged row is reported, and is not nil`() async throws {
        try await store.put(entry(CodecID(name: "json")), for: StoreKey(key: "k"))
        try await larder.write { db in
            try db.execute("UPDATE larder_entry SET stored_at = 'yesterday'")
        }
        #expect(throws: StorageError.self) { try store.entry(for: StoreKey(key: "k")) }
        #expect(throws: StorageError.self) { try store.metadata(for: StoreKey(key: "k")) }
    }

    @Test func `a cancelled write is reported, and leaves the old value`() async throws {
        let store = store
        try await store.put(entry(CodecID(name: "json")), for: StoreKey(key: "k"))
        let write = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await store.put(entry(CodecID(name: "plist")), for: StoreKey(key: "k"))
        }
        await #expect(throws: StorageError.self) { try await write.value }
        #expect(try store.entry(for: StoreKey(key: "k"))?.metadata.codec.name == "json")
    }
}

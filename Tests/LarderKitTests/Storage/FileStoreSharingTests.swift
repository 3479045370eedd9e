import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

/// Several stores on one folder, as in several processes.
@Suite(.timeLimit(.minutes(5))) struct FileStoreSharingTests {
    private let folder: TestFolder
    private let key = StoreKey(key: "k")

    init() throws { folder = try TestFolder() }

    private func store() -> FileStore { FileStore(folder: folder.url("files")) }

    private func entry(_ text: String, stamp: Int64 = 0) -> StoredEntry {
        StoredEntry(
            body: Data(text.utf8),
            metadata: EntryMetadata(codec: .served, stamp: stamp, storedAt: Date(timeIntervalSince1970: 1_768_478_400)))
    }

    @Test func `of stores that write under one key at once, the greatest stamp wins`() async throws {
        let stores = (0..<4).map { _ in store() }
        var random = SplitMix64(seed: 7)
        for round in 0..<15 {
            let key = StoreKey(key: "\(round)")
            let stamps = (1...4).shuffled(using: &random)
            try await withThrowingTaskGroup { group in
                for (store, stamp) in zip(stores, stamps) {
                    group.addTask { try await store.put(entry("\(stamp)", stamp: Int64(stamp)), for: key) }
                }
                for try await _ in group {}
            }
            #expect(try store().entry(for: key) == entry("4", stamp: 4))
        }
    }

    @Test func `a write and a removal wait for whoever holds the folder, and see what that one did`() async throws {
        let store = store()
        try await store.put(entry("first", stamp: 1), for: key)
        let file = folder.url("files/%/k.entry")
        let (put, removal) = try FolderLock.hold(store.folder) { () throws(StorageError) in
            let put = Task { try await store.put(entry("second", stamp: 2), for: key) }
            let removal = Task { try await self.store().remove(StoreKey(key: "other")) }
            try PrivateFiles.replace(
                file, with: try storing { try FileFormat.encode(entry("third", stamp: 3), for: key) },
                on: SystemDisk())
            return (put, removal)
        }
        #expect(try await !put.value)
        try await removal.value
        #expect(try store.entry(for: key) == entry("third", stamp: 3))
    }

    @Test func `the folder is free again after an error`() async throws {
        try await store().put(entry("v"), for: key)
        #expect(throws: StorageError.self) {
            try FolderLock.hold(folder.url("files")) { () throws(StorageError) in throw .corrupt("x") }
        }
        try await store().put(entry("w"), for: key)
        #expect(try permissions(folder.url("files/.lock")) == 0o600)
    }

    @Test func `what was left half written goes with the first write, once it is old`() async throws {
        try await store().put(entry("v"), for: key)
        let place = folder.url("files/%")
        let ages: [(name: String, age: TimeInterval)] = [
            (".writing-old", 3700), (".writing-young", 3500), (".writing-future", -86_400), ("k.entry", 86_400),
            (".other", 86_400),
        ]
        for (name, age) in ages {
            let file = place.appendingPathComponent(name)
            if name != "k.entry" { try Data("half".utf8).write(to: file) }
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: file.path)
        }
        let names = { try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() }
        let again = store()
        #expect(try again.entry(for: key) != nil)
        #expect(try names().contains(".writing-old"))
        try await again.put(entry("v"), for: StoreKey(partition: "ann", key: "k"))
        #expect(try names() == [".other", ".writing-future", ".writing-young", "k.entry"])
    }

    @Test func `keys that are paths, URLs and worse are kept apart, inside the folder, over a restart`() async throws {
        let keys = [
            "https://maps.example.test/static?size=320x320&path="
                + String(repeating: "weight:5%7Cenc:y", count: 40), "a/b", "a/../../b", "..", ".", "", "A", "a", "con",
            "x." + String(repeating: "j", count: 300), "nul\0byte", "line\nbreak", "%2F", "/",
        ]
        for (number, key) in keys.enumerated() {
            try await store().put(entry("\(number)"), for: StoreKey(key: key))
        }
        for (number, key) in keys.enumerated() {
            #expect(try store().entry(for: StoreKey(key: key)) == entry("\(number)"))
        }
        let contents = folder.contents()
        #expect(contents.allSatisfy { $0 == "files" || $0.hasPrefix("files/") })
        #expect(contents.filter { $0.hasSuffix(".entry") }.count == keys.count)
    }

    @Test func `an error names neither partition nor key`() async throws {
        try await store().put(entry("v"), for: key)
        try Data("mine".utf8).write(to: folder.url("files/s3cr3t"))
        for key in [StoreKey(partition: "s3cr3t", key: "k"), StoreKey(partition: "s3cr3t", key: "s3cr3t")] {
            let error = await #expect(throws: StorageError.self) { try await store().put(entry("v"), for: key) }
            var dumped = ""
            dump(error, to: &dumped)
            #expect(error?.description.contains("s3cr3t") == false && !dumped.contains("s3cr3t"))
        }
    }
}

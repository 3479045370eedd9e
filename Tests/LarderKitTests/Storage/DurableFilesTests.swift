import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

/// What is promised to survive a power cut does, with all that leads to it.
struct DurableFilesTests {
    private let folder: TestFolder
    private let disk = FaultyDisk()

    init() throws {
        folder = try TestFolder()
        try disk.record(folder.url)
    }

    private let key = StoreKey(partition: "anna", key: "k")

    private func entry(_ text: String) -> StoredEntry {
        let metadata = EntryMetadata(codec: CodecID(name: "text", version: 1), stamp: 1, storedAt: Date())
        return StoredEntry(body: Data(text.utf8), metadata: metadata)
    }

    private func store(_ durability: Durability) -> FileStore {
        FileStore(folder: folder.url("files"), disk: disk, durability: durability)
    }

    /// The values that may be found when the power goes now; `nil` is none.
    private func found() throws -> Set<String?> {
        var power = PowerLoss(try #require(disk.endRecording()))
        power.advance(to: .max)
        return try Set(
            power.states(limit: 200, seed: 1).map { contents in
                let copy = try TestFolder()
                try contents.write(to: copy.url("copy"))
                let store = FileStore(folder: copy.url("copy/files"))
                return try store.entry(for: key).map { String(decoding: $0.body, as: UTF8.self) }
            })
    }

    @Test func `a value in a new folder survives a power cut where that is promised`() async throws {
        try await store(.powerLoss).put(entry("v"), for: key)
        #expect(try found() == ["v"])
    }

    @Test func `elsewhere it may be lost, and is never half of itself`() async throws {
        try await store(.processCrash).put(entry("v"), for: key)
        #expect(try found() == ["v", nil])
    }

    @Test func `a value that was replaced is the new one`() async throws {
        try await store(.powerLoss).put(entry("old"), for: key)
        try await store(.powerLoss).put(entry("new"), for: key)
        #expect(try found() == ["new"])
    }

    @Test func `a value that was removed does not come back`() async throws {
        try await store(.powerLoss).put(entry("v"), for: key)
        try await store(.powerLoss).remove(key)
        #expect(try found() == [nil])
    }

    @Test func `the values of an account that was signed out of do not come back`() async throws {
        try await store(.powerLoss).put(entry("v"), for: key)
        try await store(.powerLoss).removeAll(in: "anna")
        #expect(try found() == [nil])
        #expect(folder.contents().filter { $0.hasSuffix(".entry") } == [])
    }

    @Test func `a body in a file of its own survives a power cut where that is promised`() throws {
        let blobs = BlobFolder(folder: folder.url("blobs"), disk: disk, durability: .powerLoss)
        let body = Data(repeating: 7, count: 3000)
        let name = try blobs.writeNow(body)
        var power = PowerLoss(try #require(disk.endRecording()))
        power.advance(to: .max)
        let states = power.states(limit: 200, seed: 1)
        #expect(states.allSatisfy { $0.files["blobs/\(name)"] == body })
    }

    @Test func `the first value of a new cache survives a power cut where that is promised`() async throws {
        let larder = try Larder(
            .folder(folder.url("a/cache")), options: LarderOptions(durability: .powerLoss),
            environment: TestWorld(disk: disk).environment)
        let large = String(repeating: "large", count: 40_000)
        try await larder.common.resource("small") { "" }.store("small")
        try await larder.common.resource("large") { "" }.store(large)
        var power = PowerLoss(try #require(disk.endRecording()))
        power.advance(to: .max)
        larder.close()
        for contents in power.states(limit: 20, seed: 1) {
            let copy = try TestFolder()
            try contents.write(to: copy.url("copy"))
            let found = try Larder(.folder(copy.url("copy/a/cache")), environment: TestWorld().environment)
            #expect(try found.common.resource("small") { "" }.peek()?.value == "small")
            #expect(try found.common.resource("large") { "" }.peek()?.value == large)
            found.close()
        }
    }
}

import Foundation
import LarderKit
import LarderTestKit
import Testing

/// What a larder does to its own files goes through the same disk as what SQLite does.
struct FaultyDiskFilesTests {
    private let scratch: DiskScratch
    private var disk: FaultyDisk { scratch.disk }

    init() throws {
        scratch = try DiskScratch()
    }

    private func path(_ name: String) -> String { scratch.folder.appending(path: name).path }

    private func kind(_ body: () throws -> Void) -> StorageError.Kind? {
        do { try body() } catch let error as StorageError { return error.kind } catch {}
        return nil
    }

    @Test func filesAreWrittenMovedAndRemoved() throws {
        let bytes = Data("abc".utf8)
        try disk.write(bytes, toNewFile: path("a"), isSynced: true)
        try disk.move(path("a"), to: path("b"))
        try disk.syncFolder(scratch.folder.path)
        #expect(try disk.read(path("a")) == nil)
        #expect(try disk.read(path("b")) == bytes)
        try disk.remove(path("b"))
        #expect(try disk.read(path("b")) == nil)
        #expect(
            disk.counts == [.create: 1, .write: 1, .sync: 1, .rename: 1, .syncFolder: 1, .read: 3, .delete: 1])
    }

    @Test func aFullDiskLeavesAnEmptyFile() throws {
        disk.fail(1, of: [.write], with: .full)
        #expect(kind { try disk.write(Data("abc".utf8), toNewFile: path("a"), isSynced: false) } == .full)
        #expect(try disk.read(path("a")) == Data())
    }

    @Test func aShortWriteLeavesHalfAFile() throws {
        disk.fail(1, of: [.write], with: .shortWrite)
        #expect(kind { try disk.write(Data("abcd".utf8), toNewFile: path("a"), isSynced: true) } == .other)
        #expect(try disk.read(path("a")) == Data("ab".utf8))
        #expect(disk.counts[.sync] == nil)
    }

    @Test(arguments: [DiskOperation.rename, .delete, .syncFolder, .read, .create, .sync])
    func eachOperationFails(_ operation: DiskOperation) throws {
        try Data("abc".utf8).write(to: scratch.folder.appending(path: "a"))
        disk.fail(1, of: [operation])
        let found = kind {
            switch operation {
            case .rename: try disk.move(path("a"), to: path("b"))
            case .delete: try disk.remove(path("a"))
            case .syncFolder: try disk.syncFolder(scratch.folder.path)
            case .read: _ = try disk.read(path("a"))
            default: try disk.write(Data(), toNewFile: path("c"), isSynced: true)
            }
        }
        #expect(found == .other)
        #expect(FileManager.default.fileExists(atPath: path("a")))
        #expect(!FileManager.default.fileExists(atPath: path("b")))
    }

    @Test func whatIsDoneToFilesIsRecorded() throws {
        try disk.record(scratch.folder)
        let bytes = Data("abc".utf8)
        try disk.write(bytes, toNewFile: path("a"), isSynced: true)
        try disk.write(bytes, toNewFile: path("c"), isSynced: false)
        try disk.move(path("a"), to: path("b"))
        try disk.syncFolder(scratch.folder.path)
        try disk.remove(path("b"))
        #expect(
            disk.endRecording()?.events == [
                .create("a"), .write("a", offset: 0, bytes), .sync("a"), .create("c"),
                .write("c", offset: 0, bytes), .rename("a", to: "b"), .syncFolder(""), .delete("b"),
            ])
    }

    @Test func aLarderLivesOnIt() async throws {
        let world = TestWorld(disk: disk)
        let larder = try Larder(.folder(scratch.folder), environment: world.environment)
        let large = String(repeating: "large", count: 40_000)
        let kept = larder.common.resource("a") { large }
        disk.reset()
        _ = try await kept.read()
        // The value lies in a file of its own, its row in the database.
        #expect(disk.counts[.create] ?? 0 >= 1 && disk.counts[.write] ?? 0 > 2)
        disk.fail(1, of: [.write], with: .full, .fromThenOn)
        let other = larder.common.resource("b") { large }
        let reading = try await other.read()
        #expect(reading.value == large && reading.warnings.count == 1)
        #expect(disk.faultCount > 0)
        #expect(try other.peek() == nil)
        #expect(try kept.peek()?.value == large)
        larder.close()
    }
}

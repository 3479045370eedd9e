import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(5))) struct VerificationTests {
    @Test func soundCacheIsSoundAndUntouched() async throws {
        let cache = try await DamagedCache()
        let (names, bytes) = (try cache.names, try cache.database)
        let report = try await LarderRepair.verify(folder: cache.folder)
        #expect(report.isSound && report.findings.isEmpty, "\(report.findings)")
        #expect(report.feeds == 2 && report.blobs == DamagedCache.blobs && report.files == 1)
        #expect(report.rows > 2 * DamagedCache.items + DamagedCache.values)
        #expect(try cache.names == names)
        #expect(try cache.database == bytes)
        #expect(try await LarderRepair.repair(folder: cache.folder).outcome == .sound)
        #expect(try cache.names == names)
        #expect(try cache.readAll() == Served(values: 124, items: 600, gaps: 0, errors: 0))
    }

    @Test func cacheInUseIsVerified() async throws {
        let cache = try await DamagedCache()
        let larder = try cache.open()
        try await cache.resource(5, in: larder).store(DamagedCache.body(5))
        let report = try await LarderRepair.verify(folder: cache.folder)
        #expect(report.isSound, "\(report.findings)")
        #expect(try cache.resource(5, in: larder).peek()?.value == DamagedCache.body(5))
        larder.close()
    }

    @Test func logOfAKilledProcessIsLeftAsItIs() async throws {
        let cache = try await DamagedCache()
        // The files as they are while a process has them open, moved to where nobody has.
        let larder = try cache.open()
        try await cache.resource(5, in: larder).store(DamagedCache.body(5))
        let (file, log) = (try cache.database, try Data(contentsOf: cache.files.log))
        larder.close()
        try file.write(to: cache.files.database)
        try log.write(to: cache.files.log)
        let names = try cache.names
        let report = try cache.verify()
        #expect(report.isSound, "\(report.findings)")
        #expect(try cache.names == names)
        #expect(try Data(contentsOf: cache.files.log) == log)
        #expect(try cache.database == file)
    }

    @Test func emptyFileIsASoundAndEmptyCache() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "larder-empty-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        await #expect(throws: StorageError.self) { try await LarderRepair.verify(folder: folder) }
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data().write(to: folder.appending(path: "cache.sqlite"))
        let report = try await LarderRepair.verify(folder: folder)
        #expect(report.isSound && report.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["cache.sqlite"])
    }

    @Test(arguments: [1, 50, 700]) func fewBytesOfSomethingElseAreSetAside(count: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "larder-bytes-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let bytes = Data(repeating: 0x3C, count: count)
        try bytes.write(to: folder.appending(path: "cache.sqlite"))
        #expect(try await LarderRepair.verify(folder: folder).counts[.header, default: 0] > 0)
        let report = try await LarderRepair.repair(folder: folder)
        #expect(try Data(contentsOf: try #require(report.setAside).appending(path: "cache.sqlite")) == bytes)
        #expect(try await LarderRepair.verify(folder: folder).isSound)
    }

    @Test func otherProgramsFileAndANewerOneAreNotTouched() async throws {
        let cache = try await DamagedCache()
        try cache.run("PRAGMA user_version = 999")
        for _ in 0..<2 {
            let bytes = try cache.database
            let verified = await #expect(throws: StorageError.self) {
                try await LarderRepair.verify(folder: cache.folder)
            }
            let repaired = await #expect(throws: StorageError.self) {
                try await LarderRepair.repair(folder: cache.folder)
            }
            #expect(verified?.kind == repaired?.kind)
            #expect([.newerFormat, .notALarder].contains(verified?.kind))
            #expect(try cache.database == bytes)
            try FileManager.default.removeItem(at: cache.files.database)
            try cache.run0("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
        }
    }

    @Test(arguments: [
        (
            "UPDATE larder_entry SET body = x'00' || substr(body, 2) WHERE rowid = 3",
            VerificationReport.Finding.Kind.row
        ),
        ("UPDATE larder_entry SET stamp = stamp + 1 WHERE rowid = 3", .row),
        ("UPDATE larder_feed_item SET body = x'7B7D' WHERE rowid = 30", .row),
        ("UPDATE larder_segment SET at = at + 1", .row),
        ("UPDATE larder_feed SET largest_page = -4, latest = 'x', paging = x'00'", .row),
        ("UPDATE larder_feed SET paging = 'nonsense'", .row),
        ("DELETE FROM larder_codec", .row),
        ("PRAGMA writable_schema = 1; DELETE FROM sqlite_master WHERE name = 'larder_entry_used'", .structure),
        ("PRAGMA application_id = 7", .header),
        ("PRAGMA user_version = 1", .header),
    ]) func changeIsFoundAndRepaired(script: String, kind: VerificationReport.Finding.Kind) async throws {
        let cache = try await DamagedCache()
        try cache.run(script)
        let report = try cache.verify()
        #expect(report.counts[kind, default: 0] > 0, "\(report.findings)")
        let repair = try cache.repair()
        #expect(repair.outcome != .sound)
        let after = try cache.verify()
        #expect(after.isSound, "\(after.findings)")
        let served = try cache.readAll()
        #expect(served.errors == 0)
        if !script.contains("codec") { #expect(served.values >= 123 && served.items >= 299, "\(served)") }
    }
}

extension VerificationTests {
    @Test func feedThatMayBeAnothersIsNotShown() async throws {
        let cache = try await DamagedCache()
        try cache.run("UPDATE larder_feed SET partition = 'bob' WHERE name = 'list'")
        _ = try cache.repair()
        #expect(try cache.verify().isSound)
        let larder = try cache.open()
        #expect(
            try larder.partition("bob").feed("list", paging: .afterItem(), fetch: cache.list.fetchPage).peek() == nil)
        larder.close()
        #expect(try cache.readAll() == Served(values: 124, items: 300, gaps: 0, errors: 0))
    }
}

extension DamagedCache {
    /// The same on a file that is not there yet.
    func run0(_ script: String) throws {
        try Data().write(to: files.database)
        try run(script)
    }
}

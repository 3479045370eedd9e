import Foundation
import LarderSQLite
import LarderTestKit
import Synchronization
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(3))) struct RepairTests {
    /// Repairs, and expects a sound cache and the damaged file beside it.
    private func repaired(_ cache: DamagedCache) throws -> (report: RepairReport, served: Served) {
        let damaged = try cache.database
        #expect(try !cache.verify().isSound)
        let report = try cache.repair()
        #expect(report.outcome == .rebuilt)
        let folder = try #require(report.setAside)
        #expect(try Data(contentsOf: folder.appending(path: "cache.sqlite")) == damaged)
        let after = try cache.verify()
        #expect(after.isSound, "\(after.findings)")
        #expect(try cache.names.allSatisfy { !$0.contains(CacheFiles.unfinishedPrefix) })
        let served = try cache.readAll()
        #expect(served.errors == 0)
        #expect(try cache.repair().outcome == .sound)
        return (report, served)
    }

    @Test(arguments: ["larder_entry", "larder_feed_item", "larder_segment", "larder_feed", "larder_codec"])
    func anOverwrittenPageCostsWhatWasOnIt(table: String) async throws {
        let cache = try await DamagedCache()
        let pages = try cache.leaves(of: table)
        try cache.overwrite(page: pages[pages.count / 2])
        let (_, served) = try repaired(cache)
        switch table {
        case "larder_entry":
            #expect(served.values > 90 && served.values < 124 && served.items == 600 && served.gaps == 0)
        case "larder_feed_item":
            #expect(served.values == 124 && served.items > 550 && served.items < 600 && served.gaps > 0)
        default: #expect(served.values == 124 && served.items == 600, "\(served)")
        }
    }

    @Test(arguments: ["larder_entry", "larder_feed_item"])
    func lostRootCostsNothing(table: String) async throws {
        let cache = try await DamagedCache()
        try cache.overwrite(page: try cache.root(of: table))
        let (report, served) = try repaired(cache)
        #expect(served == Served(values: 124, items: 600, gaps: 0, errors: 0))
        #expect(report.lost.isEmpty, "\(report.lost)")
    }

    @Test func lostItemsAndLostIndexLeaveNoProof() async throws {
        let cache = try await DamagedCache()
        let pages = try cache.leaves(of: "larder_feed_item")
        try cache.overwrite(page: pages[1])
        try cache.overwrite(page: try cache.leaves(of: "sqlite_autoindex_larder_feed_item_1")[0])
        let (report, served) = try repaired(cache)
        #expect(report.feedsWithoutProof == 2)
        #expect(served.items > 550 && served.gaps >= served.items - 2)
    }

    @Test func everyPageInTurnIsSurvived() async throws {
        let cache = try await DamagedCache()
        let whole = try cache.database
        for page in stride(from: 1, through: whole.count / DamagedCache.pageSize, by: 10) {
            try? FileManager.default.removeItem(at: cache.files.damaged)
            try whole.write(to: cache.files.database)
            try cache.overwrite(page: page)
            guard try !cache.verify().isSound else { continue }
            _ = try cache.repair()
            let after = try cache.verify()
            #expect(after.isSound, "page \(page): \(after.findings)")
            let served = try cache.readAll()
            #expect(served.values > 80 && served.items > 500, "page \(page): \(served)")
        }
    }

    @Test func headerThatIsGoneCostsNothing() async throws {
        let cache = try await DamagedCache()
        try cache.change(cache.files.database) { bytes in
            for offset in 0..<100 { bytes[offset] = UInt8(offset) }
        }
        #expect(try repaired(cache).served == Served(values: 124, items: 600, gaps: 0, errors: 0))
    }

    @Test func halfAFileGivesWhatItHolds() async throws {
        let cache = try await DamagedCache()
        try cache.change(cache.files.database) { $0 = $0.prefix($0.count / 2) }
        let (_, served) = try repaired(cache)
        #expect(served.values > 40, "\(served)")
    }

    @Test func pageOfAPortalBecomesAnEmptyCache() async throws {
        let cache = try await DamagedCache()
        try Data("<!DOCTYPE html><html><body>Sign in to the network</body></html>".utf8).write(to: cache.files.database)
        #expect(throws: StorageError.self) { try cache.open(LarderOptions(damage: .repair)) }
        let (report, served) = try repaired(cache)
        #expect(served == Served())
        #expect(report.endedAllSessions)
    }

    @Test func swappedPagesAreSortedOut() async throws {
        let cache = try await DamagedCache()
        let (one, other) = (try cache.leaves(of: "larder_feed_item")[2], try cache.leaves(of: "larder_entry")[2])
        try cache.change(cache.files.database) { bytes in
            for offset in 0..<DamagedCache.pageSize {
                bytes.swapAt((one - 1) * DamagedCache.pageSize + offset, (other - 1) * DamagedCache.pageSize + offset)
            }
        }
        let (_, served) = try repaired(cache)
        #expect(served == Served(values: 124, items: 600, gaps: 0, errors: 0))
    }

    @Test func indexOutOfStepGivesNoHole() async throws {
        let cache = try await DamagedCache()
        // The rows are written with the index out of sight.
        try cache.run(
            """
            PRAGMA writable_schema = 1;
            UPDATE sqlite_master SET name = 'x', sql = 'CREATE TABLE x (feed, key, row, PRIMARY KEY (feed, key, row)) WITHOUT ROWID',
                type = 'table', tbl_name = 'x' WHERE name = 'larder_feed_item_id';
            """)
        try cache.run("DELETE FROM x WHERE row > 200 AND row < 250")
        let (_, served) = try repaired(cache)
        #expect(served.values == 124 && served.items == 600)
    }

    @Test(arguments: ["missing", "cut", "flipped", "orphan"]) func filesOfValues(fault: String) async throws {
        let cache = try await DamagedCache()
        let blob = cache.files.blobs.appending(path: try #require(BlobCheck.files(in: cache.files).first))
        switch fault {
        case "missing": try FileManager.default.removeItem(at: blob)
        case "cut": try cache.change(blob) { $0 = $0.prefix(1000) }
        case "flipped": try cache.change(blob) { $0[5000] ^= 1 }
        default:
            let name = String(blob.lastPathComponent.reversed())
            try Data("left over".utf8).write(to: blob.deletingLastPathComponent().appending(path: name))
        }
        let report = try cache.verify()
        #expect(report.isSound == (fault == "orphan"))
        _ = try cache.repair()
        #expect(try cache.verify().isSound)
        #expect(try cache.readAll() == Served(values: fault == "orphan" ? 124 : 123, items: 600, gaps: 0, errors: 0))
    }

    @Test func flippedFileOfADocumentIsRemoved() async throws {
        let cache = try await DamagedCache()
        let file = cache.files.files.appending(path: try #require(FileCheck.names(in: cache.files).first))
        try cache.change(file) { $0[$0.count - 3] ^= 4 }
        #expect(try cache.verify().counts[.file] == 1)
        #expect(try cache.repair().removedFiles == 1)
        #expect(try cache.verify().isSound)
    }

    /// An index that still has the id of an item whose row and key are gone tells that one is missing, and not where.
    @Test func anItemThatOnlyTheIndexOfIDsHasLeavesNoProof() async throws {
        let cache = try await DamagedCache()
        try cache.run(
            """
            PRAGMA writable_schema = ON;
            CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'larder_feed_item_id';
            DELETE FROM sqlite_schema WHERE name = 'larder_feed_item_id';
            PRAGMA writable_schema = RESET;
            DELETE FROM larder_feed_item WHERE rowid = (
                SELECT rowid FROM larder_feed_item WHERE id IS NOT NULL ORDER BY key LIMIT 1 OFFSET 100);
            PRAGMA writable_schema = ON;
            INSERT INTO sqlite_schema SELECT * FROM temp.kept;
            PRAGMA writable_schema = RESET;
            """)
        let (report, served) = try repaired(cache)
        #expect(report.feedsWithoutProof == 1)
        #expect(served.items == 599 && served.gaps >= 298, "\(served)")
    }

    @Test(arguments: ["blobs", "files"]) func aFolderInThePlaceOfAFileCostsItsValue(place: String) async throws {
        let cache = try await DamagedCache()
        let (names, folder) =
            place == "blobs"
            ? (BlobCheck.files(in: cache.files), cache.files.blobs)
            : (FileCheck.names(in: cache.files), cache.files.files)
        let file = folder.appending(path: try #require(names.first))
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect(try cache.verify().counts[place == "blobs" ? .blob : .file] == 1)
        #expect(try cache.repair().removedFiles == 1)
        #expect(try cache.verify().isSound)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func logThatIsCutIsNoDamage() async throws {
        let cache = try await DamagedCache()
        let larder = try cache.open()
        for _ in 0..<3 { try await cache.resource(5, in: larder).store(DamagedCache.body(5)) }
        let (file, log) = (try cache.database, try Data(contentsOf: cache.files.log))
        larder.close()
        try file.write(to: cache.files.database)
        try log.prefix(log.count - 5000).write(to: cache.files.log)
        #expect(try cache.verify().isSound)
        #expect(try cache.readAll() == Served(values: 124, items: 600, gaps: 0, errors: 0))
    }

    @Test func whatAKilledRepairLeftIsSwept() async throws {
        let cache = try await DamagedCache()
        try Data("half".utf8).write(to: cache.folder.appending(path: CacheFiles.unfinishedPrefix + "x.sqlite"))
        #expect(try cache.repair().outcome == .sound)
        #expect(try cache.names.allSatisfy { !$0.contains(CacheFiles.unfinishedPrefix) })
    }

    @Test func copyThatCannotBeMadeChangesNothing() async throws {
        let cache = try await DamagedCache()
        try cache.overwrite(page: try cache.leaves(of: "larder_entry")[1])
        let (bytes, names) = (try cache.database, try cache.names)
        let full = CacheFiles(folder: cache.folder, disk: FullDisk())
        let error = #expect(throws: StorageError.self) { try Repairer(cache: full).run() }
        #expect(error?.kind == .full)
        #expect(try cache.database == bytes)
        #expect(Set(try cache.names).subtracting(names).isSubset(of: ["damaged", "repair.lock"]))
    }

    @Test func signingOutRemovesWhatWasSetAside() async throws {
        let cache = try await DamagedCache()
        try cache.overwrite(page: try cache.leaves(of: "larder_entry")[1])
        let folder = try #require(try cache.repair().setAside)
        let larder = try cache.open()
        try await larder.partition("anna").signOut()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        larder.close()
    }

    @Test func signedOutAccountsStayOutWhenTheListOfThemIsLost() async throws {
        let cache = try await DamagedCache()
        let larder = try cache.open()
        let before = larder.partition("bob").resource("x", codec: .raw, fetch: DamagedCache.noFetch)
        #expect(try before.peek() == nil)
        try await larder.core.database.checkpoint(.truncate)
        try cache.overwriteInPlace(page: try cache.root(of: "larder_partition"))
        #expect(try cache.repair().endedAllSessions)
        await #expect(throws: LarderError.self) { try await before.store(Data([1])) }
        let after = larder.partition("bob").resource("x", codec: .raw, fetch: DamagedCache.noFetch)
        try await after.store(Data([2]))
        #expect(try after.peek()?.value == Data([2]))
        try await larder.partition("bob").signOut()
        await #expect(throws: LarderError.self) { try await after.store(Data([3])) }
        larder.close()
    }

    @Test func cacheIsRepairedWhileItIsOpen() async throws {
        let cache = try await DamagedCache()
        let larder = try cache.open()
        #expect(cache.readAll(larder).errors == 0)
        try await cache.resource(5, in: larder).store(DamagedCache.body(5))
        try await larder.core.database.checkpoint(.truncate)
        try cache.overwriteInPlace(page: try cache.leaves(of: "larder_feed_item")[3])
        let report = try cache.repair()
        #expect(report.outcome == .rebuilt)
        let served = cache.readAll(larder)
        #expect(served.errors == 0 && served.values == 124 && served.items > 550)
        try await cache.resource(5, in: larder).store(DamagedCache.body(5))
        #expect(try cache.verify().isSound)
        larder.close()
        #expect(try cache.readAll().errors == 0)
    }
}

/// A disk that has room for nothing new.
private struct FullDisk: DiskAccess {
    var vfs: String? { nil }
    func read(_ path: String) throws(StorageError) -> Data? { try SystemDisk().read(path) }
    func write(_ bytes: Data, toNewFile path: String, isSynced: Bool) throws(StorageError) {
        throw StorageError(.full, "the disk is full")
    }
    func move(_ path: String, to target: String) throws(StorageError) { try SystemDisk().move(path, to: target) }
    func remove(_ path: String) throws(StorageError) { try SystemDisk().remove(path) }
    func createFolder(_ path: String) throws(StorageError) { try SystemDisk().createFolder(path) }
    func syncFolder(_ path: String) throws(StorageError) { try SystemDisk().syncFolder(path) }
}

extension DamagedCache {
    /// Into the same file, as a disk does it: whoever has it open sees it.
    func overwriteInPlace(page: Int) throws {
        let file = try FileHandle(forUpdating: files.database)
        try file.seek(toOffset: UInt64((page - 1) * Self.pageSize))
        try file.write(contentsOf: Data(repeating: 0x5A, count: Self.pageSize))
        // Not closed: that would drop the locks of this process on the file.
        withExtendedLifetime(file) { Self.open.withLock { $0.append(file) } }
    }
}

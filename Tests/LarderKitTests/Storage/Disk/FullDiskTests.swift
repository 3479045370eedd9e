import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// A disk without room: what is stored stays and is shown, what cannot be stored says so, and room is made where there is
/// something to give.
@Suite struct FullDiskTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// A disk of one megabyte.
    private func withDisk(_ body: (URL) async throws -> Void) async throws {
        guard let disk = try SmallDisk(in: folder) else {
            try Test.cancel("mounting a small file system is not allowed here")
        }
        do {
            try await body(disk.url.appendingPathComponent("cache", isDirectory: true))
        } catch {
            disk.unmount()
            throw error
        }
        disk.unmount()
    }

    private func open(_ url: URL, budget: Int? = nil) throws -> Larder {
        try Larder(
            .folder(url), options: LarderOptions(budget: StorageBudget(bytes: budget)),
            environment: TestWorld().environment)
    }

    /// Fills what is left of the disk.
    private func fill(_ cache: URL) throws {
        let file = cache.deletingLastPathComponent().appendingPathComponent("rest")
        try #require(FileManager.default.createFile(atPath: file.path, contents: nil))
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        for size in [64 << 10, 4 << 10, 512] {
            while (try? handle.write(contentsOf: Data(repeating: 1, count: size))) != nil {}
        }
    }

    private func bytes(_ larder: Larder, _ key: String, _ body: Data) -> Resource<Data> {
        larder.common.resource(key, codec: .raw) { body }
    }

    @Test func `a value larger than the disk is refused as such, and the older one stays`() async throws {
        try await withDisk { url in
            let larder = try open(url, budget: 100_000)
            defer { larder.close() }
            _ = try await bytes(larder, "k", Data("old".utf8)).read()
            let reading = try await bytes(larder, "k", Data(count: 3_000_000)).read(.networkOnly)
            #expect(reading.value.count == 3_000_000)
            guard case .notKept(let error)? = reading.warnings.first else {
                Issue.record("no warning: \(reading.warnings)")
                return
            }
            #expect(error.kind == .full || error.kind == .overBudget)
            #expect(try bytes(larder, "k", Data()).peek()?.value == Data("old".utf8))
            #expect(!folder.contents().contains { $0.contains(".writing-") })
        }
    }

    @Test func `the reserve makes room for a small write`() async throws {
        try await withDisk { url in
            let larder = try open(url)
            defer { larder.close() }
            _ = try await bytes(larder, "a", Data("a".utf8)).read()
            #expect(FileManager.default.fileExists(atPath: url.appendingPathComponent(Reserve.fileName).path))
            try fill(url)
            for number in 0..<3 {
                let reading = try await bytes(larder, "b\(number)", Data(count: 20_000)).read()
                #expect(reading.warnings.isEmpty)
            }
            #expect(!FileManager.default.fileExists(atPath: url.appendingPathComponent(Reserve.fileName).path))
            #expect(try bytes(larder, "a", Data()).peek()?.value == Data("a".utf8))
        }
    }

    @Test func `then the large values that were not used for longest go, but for pinned ones`() async throws {
        try await withDisk { url in
            let larder = try open(url, budget: 1_000_000)
            defer { larder.close() }
            let large = Data(repeating: 7, count: 120_000)
            for key in ["pinned", "oldest", "newest"] { _ = try await bytes(larder, key, large).read() }
            try await larder.write { db in
                try PinTable.set(StoreKey(key: "pinned"), true, in: db)
                try db.executeScript(
                    "UPDATE larder_entry SET used_at = CASE key WHEN 'pinned' THEN 1 WHEN 'oldest' THEN 2 ELSE 3 END")
            }
            try fill(url)
            let reading = try await bytes(larder, "another", large).read()
            #expect(reading.warnings.isEmpty)
            #expect(try bytes(larder, "pinned", Data()).peek()?.value == large)
            #expect(try bytes(larder, "oldest", Data()).peek() == nil)
        }
    }

    @Test func `where nothing can be given the error is told, reads go on, and so do writes when there is room`()
        async throws
    {
        try await withDisk { url in
            let larder = try open(url, budget: 1_000_000)
            defer { larder.close() }
            _ = try await bytes(larder, "a", Data("a".utf8)).read()
            try fill(url)
            let reading = try await bytes(larder, "b", Data(count: 60_000)).read()
            guard case .notKept(let error)? = reading.warnings.first else {
                Issue.record("no warning: \(reading.warnings)")
                return
            }
            #expect(error.kind == .full)
            #expect(try bytes(larder, "a", Data()).peek()?.value == Data("a".utf8))
            try FileManager.default.removeItem(at: url.deletingLastPathComponent().appendingPathComponent("rest"))
            #expect(try await bytes(larder, "b", Data("b".utf8)).read().warnings.isEmpty)
        }
    }

    @Test func `a cache on a full disk is opened by what the reserve gives`() async throws {
        try await withDisk { url in
            let larder = try open(url)
            _ = try await bytes(larder, "a", Data("a".utf8)).read()
            larder.close()
            try fill(url)
            let again = try open(url)
            #expect(try bytes(again, "a", Data()).peek()?.value == Data("a".utf8))
            again.close()
        }
    }
}

@Suite struct ReserveTests {
    @Test func `there is one where the budget has room for it, and none where it has not`() throws {
        let folder = try TestFolder()
        let environment = TestWorld().environment
        let reserve = folder.url(Reserve.fileName).path
        try Larder(.folder(folder.url), environment: environment).close()
        #expect(FileManager.default.fileExists(atPath: reserve))
        #expect(try permissions(folder.url(Reserve.fileName)) == 0o600)
        let options = LarderOptions(budget: StorageBudget(bytes: 400_000))
        try Larder(.folder(folder.url), options: options, environment: environment).close()
        #expect(!FileManager.default.fileExists(atPath: reserve))
    }
}

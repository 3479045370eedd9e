import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a larder keeps is its owner's alone, whatever the process has set up for new files.
@Suite(.timeLimit(.minutes(5)), .serialized) struct PermissionTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func store(in larder: Larder) async throws {
        try await larder.common.resource("small") { Data() }.store(Data("a".utf8))
        try await larder.common.resource("large") { Data() }.store(Data(count: 200_000))
        let options = ResourceOptions(storage: .files)
        try await larder.partition("ann").resource("file", options: options) { Data() }.store(Data("b".utf8))
    }

    private func check(_ cache: URL) throws {
        let names = FileManager.default.subpaths(atPath: cache.path) ?? []
        for name in ["cache.sqlite", "cache.sqlite-wal", "cache.sqlite-shm", "files/.lock"] {
            #expect(names.contains(name))
        }
        #expect(names.contains { $0.hasPrefix("blobs/") } && names.contains { $0.hasSuffix(".entry") })
        for name in names {
            var isFolder: ObjCBool = false
            let url = cache.appendingPathComponent(name)
            #expect(FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder))
            #expect(try permissions(url) == (isFolder.boolValue ? 0o700 : 0o600), "\(name)")
        }
    }

    @Test func `with no mask at all`() async throws {
        // Of the whole process: files that other tests make meanwhile may be read by all.
        let mask = umask(0)
        defer { umask(mask) }
        let cache = folder.url("deep/down")
        let larder = try Larder(.folder(cache), environment: TestWorld().environment)
        try await store(in: larder)
        try check(cache)
        #expect(try permissions(cache) == 0o700)
        #expect(try permissions(folder.url("deep")) == 0o700)
    }

    @Test func `in a folder that others may read, which stays as it is`() async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
        let larder = try Larder(.folder(folder.url), environment: TestWorld().environment)
        try await store(in: larder)
        try check(folder.url)
        #expect(try permissions(folder.url) == 0o755)
    }

    @Test func `a file that was copied here is taken from the others`() async throws {
        try await store(in: try Larder(.folder(folder.url("first")), environment: TestWorld().environment))
        try FileManager.default.createDirectory(at: folder.url("second"), withIntermediateDirectories: false)
        let (source, copy) = (folder.url("first/cache.sqlite"), folder.url("second/cache.sqlite"))
        try FileManager.default.copyItem(at: source, to: copy)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy.path)
        let larder = try Larder(.folder(folder.url("second")), environment: TestWorld().environment)
        try await larder.common.resource("k") { 1 }.store(1)
        for name in ["", "-wal", "-shm"] {
            #expect(try permissions(folder.url("second/cache.sqlite\(name)")) == 0o600)
        }
    }
}

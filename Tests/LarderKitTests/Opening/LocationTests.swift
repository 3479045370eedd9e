import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

@Suite struct LocationTests {
    #if !canImport(Darwin)
        @Test(arguments: [
            (["XDG_CACHE_HOME": "/var/tmp/x"], "/var/tmp/x/larder/shop"), ([:], "/home/ann/.cache/larder/shop"),
            (["HOME": "/tmp/bea"], "/tmp/bea/.cache/larder/shop"), (["HOME": "bea"], "/home/ann/.cache/larder/shop"),
            (["XDG_CACHE_HOME": ""], "/home/ann/.cache/larder/shop"),
            (["XDG_CACHE_HOME": "relative/path"], "/home/ann/.cache/larder/shop"),
        ])
        func `the standard folder follows the XDG specification`(environment: [String: String], path: String) {
            let home = URL(fileURLWithPath: "/home/ann", isDirectory: true)
            #expect(Larder.Location.xdgFolder(environment: environment, home: home, program: "shop").path == path)
        }

        @Test func `a program's name is one path component`() {
            let home = URL(fileURLWithPath: "/home/ann", isDirectory: true)
            let folder = Larder.Location.xdgFolder(environment: [:], home: home, program: "../x")
            #expect(folder.deletingLastPathComponent().path == "/home/ann/.cache/larder")
        }
    #endif

    @Test func `a folder that is missing is made, with those above it, for its owner alone`() throws {
        let folder = try TestFolder()
        let place = folder.url.appendingPathComponent("a/b/cache", isDirectory: true)
        let larder = try Larder(.folder(place), environment: TestWorld().environment)
        #expect(try permissions(place) == 0o700)
        #expect(try permissions(place.deletingLastPathComponent()) == 0o700)
        #expect(try permissions(place.appendingPathComponent("cache.sqlite")) == 0o600)
        #expect(larder.folder?.path == place.resolvingSymlinksInPath().path)
        larder.close()
    }

    @Test func `what is in memory has no folder, and two of them share nothing`() async throws {
        let larders = [Larder.inMemory(), Larder.inMemory()]
        for storage in [ResourceOptions.Storage.database, .files, .memory] {
            let resources = larders.map { $0.common.resource("k", options: .init(storage: storage)) { 1 } }
            _ = try await resources[0].read()
            #expect(try resources[0].peek()?.value == 1)
            #expect(try resources[1].peek() == nil)
        }
        #expect(larders[0].folder == nil)
    }

    @Test func `a temporary cache has a folder of its own, which goes with its last handle`() async throws {
        let paths = try await { () async throws -> [String] in
            let larders = [try Larder(.temporary), try Larder(.temporary)]
            let folders = try larders.map { try #require($0.folder) }
            for (larder, folder) in zip(larders, folders) {
                _ = try await larder.common.resource("k", options: .init(storage: .files)) { 1 }.read()
                #expect(try permissions(folder) == 0o700)
            }
            return folders.map(\.path)
        }()
        #expect(Set(paths).count == 2)
        for path in paths { #expect(!FileManager.default.fileExists(atPath: path)) }
    }
}

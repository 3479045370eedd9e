import Foundation
import Testing

@testable import LarderCLI

@Suite struct CacheFolderTests {
    @Test func theUsersOwnCacheIsWhereXDGSays() {
        #expect(CacheFolder.standard(["XDG_CACHE_HOME": "/x"]).path == "/x/larder/larder")
        #expect(CacheFolder.standard(["HOME": "/home/ann"]).path == "/home/ann/.cache/larder/larder")
        let home = FileManager.default.homeDirectoryForCurrentUser.path
        #expect(CacheFolder.standard([:]).path == home + "/.cache/larder/larder")
        #expect(CacheFolder.standard(["XDG_CACHE_HOME": "relative"]).path == home + "/.cache/larder/larder")
    }

    @Test func aRelativePathIsThatOfTheWorkingFolder() throws {
        #expect(try CacheFolder("a/../b").url.path == FileManager.default.currentDirectoryPath + "/b")
        #expect(throws: UsageError.self) { try CacheFolder("") }
    }
}

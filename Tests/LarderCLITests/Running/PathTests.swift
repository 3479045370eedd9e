import Foundation
import LarderKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct PathTests {
    @Test func theFolderIsOneLineAndItsFilesAreNamed() async throws {
        let cache = try FilledCache()
        try await cache.fill { larder in
            try await larder.common.put("a", Data("1".utf8))
            try await larder.common.put("b", Data("2".utf8), in: .files)
        }
        let run = try await Tool.run("path", "--cache", cache.path)
        #expect(run.code == 0 && run.text == cache.path + "\n" && run.error.isEmpty)
        let object = try await Tool.run("path", "--json", "--cache", cache.path).object()
        #expect(object["exists"] as? Bool == true && object["folder"] as? String == cache.path)
        let files = try #require(object["files"] as? [[String: Any]]).compactMap { $0["path"] as? String }
        #expect(files.contains("cache.sqlite") && files.contains { $0.hasPrefix("files/") && $0.hasSuffix("b.entry") })
    }

    @Test func aCacheThatIsNotThereIsToldOfAndNotMade() async throws {
        let scratch = try Scratch()
        for folder in [scratch.path("none"), scratch.url.path] {
            let run = try await Tool.run("path", "--cache", folder)
            #expect(run.code == 0 && run.text == folder + "\n")
            #expect(run.error.contains("no cache"))
            #expect(try await Tool.run("path", "--json", "--cache", folder).object()["exists"] as? Bool == false)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
    }

    @Test func withoutAFolderItIsTheUsersOwn() async throws {
        let run = try await Tool.run("path", environment: ["XDG_CACHE_HOME": "/nowhere/cache"])
        #expect(run.text == "/nowhere/cache/larder/larder\n")
    }

    @Test func aFileInTheFoldersPlaceIsNoCache() async throws {
        let scratch = try Scratch()
        _ = try scratch.newFile("file")
        let run = try await Tool.run("path", "--cache", scratch.path("file"))
        #expect(run.code == 3 && run.error.contains("is a file"))
    }
}

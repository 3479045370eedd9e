import Foundation
import LarderKit
import LarderSQLite
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct VerifyRepairTests {
    let cache: FilledCache

    init() async throws {
        cache = try FilledCache()
        try await cache.fill { larder in
            try await larder.common.put("good", Data("1".utf8))
            try await larder.partition("anna").put("bad", Data("2".utf8))
            try await larder.common.put("large", Data(repeating: 3, count: 200_000))
            try await larder.common.put("file", Data("4".utf8), in: .files)
            try await larder.common.putList("list", [3, 2, 1])
        }
    }

    private var database: String { cache.path + "/cache.sqlite" }

    private func tool(_ command: String, _ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.start([command, "--cache", cache.path] + arguments).end()
    }

    /// Overwrites bytes of a file from a place on.
    private func overwrite(_ path: String, at offset: Int, count: Int) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(repeating: 0xA5, count: count))
        try file.close()
    }

    private func damageRow() async throws {
        let database = try Database(.file(database))
        try await database.write { db in try db.execute("UPDATE larder_entry SET body = x'39' WHERE key = 'bad'") }
    }

    @Test func aSoundCacheIsSaidToBeAndIsNotChanged() async throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: database))
        let run = try await tool("verify")
        #expect(run.code == 0 && run.error.isEmpty)
        #expect(run.text.hasPrefix("\(cache.path) is sound: "))
        let object = try await tool("verify", "--json").object()
        #expect(object["sound"] as? Bool == true && object["blobs"] as? Int == 1 && object["files"] as? Int == 1)
        #expect(try await tool("verify", "--quick", "--json").object()["quick"] as? Bool == true)
        let repair = try await tool("repair")
        #expect(repair.code == 0 && repair.text == "\(cache.path) is sound: nothing was changed\n")
        #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == before)
    }

    @Test func aDamagedRowIsNamedAndRemovedAlone() async throws {
        try await damageRow()
        let run = try await tool("verify")
        #expect(run.code == 1)
        #expect(run.text.contains("damaged  account anna, bad: "))
        #expect(run.error.contains("1 row") && run.error.contains("'larder repair --cache \(cache.path)'"))
        let found = try #require(try await tool("verify", "--json").object()["findings"] as? [[String: Any]])
        #expect(found.contains { $0["kind"] as? String == "row" && $0["key"] as? String == "bad" })
        let repair = try await tool("repair", "--json")
        #expect(repair.code == 0)
        let object = try repair.object()
        #expect(object["outcome"] as? String == "removedRows")
        #expect((object["lost"] as? [String: Int])?["larder_entry"] == 1)
        #expect(try await tool("verify").code == 0)
        #expect(try await tool("show", "good").text == "1")
        #expect(try await tool("show", "bad", "--partition", "anna").code == 1)
    }

    @Test func aBeginningThatIsGoneIsBuiltAnewAndTheDamagedFileSetAside() async throws {
        try overwrite(database, at: 0, count: 4096)
        let run = try await tool("verify", "--json")
        #expect(run.code == 1)
        #expect(try run.object()["sound"] as? Bool == false)
        let repair = try await tool("repair")
        #expect(repair.code == 0 && repair.text.contains("its database was built anew"))
        let folder = try #require(repair.text.firstMatch(of: #/the damaged file lies in (\S+);/#)?.1)
        #expect(FileManager.default.fileExists(atPath: String(folder) + "/cache.sqlite"))
        #expect(try await tool("verify").code == 0)
        #expect(try await tool("ls").code == 0)
    }

    @Test func aBlobThatIsCutIsFoundAndItsValueForgotten() async throws {
        let path = try #require(try await tool("show", "large", "--json", "--meta").object()["path"] as? String)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.truncate(atOffset: 1000)
        try file.close()
        let run = try await tool("verify", "--json")
        #expect(run.code == 1)
        #expect((try run.object()["counts"] as? [String: Int])?["blob"] == 1)
        #expect(try await tool("repair").code == 0)
        #expect(try await tool("verify").code == 0)
        #expect(try await tool("show", "large").code == 1)
    }

    @Test func anOpenCacheGoesOnWhileItIsRepaired() async throws {
        let options = LarderOptions(damage: .refuse)
        let larder = try Larder(.folder(URL(fileURLWithPath: cache.path, isDirectory: true)), options: options)
        defer { larder.close() }
        try await damageRow()
        #expect(try await tool("repair").code == 0)
        let good = larder.common.bytes("good") { _ in throw FetchFailure(.offline, "nobody is asked") }
        #expect(try good.peek()?.value == Data("1".utf8))
        try await good.store(Data("new".utf8))
        #expect(try await tool("show", "good").text == "new")
    }

    @Test func secretsInKeysAreNotTold() async throws {
        try await cache.fill { larder in
            try await larder.common.put("https://api.example/me?token=s3cr3t", Data("1".utf8))
        }
        let database = try Database(.file(database))
        try await database.write { db in try db.execute("UPDATE larder_entry SET body = x'39' WHERE key LIKE 'https%'")
        }
        for options in [[], ["--json"]] {
            let run = try await Tool.start(["verify", "--cache", cache.path] + options).end()
            #expect(run.code == 1 && run.text.contains("token=…"))
            #expect(!run.text.contains("s3cr3t") && !run.error.contains("s3cr3t"))
        }
    }

    @Test(arguments: ["verify", "repair"])
    func whatIsNoCacheIsLeftAsItIs(command: String) async throws {
        let scratch = cache.scratch
        for folder in [scratch.path("none"), scratch.path("empty")] {
            if folder.hasSuffix("empty") {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            let run = try await Tool.run(command, "--json", "--cache", folder)
            #expect(run.code == 3 && run.error.contains(folder))
            #expect(try run.object()["error"] != nil)
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path("none")))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("empty")).isEmpty)
        let other = scratch.path("other")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        let diary = try Database(.file(other + "/cache.sqlite"))
        try await diary.write { db in try db.execute("CREATE TABLE diary (day TEXT)") }
        let run = try await Tool.run(command, "--cache", other)
        #expect(run.code == 3 && run.error.contains("another program"))
        #expect(try diary.read { try $0.query("SELECT name FROM sqlite_master") { try $0.text(0) } } == ["diary"])
    }
}

import Foundation
import LarderKit
import LarderSQLite
import Testing

/// What a command meets that is damaged costs itself alone, and is told.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DamagedRowTests {
    let cache: FilledCache

    init() async throws {
        cache = try FilledCache()
        try await cache.fill { larder in
            try await larder.common.put("good", Data("1".utf8))
            try await larder.common.put("bad", Data("2".utf8))
            try await larder.common.putList("good list", [2, 1])
            try await larder.common.putList("bad list", [4, 3])
        }
    }

    private func damage(_ sql: SQL) async throws {
        let database = try Database(.file(cache.path + "/cache.sqlite"))
        try await database.write { db in try db.execute(sql) }
    }

    @Test func theRestIsListedAndTheCodeSaysSo() async throws {
        try await damage("UPDATE larder_entry SET size = 7 WHERE key = 'bad'")
        try await damage("UPDATE larder_feed SET paging = 'nonsense' WHERE name = 'bad list'")
        let run = try await Tool.run("ls", "--json", "--cache", cache.path)
        #expect(run.code == 1)
        #expect(run.error.contains("2 rows or files") && run.error.contains("'larder repair --cache \(cache.path)'"))
        let object = try run.object()
        #expect((object["resources"] as? [[String: Any]])?.map { $0["key"] as? String } == ["good"])
        #expect((object["feeds"] as? [[String: Any]])?.map { $0["name"] as? String } == ["good list"])
        #expect(object["damaged"] as? Int == 2)
        let text = try await Tool.run("ls", "--cache", cache.path)
        #expect(text.code == 1 && text.text.contains("good list\n"))
    }

    @Test func theStatisticsAreShownAndTheCodeSaysSo() async throws {
        try await damage("UPDATE larder_entry SET checksum = 1 WHERE key = 'bad'")
        let run = try await Tool.run("stats", "--json", "--cache", cache.path)
        #expect(run.code == 1 && run.error.contains("1 row or file"))
        #expect(try run.object()["damaged"] as? Int == 1)
    }

    @Test func aValueThatIsDamagedIsNeverShown() async throws {
        try await damage("UPDATE larder_entry SET body = x'39' WHERE key = 'bad'")
        let run = try await Tool.run("show", "--cache", cache.path, "bad")
        #expect(run.code == 1 && run.output.isEmpty)
        #expect(run.error.contains("damaged") && run.error.contains("larder verify --cache"))
        let item = "UPDATE larder_feed_item SET body = x'7b7d' WHERE body = CAST('{\"id\":4}' AS BLOB)"
        try await damage(SQL(raw: item))
        let list = try await Tool.run("show", "--cache", cache.path, "bad list", "--item", "4")
        #expect(list.code == 1 && list.output.isEmpty && list.error.contains("damaged"))
        #expect(try await Tool.run("show", "--cache", cache.path, "bad list", "--item", "3").text == #"{"id":3}"#)
    }

    @Test(arguments: [["ls"], ["stats"], ["show", "good"], ["rm", "good"], ["pin", "good"]])
    func aFileWhoseBeginningIsGoneIsDamage(command: [String]) async throws {
        let path = cache.path + "/cache.sqlite"
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.write(contentsOf: Data(repeating: 0x5A, count: 4096))
        try file.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let run = try await Tool.start(command + ["--cache", cache.path]).end()
        #expect(run.code == 1)
        #expect(run.error.contains(path) && run.error.contains("larder repair --cache"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
}

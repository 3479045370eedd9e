import Foundation
import LarderKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct StatsTests {
    @Test func theRunsOfTheToolAreCountedTogether() async throws {
        let scratch = try Scratch()
        let cache = scratch.path("cache")
        let api = try StubAPI(json: #"[{"id":2},{"id":1}]"#)
        _ = try await Tool.run("get", "--cache", cache, api.url + "/doc")
        for _ in 0..<2 { _ = try await Tool.run("get", "--ttl", "1h", "--cache", cache, api.url + "/doc") }
        _ = try await Tool.run("feed", "--partition", "anna", "--cache", cache, api.url + "/list")
        api.stop()
        _ = try await Tool.run("get", "--cache", cache, api.url + "/doc")
        let object = try await Tool.run("stats", "--json", "--cache", cache).object()
        let totals = try #require(object["totals"] as? [String: Any])
        #expect(totals["hits"] as? Int == 2 && totals["staleHits"] as? Int == 1)
        #expect(totals["fetched"] as? Int == 2 && totals["requests"] as? Int == 3)
        #expect(totals["bytesSaved"] as? Int == 38 && totals["failures"] as? [String: Int] == ["offline": 1])
        #expect(object["hitRate"] as? Double == 0.6)
        let partitions = try #require(object["partitions"] as? [[String: Any]])
        #expect(partitions.map { $0["partition"] as? String } == ["", "anna"])
        #expect(partitions[0]["resources"] as? Int == 1 && partitions[1]["items"] as? Int == 2)
        #expect((object["databaseSize"] as? Int ?? 0) > 0)

        let text = try await Tool.run("stats", "--cache", cache).text
        #expect(text.contains("  hits           2  fresh, and no request\n"))
        #expect(text.contains("  hit rate    60 %"))
        #expect(text.contains("  failed           1  offline 1\n"))
        #expect(text.contains("  account anna: 0 documents, 1 list, 2 items, 0 gaps, 16 bytes\n"))
    }

    @Test func accountsThatWereSignedOutOfAreCounted() async throws {
        let scratch = try Scratch()
        let cache = scratch.path("cache")
        let larder = try Larder(.folder(URL(fileURLWithPath: cache, isDirectory: true)))
        try await larder.partition("anna").signOut()
        larder.close()
        let object = try await Tool.run("stats", "--json", "--cache", cache).object()
        let signedOut = try #require((object["signedOut"] as? [[String: Any]])?.first)
        #expect(signedOut["partition"] as? String == "anna" && signedOut["times"] as? Int == 1)
        #expect(object["hitRate"] is NSNull)
        let text = try await Tool.run("stats", "--cache", cache).text
        #expect(text.contains("  nothing\n  signed out of 1 account\n"))
        #expect(text.contains("  hit rate    -  hits and stale hits"))
    }

    @Test func aCacheThatIsNotThereIsNotMade() async throws {
        let scratch = try Scratch()
        let run = try await Tool.run("stats", "--json", "--cache", scratch.path("none"))
        #expect(run.code == 3)
        #expect(try run.object()["error"] != nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
    }
}

import Foundation
import LarderKit
import LarderServer
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct FeedTests {
    let scratch: Scratch
    let cache: String
    let sample = SampleAPI(.init(posts: 50), start: Date(timeIntervalSince1970: 1_700_000_000))

    init() throws {
        scratch = try Scratch()
        cache = scratch.path("cache")
    }

    private func ids(_ run: Tool.Outcome) throws -> [String] {
        try #require(try run.object()["ids"] as? [String])
    }

    @Test func itemsAreShownALineEachCutToTheTerminal() async throws {
        let server = try sample.serve()
        let run = try await Tool.run("feed", "--limit", "5", "--cache", cache, server.url + "/timeline")
        #expect(run.code == 0)
        let lines = run.text.split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.count <= 80 })
        let oldest = try #require(lines.last).prefix { $0 != " " }
        #expect(run.error == "5 items from the network\nOlder ones: older \(oldest)\n")
    }

    @Test func aWalkToTheEndGivesEveryItemOnceAndOfflineTheSameBytes() async throws {
        let server = try sample.serve()
        var online: [Data] = []
        var all: [String] = []
        var position: [String] = []
        for _ in 0..<3 {
            let run = try await Tool.start(
                ["feed", "--json", "--order", "decimal", "--cache", cache, server.url + "/timeline"] + position
            ).end()
            online.append(try items(run))
            all += try ids(run)
            position = ["older", try #require(all.last)]
        }
        #expect(all.count == 50)
        #expect(Set(all).count == 50)
        server.stop()
        position = []
        for page in online {
            let run = try await Tool.start(
                ["feed", "--json", "--offline", "--order", "decimal", "--cache", cache, server.url + "/timeline"]
                    + position
            ).end()
            #expect(run.code == 0)
            #expect(try items(run) == page)
            #expect(try run.object()["source"] as? String == "cache")
            position = ["older", try #require(try ids(run).last)]
        }
    }

    /// The bytes of the whole array, taken out of the object.
    private func items(_ run: Tool.Outcome) throws -> Data {
        let range = try #require(try JSONSplitter.range(of: JSONPath("$.items"), in: run.output))
        return run.output[range]
    }

    @Test func theObjectHoldsEachItemUntouched() async throws {
        let items = ["{ \"id\" : 7,\"n\":1e400 }", "{\"id\":\"6\",\n \"text\":\"\\u00e9\"}"]
        let api = try StubAPI(json: " [ \(items[0]) ,\n\(items[1]) ] ")
        let run = try await Tool.run("feed", "--json", "--cache", cache, api.url + "/list")
        #expect(run.output.starts(with: Data("{\"items\":[\(items[0]),\(items[1])],\"ids\":[\"7\",\"6\"],".utf8)))
        let object = try JSONSplitter.range(of: JSONPath("$.complete"), in: run.output)
        #expect(object.map { run.output[$0] } == Data("false".utf8), "nothing says that two are all")
    }

    @Test func parametersGoBehindThoseOfTheURL() async throws {
        let api = try StubAPI(json: #"[{"id":"1"}]"#)
        _ = try await Tool.run(
            "feed", "--since-param", "after", "--max-param", "before", "--limit-param", "count", "--limit", "3",
            "--cache", cache, api.url + "/list?q=a%20b&&x", "older", "ä/1")
        #expect(api.targets == ["/list?q=a%20b&&x&before=%C3%A4%2F1&count=3"])
        _ = try await Tool.run("feed", "--min-param", "min_id", "--cache", cache, api.url + "/list", "newer", "9")
        #expect(api.targets.last == "/list?min_id=9&limit=20")
        _ = try await Tool.run("feed", "--limit-param=", "--cache", cache, api.url + "/list", "newer", "9")
        #expect(api.targets.last == "/list?since_id=9")
    }

    @Test(arguments: [["older", "5"], ["newer", "2", "--min-param", "min_id"]])
    func aPageNextToAnItemThatIsNotStoredIsShown(arguments: [String]) async throws {
        let api = try StubAPI(json: #"[{"id":"4"},{"id":"3"}]"#)
        let run = try await Tool.start(["feed", "--json", "--cache", cache, api.url + "/list"] + arguments).end()
        #expect(try ids(run) == ["4", "3"])
    }

    @Test func theNewestAboveAnItemThatIsNotStoredAreNotShownAsItsNeighbours() async throws {
        let api = try StubAPI(json: #"[{"id":"4"},{"id":"3"}]"#)
        let run = try await Tool.run("feed", "--cache", cache, api.url + "/list", "newer", "1")
        #expect(run.code == 0)
        #expect(run.output.isEmpty)
        #expect(run.error.hasPrefix("0 items"))
        #expect(run.error.contains("the server gave 2 items"))
    }

    @Test func theSizeOfAPageInTheURLIsTaken() async throws {
        let api = try StubAPI(json: "[]")
        _ = try await Tool.run("feed", "--cache", cache, api.url + "/list?limit=3&q=1")
        #expect(api.targets == ["/list?q=1&limit=3"])
    }

    @Test func aGapIsNeverCrossedAndIsListed() async throws {
        let server = try sample.serve()
        let url = server.url + "/timeline"
        _ = try await Tool.run("feed", "--cache", cache, "--limit", "5", url)
        sample.publish(8, now: Date(timeIntervalSince1970: 1_700_000_100))
        let newest = try await Tool.run("feed", "--json", "--cache", cache, "--limit", "5", url)
        let page = try await Tool.run("feed", "--json", "--offline", "--cache", cache, "--limit", "20", url)
        #expect(try ids(page) == ids(newest))
        #expect(try page.object()["complete"] as? Bool == false)
        let list = try await Tool.run("ls", "--json", "--cache", cache)
        let feed = try #require((try list.object()["feeds"] as? [[String: Any]])?.first)
        #expect(feed["name"] as? String == url)
        #expect((feed["runs"] as? [[String: Any]])?.map { $0["count"] as? Int } == [5, 5])
        #expect((feed["gaps"] as? [Any])?.count == 1)
        let text = try await Tool.run("ls", "--cache", cache).text
        #expect(text.contains("gap:"))
    }

    @Test func listsOfOneAnswerAreKeptApart() async throws {
        let api = try StubAPI(json: #"{"a":[{"id":1}],"b":[{"key":{"x":2}}]}"#)
        let first = try await Tool.run("feed", "--json", "--items", "a", "--cache", cache, api.url + "/")
        #expect(try ids(first) == ["1"])
        let second = try await Tool.run(
            "feed", "--json", "--items", "$.b", "--id", "key.x", "--cache", cache, api.url + "/")
        #expect(try ids(second) == ["2"])
        let offline = try await Tool.run("feed", "--json", "--offline", "--items", "a", "--cache", cache, api.url + "/")
        #expect(try ids(offline) == ["1"])
    }
}

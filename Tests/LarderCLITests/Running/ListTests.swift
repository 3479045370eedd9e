import Foundation
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ListTests {
    @Test func documentsAndFeedsAreListedWithSizesAndAges() async throws {
        let scratch = try Scratch()
        let cache = scratch.path("cache")
        let api = try StubAPI(json: #"[{"id":2},{"id":1}]"#)
        _ = try await Tool.run("get", "--cache", cache, api.url + "/doc")
        _ = try await Tool.run("feed", "--cache", cache, api.url + "/list")
        let object = try await Tool.run("ls", "--json", "--cache", cache).object()
        let document = try #require((object["resources"] as? [[String: Any]])?.first)
        #expect(document["key"] as? String == api.url + "/doc")
        #expect(document["size"] as? Int == 19)
        #expect(document["codec"] as? String == "served 1")
        #expect((document["age"] as? Double).map { $0 >= 0 && $0 < 60 } == true)
        let feed = try #require((object["feeds"] as? [[String: Any]])?.first)
        #expect(feed["name"] as? String == api.url + "/list")
        #expect(feed["items"] as? Int == 2)
        #expect(feed["size"] as? Int == 16)
        #expect(feed["order"] as? String == "server")
        #expect((object["size"] as? Int ?? 0) > 0)

        let text = try await Tool.run("ls", "--cache", cache).text
        #expect(text.contains("\(api.url)/doc\n  document, 19 bytes, "))
        #expect(text.contains("\(api.url)/list\n  feed, 2 items, 16 bytes, order server, used "))
        #expect(text.contains("  run: 2 items, 2 down to 1, "))
    }

    @Test func howAListIsPagedIsTold() async throws {
        let scratch = try Scratch()
        let cache = scratch.path("cache")
        let api = try StubAPI(json: #"[{"id":2},{"id":1}]"#)
        _ = try await Tool.run("feed", "--cache", cache, "--first-page", "0", "--order", "ranked", api.url + "/list")
        let text = try await Tool.run("ls", "--cache", cache).text
        #expect(text.contains("order ranked, paged by page number, from 0 on, used "))
    }

    @Test(arguments: [[], ["--json"]])
    func aCacheThatIsNotThereIsNotMade(options: [String]) async throws {
        let scratch = try Scratch()
        for folder in [scratch.path("none"), scratch.url.path] {
            let run = try await Tool.start(["ls", "--cache", folder] + options).end()
            #expect(run.code == 3)
            #expect(run.error.contains(folder))
            #expect(run.error.contains("larder get"))
            if options == ["--json"] { #expect(try run.object()["error"] != nil) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
    }
}

import Foundation
import LarderServer
import Testing

/// Every command that the tool tells can be pasted, and works.
@Suite(.timeLimit(.minutes(1))) struct FeedHintTests {
    let scratch: Scratch
    let cache: String
    let sample = SampleAPI(.init(posts: 50), start: Date(timeIntervalSince1970: 1_700_000_000))

    init() throws {
        scratch = try Scratch()
        cache = scratch.path("cache")
    }

    @Test(arguments: [
        ("$(reboot)", "older '$(reboot)'"), ("-a", "older -- -a"), ("it's", #"older 'it'\''s'"#), ("17", "older 17"),
    ])
    func theWayOnCanBePasted(id: String, hint: String) async throws {
        let api = try StubAPI(json: #"[{"id":"\#(id)"}]"#)
        let run = try await Tool.run("feed", "--limit", "1", "--cache", cache, api.url + "/")
        #expect(run.error.contains("Older ones: \(hint)\n"))
    }

    @Test func anIDThatCannotBeTypedIsSaidToBe() async throws {
        let api = try StubAPI(json: #"[{"id":"a\u001b[2Jb"}]"#)
        let run = try await Tool.run("feed", "--limit", "1", "--cache", cache, api.url + "/")
        #expect(run.error.contains("cannot be typed; --json tells it"))
        #expect(!run.error.contains("\u{1B}"))
    }

    @Test(arguments: ["decimal", "server"])
    func atAGapOfflineWhatLiesBehindItIsToldWithACommandThatWorks(order: String) async throws {
        let server = try sample.serve()
        let feed = ["feed", "--cache", cache, "--order", order, "--limit", "5", server.url + "/timeline"]
        let first = try ids(try await Tool.start(feed + ["--json"]).end())
        sample.publish(8, now: Date(timeIntervalSince1970: 1_700_000_100))
        let second = try ids(try await Tool.start(feed + ["--json"]).end())
        server.stop()
        let (above, below) = (try #require(second.last), try #require(first.first))

        let down = try await Tool.start(feed + ["--offline", "older", above]).end()
        #expect(down.code == 1)
        #expect(down.error.contains("a gap begins here: what lies between \(above) and \(below) is not stored"))
        #expect(down.error.contains("5 items from \(below) on are stored again ('older \(below)' shows"))
        let beyond = try await Tool.start(feed + ["--json", "--offline", "older", below]).end()
        #expect(try ids(beyond) == Array(first.dropFirst()))

        let up = try await Tool.start(feed + ["--offline", "newer", below]).end()
        #expect(up.error.contains("('newer \(above)' shows"))
        let above5 = try await Tool.start(feed + ["--json", "--offline", "newer", above]).end()
        #expect(try ids(above5) == Array(second.dropLast()))
    }

    private func ids(_ run: Tool.Outcome) throws -> [String] {
        try #require(try run.object()["ids"] as? [String])
    }
}

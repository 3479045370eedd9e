import Foundation
import LarderServer
import Testing

/// Every command that the tool tells can be pasted, and works.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FeedHintTests {
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

    @Test(arguments: [
        (["--next", "nextCursor"], "nothing at --next '$.nextCursor'"), (["--paging", "link"], "no Link in its head"),
        (["--next", "next_cursor"], nil), (["--next", "nothing"], nil),
    ])
    func aFullPageThatLeadsNowhereIsRemarkedUpon(paging: [String], words: String?) async throws {
        let api = try StubAPI(json: #"{"items":[{"id":2},{"id":1}],"next_cursor":"x","nothing":null}"#)
        let arguments = ["--cache", cache, "--items", "items", "--limit", "2", api.url + "/"] + paging
        let run = try await Tool.start(["feed"] + arguments).end()
        #expect(run.code == 0)
        #expect(run.error.contains("is taken to end with it") == (words != nil))
        if let words { #expect(run.error.contains(words)) }
        let all = try await Tool.start(
            ["feed", "--json", "--cache", scratch.path("other")] + arguments.dropFirst(2) + ["all"]
        )
        .end().object()
        let kinds = (all["warnings"] as? [[String: Any]] ?? []).compactMap { $0["kind"] as? String }
        #expect(kinds.contains("unfollowed") == (words != nil))
    }

    @Test func aPageThatIsNotFullMayBeTheLast() async throws {
        let api = try StubAPI(json: #"{"items":[{"id":2},{"id":1}]}"#)
        let run = try await Tool.run(
            "feed", "--cache", cache, "--items", "items", "--next", "next", "--limit", "3", api.url + "/")
        #expect(run.code == 0 && !run.error.contains("--next"))
    }

    @Test(arguments: ["show", "gaps"])
    func aListOfOtherPathsIsPointedTo(operation: String) async throws {
        let api = try StubAPI(json: #"{"items":[{"id":2},{"id":1}]}"#)
        let before = try await Tool.run("feed", "--cache", cache, api.url + "/", operation)
        #expect(before.code == 1 && !before.error.contains("--items"))
        _ = try await Tool.run("feed", "--cache", cache, "--items", "items", api.url + "/")
        let run = try await Tool.run("feed", "--cache", cache, api.url + "/", operation)
        #expect(run.code == 1 && run.error.contains("give the --items and --id it is kept with"))
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

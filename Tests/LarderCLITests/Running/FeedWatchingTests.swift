import Foundation
import LarderServer
import Testing

/// `larder feed URL watch` as a process.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FeedWatchingTests {
    let scratch: Scratch
    let cache: String

    init() throws {
        scratch = try Scratch()
        cache = scratch.path("cache")
    }

    private func watch(_ url: String, _ options: String...) throws -> Tool.Run {
        try Tool.start(["feed", "--cache", cache] + options + [url + "/list", "watch"])
    }

    private func events(_ run: Tool.Outcome) throws -> [[String: Any]] {
        try run.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test func whatIsNewChangedAndGoneIsALineEach() async throws {
        let api = try StubAPI(json: "[{\"id\":3,\n\"n\":1},{\"id\":2},{\"id\":1}]")
        let first = try await watch(api.url, "--json", "--count", "1").end()
        #expect(first.code == 0, "\(first.error)")
        #expect(try events(first).map { $0["id"] as? String } == ["1", "2", "3"])
        #expect(try events(first).allSatisfy { $0["event"] as? String == "inserted" })
        #expect(first.text.contains(#""item":{"id":3, "n":1}}"#))

        api.respond(json: #"[{"id":4},{"id":3,"n":2},{"id":1}]"#)
        let second = try await watch(api.url, "--json", "--count", "1").end()
        #expect(
            try events(second).map { "\($0["event"] ?? "") \($0["id"] ?? "")" } == [
                "inserted 4", "updated 3", "removed 2",
            ])
        #expect(try events(second).allSatisfy { $0["at"] is String })

        api.respond(json: #"[{"id":5,"title":"Five"},{"id":4},{"id":3,"n":2}]"#)
        let third = try await watch(api.url, "--count", "1").end()
        #expect(third.text == "+ 5  Five\n")
        #expect(third.error.isEmpty)
    }

    @Test func aGapIsTold() async throws {
        let api = try StubAPI(json: #"[{"id":1}]"#)
        _ = try await watch(api.url, "--count", "1").end()
        api.respond(json: #"[{"id":9},{"id":8}]"#)
        let run = try await watch(api.url, "--json", "--count", "1").end()
        let gap = try #require(try events(run).last)
        #expect(gap["event"] as? String == "gap")
        #expect(gap["above"] as? String == "8")
        #expect(gap["below"] as? String == "1")
    }

    @Test func ctrlCEndsItWithoutAFault() async throws {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
        let api = try StubAPI { _ in
            continuation.yield()
            return .json(Data(#"[{"id":1}]"#.utf8))
        }
        let run = try watch(api.url, "--every", "1h")
        var iterator = arrivals.makeAsyncIterator()
        await iterator.next()
        run.interrupt()
        let end = try await run.end()
        #expect(end.code == 0)
        #expect(!end.wasKilled)
        #expect(end.error.isEmpty)
    }

    @Test(arguments: [(503, 75, "server"), (429, 75, "throttled"), (401, 1, "unauthorised")])
    func aFailureIsAnEventAndTheExitCodeWhenItIsTheLast(status: Int, code: Int32, kind: String) async throws {
        let api = try StubAPI { _ in ServerResponse(status: status, body: Data("{}".utf8)) }
        let run = try await watch(api.url, "--json", "--count", "1").end()
        #expect(run.code == code)
        #expect(try events(run).map { $0["kind"] as? String } == [kind])
        #expect(run.error.contains("\(status)"))
    }
}

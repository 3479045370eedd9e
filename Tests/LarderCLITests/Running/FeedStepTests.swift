import Foundation
import LarderKit
import LarderServer
import Testing

/// The steps by which a list is brought in by hand: the head, what is older, the gaps; and looking at it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FeedStepTests {
    let scratch: Scratch
    let cache: String
    let sample = SampleAPI(.init(posts: 30), start: Date(timeIntervalSince1970: 1_700_000_000))
    let server: HTTPServer
    let url: String

    init() throws {
        scratch = try Scratch()
        cache = scratch.path("cache")
        server = try sample.serve()
        url = server.url + "/timeline"
    }

    private func feed(_ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.start(["feed", "--cache", cache, "--order", "decimal", "--limit", "5", url] + arguments).end()
    }

    private func publish(_ count: Int) {
        sample.publish(count, now: Date(timeIntervalSince1970: 1_700_000_100))
    }

    private func ids(_ run: Tool.Outcome) -> [String] {
        run.text.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    }

    private static let changeMembers: Set = [
        "operation", "inserted", "updated", "removed", "moved", "remaining", "requests", "items", "gaps", "atEnd",
        "ended",
        "retryAfter", "error", "warnings",
    ]

    @Test func theHeadIsAskedForAndWhatIsNewIsShown() async throws {
        let first = try await feed("refresh")
        #expect(ids(first).count == 5)
        publish(2)
        let second = try await feed("refresh")
        #expect(ids(second).count == 2)
        #expect(second.error.contains("2 new; 1 request\n7 items stored, no gap, older ones may follow. 'older' asks"))
        publish(8)
        let third = try await feed("refresh", "--json").object()
        #expect(Set(third.keys) == Self.changeMembers)
        #expect(third["operation"] as? String == "refresh")
        #expect((third["inserted"] as? [Any])?.count == 5)
        #expect(third["gaps"] as? Int == 1)
        let gap = try #require(third["remaining"] as? [String: Any])
        #expect(gap["below"] as? String == ids(second).first)
        #expect(try await feed("refresh").error.contains("1 gap"))
    }

    @Test func whatIsOlderThanEverythingIsAskedForUntilTheEnd() async throws {
        let first = try await feed("refresh")
        let second = try await feed("older")
        #expect(ids(second).count == 5)
        #expect(try #require(ids(second).first) < #require(ids(first).last))
        var last = second
        for _ in 0..<10 where !last.error.contains("the list's end is known") { last = try await feed("older") }
        #expect(last.error.contains("30 items stored, no gap, the list's end is known."))
        let none = try await feed("older", "--json").object()
        #expect(none["requests"] as? Int == 0)
        #expect(none["atEnd"] as? Bool == true)
        #expect(none["ended"] as? String == "done")
    }

    @Test func aGapIsListedFilledAndClosed() async throws {
        let old = ids(try await feed("refresh"))
        publish(12)
        let new = ids(try await feed("refresh"))
        let (above, below) = (try #require(new.last), try #require(old.first))
        #expect(try await feed("gaps").text == "1  between \(above) and \(below)\n")
        let list = try await feed("gaps", "--json").object()
        #expect(Set(list.keys) == ["gaps", "error"])
        let gap = try #require((list["gaps"] as? [[String: Any]])?.first)
        #expect(gap["number"] as? Int == 1)
        #expect(gap["above"] as? String == above)
        #expect(gap["below"] as? String == below)

        let missing = try await feed("fill", "2", "--json")
        #expect(missing.code == 1)
        let object = try missing.object()
        #expect((object["error"] as? [String: Any])?["kind"] as? String == "noSuchGap")
        #expect(missing.error.contains("there is 1 gap:"))
        #expect(object["gaps"] as? Int == 1 && object["items"] as? Int ?? 0 > 0)

        let step = try await feed("fill", "1")
        #expect(ids(step).count == 5)
        #expect(step.error.contains("1 gap"))
        let rest = try await feed("fill", "--all", "--json").object()
        #expect(Set(rest.keys) == Self.changeMembers)
        #expect((rest["inserted"] as? [Any])?.count == 2)
        #expect(rest["remaining"] is NSNull)
        #expect(rest["gaps"] as? Int == 0)
        #expect(rest["ended"] as? String == "done")
        #expect(try await feed("gaps").error == "No gap.\n")
        let none = try await feed("fill", "--json").object()
        #expect(none["requests"] as? Int == 0)
    }

    @Test func aGapIsFilledFromBelowWhereTheServerCan() async throws {
        let old = ids(try await feed("refresh"))
        publish(12)
        _ = try await feed("refresh")
        let step = try await feed("fill", "--from", "older", "--min-param", "min_id")
        #expect(ids(step).count == 5)
        let below = try #require(try await feed("gaps", "--json").object()["gaps"] as? [[String: Any]]).first
        #expect(below?["below"] as? String == ids(step).first)
        #expect(try #require(ids(step).last) > #require(old.first))
    }

    @Test func aGapIsFilledFromTheOtherSideWhereTheServerCannot() async throws {
        _ = try await feed("refresh")
        publish(12)
        let new = ids(try await feed("refresh"))
        let step = try await feed("fill", "--from", "older")
        #expect(ids(step).count == 5)
        #expect(try #require(ids(step).first) < #require(new.last))
    }

    @Test func aLimitOfRequestsHoldsForAGap() async throws {
        _ = try await feed("refresh")
        publish(25)
        _ = try await feed("refresh")
        let run = try await feed("fill", "--all", "--max-requests", "2", "--json").object()
        #expect(run["requests"] as? Int == 2)
        #expect(run["ended"] as? String == "maxRequests")
        #expect(run["gaps"] as? Int == 1)
        #expect(try await feed("fill", "--all", "--json").object()["gaps"] as? Int == 0)
    }

    @Test func allThatIsStoredIsShownWithItsGapsAndWithoutARequest() async throws {
        let old = ids(try await feed("refresh"))
        publish(8)
        let new = ids(try await feed("refresh"))
        server.stop()
        let text = try await feed("show")
        #expect(text.code == 0)
        #expect(text.error.contains("5 items"))
        let all = try await Tool.run("feed", "--cache", cache, url, "show")
        let lines = ids(all)
        #expect(lines == new + ["···"] + old)
        #expect(all.error.hasPrefix("10 items and 1 gap from the cache"))
        let object = try await Tool.run("feed", "--json", "--cache", cache, url, "show").object()
        let rows = try #require(object["rows"] as? [[String: Any]])
        #expect(rows.compactMap { $0["id"] as? String } == new + old)
        #expect((rows[5]["gap"] as? [String: Any])?["number"] as? Int == 1)
        #expect((rows[0]["item"] as? [String: Any])?["id"] as? String == new[0])
        #expect(object["complete"] as? Bool == false)
        #expect(object["source"] as? String == "cache")
    }

    @Test(arguments: ["gaps", "show"])
    func whatIsNotStoredCannotBeLookedAt(operation: String) async throws {
        let none = try await feed(operation)
        #expect(none.code == 1)
        #expect(none.error.contains(cache))
        #expect(!FileManager.default.fileExists(atPath: cache))
        _ = try await Tool.run("get", "--cache", cache, server.url + "/shops")
        let run = try await feed(operation, "--json")
        #expect(run.code == 1)
        #expect((try run.object()["error"] as? [String: Any])?["kind"] as? String == "notStored")
        #expect(run.error.contains("'refresh' asks for its head"))
    }

    @Test func theEnvelopeIsKeptWhereThatIsAskedFor() async throws {
        let api = try StubAPI(json: #"{"items":[{"id":1,"by":7}],"people":[{"id":7}]}"#)
        let command = ["feed", "--json", "--cache", cache, "--items", "items", "--envelope", api.url + "/"]
        #expect(try await Tool.start(command + ["refresh"]).end().code == 0)
        api.stop()
        let run = try await Tool.start(command + ["--offline"]).end()
        #expect(run.text.contains(#""envelopes":[{"items":[],"people":[{"id":7}]}]"#))
    }
}

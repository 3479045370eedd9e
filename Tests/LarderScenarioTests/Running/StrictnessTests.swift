import Testing

@testable import LarderScenarios

/// What the tool does not know fails, and says so. Nothing is skipped.
struct StrictnessTests {
    private func failure(_ text: String, _ name: String = "case.json") async throws -> String {
        let folder = try CaseFolder()
        let failure = await CaseFile(url: try folder.add(text, as: name)).run().failure
        return failure?.description ?? ""
    }

    private func failure(feed members: String) async throws -> String {
        try await failure(#"{"format": "feed-script/1", "case": "X", \#(members)}"#)
    }

    private static let step = #""steps": [{"do": "refresh"}]"#

    @Test(arguments: [
        (#""paging": "since/max", "colour": 1, \#(step)"#, "unknown field 'colour'"),
        (#""paging": "since/max", "server": {"mood": 1}, \#(step)"#, "unknown field 'mood' in the case.server"),
        (#""paging": "since/max", "server": {"rule": {"limits": 1}}, \#(step)"#, "unknown field 'limits'"),
        (#""paging": "since/max", "server": {"states": [{"ids": [], "on": 1}]}, \#(step)"#, "unknown field 'on'"),
        (#""paging": "since/max", "options": {"speed": 1}, \#(step)"#, "unknown field 'speed'"),
        (#""paging": "since/max", "steps": [{"do": "refresh", "wait": 1}]"#, "unknown field 'wait' in steps[0]"),
        (#""paging": "since/max", "steps": [{"do": "refresh"}, {"do": "dance"}]"#, "unknown operation 'dance'"),
        (#""paging": "since/max", "steps": [{"do": "refresh", "expect": {"mood": 1}}]"#, "unknown field 'mood'"),
        (#""paging": "since/max", "expect": {"mood": 1}"#, "unknown field 'mood'"),
        (#""paging": "since/max", "steps": [{"do": "refresh", "respond": {"says": 1}}]"#, "unknown field 'says'"),
        (#""paging": "since/max", "steps": [{"do": "refresh", "respond": {"error": "rain"}}]"#, "unknown error"),
        (#""paging": "since/max", "steps": [{"do": "refresh", "respondRaw": "x"}]"#, "not one of rawBodies"),
        (#""paging": "by smell", \#(step)"#, #"unknown paging "by smell""#),
        (#""paging": "since/max", "idType": "smell", \#(step)"#, #"unknown idType "smell""#),
        (#""paging": "since/max", "server": {"rule": {"max_id": "roughly below"}}, \#(step)"#, "unknown wording"),
        (#""paging": "since/max", "server": {"rule": {"max_id": "strictly above"}}, \#(step)"#, "contradictory"),
        (#""paging": "since/max", "server": {"rule": {"since_id": "next or newest N"}}, \#(step)"#, "contradictory"),
        (#""paging": "since/max", "server": {"rule": {"order": "oldest-first"}}, \#(step)"#, "unknown wording"),
        (#""paging": "page number", "server": {"rule": {"page": "by mood"}}, \#(step)"#, "unknown wording"),
        (#""paging": "since/max", "steps": [{"do": "refresh", "expect": {"timeline": "1"}}]"#, "is not a list"),
        (#""paging": "since/max", "steps": [{"do": "loadGap"}]"#, "gap is not a pair of ids"),
        (#""paging": "since/max""#, "neither does nor expects anything"),
        (step, "no paging"),
    ])
    func unknownPartsOfAFeedScriptFail(_ members: String, _ wanted: String) async throws {
        #expect(try await failure(feed: members).contains(wanted))
    }

    @Test(arguments: [
        (#"{"format": "http-script/1", "steps": []}"#, #"the format "http-script/1" is not one that is run here"#),
        (#"{"format": "outbox-script/1"}"#, #"the format "outbox-script/1" is not one"#),
        (#"{"format": "data/1", "dates": []}"#, #"the format "data/1" is not one"#),
        (#"{"steps": []}"#, "names no format"),
        ("[1, 2]", "the file is a list"),
        ("SQLite format 3", "no JSON"),
        (#"{"format": "data/1", "links": [{"header": "x", "nest": null}]}"#, "unknown field 'nest'"),
        (#"{"format": "data/1", "links": [{"header": "x"}]}"#, "expects nothing"),
    ])
    func otherFormatsFail(_ text: String, _ wanted: String) async throws {
        #expect(try await failure(text).contains(wanted))
    }

    /// A file is read whole before anything runs: the first step is wrong too, and is not what is told.
    @Test func theWholeFileIsReadBeforeItRuns() async throws {
        let failure = try await failure(
            feed: #""paging": "since/max", "steps": [{"do": "refresh", "expect": {"count": 9}}, {"do": "dance"}]"#)
        #expect(failure.contains("unknown operation 'dance'"))
    }

    @Test func aWrongLinkIsTold() async throws {
        let table =
            #"{"format": "data/1", "links": [{"header": "<https://a.example.test/2>; rel=next", "next": null}]}"#
        #expect(try await failure(table) == "links[0]: next: expected null, got https://a.example.test/2")
    }

    @Test func remarksAreAllowed() async throws {
        #expect(
            try await failure(feed: #""note": "x", "paging": "since/max", "steps": [{"do": "read", "note": 1}]"#) == "")
    }
}

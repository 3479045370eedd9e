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
        (#"{"format": "http-script/1", "steps": []}"#, "the case does nothing"),
        (#"{"format": "steps/1", "steps": []}"#, "the case does nothing"),
        (#"{"format": "steps/1"}"#, "neither does nor expects anything"),
        (#"{"format": "outbox-script/1"}"#, #"the format "outbox-script/1" is not one"#),
        (#"{"format": "data/1", "dates": []}"#, "the case holds no table"),
        (#"{"steps": []}"#, "names no format"),
        ("[1, 2]", "the file is a list"),
        ("SQLite format 3", "no JSON"),
        (#"{"format": "data/1", "links": [{"header": "x", "nest": null}]}"#, "unknown field 'nest'"),
        (#"{"format": "data/1", "links": [{"header": "x"}]}"#, "expects nothing"),
    ])
    func otherFormatsFail(_ text: String, _ wanted: String) async throws {
        #expect(try await failure(text).contains(wanted))
    }

    private static let request = #""do": "request", "request": {"url": "https://a.example.test/"}, "origin": null"#

    @Test(arguments: [
        (#"{"do": "dance"}"#, "unknown operation 'dance' in steps[0]"),
        (#"{\#(request), "mood": 1}"#, "unknown field 'mood' in steps[0]"),
        (#"{"do": "request", "request": {"url": "u", "mood": 1}, "origin": null}"#, "unknown field 'mood'"),
        (#"{"do": "request", "request": {"url": "u"}}"#, "steps[0] has no origin"),
        (#"{"do": "request", "request": {"url": "u"}, "origin": {"status": 200, "mood": 1}}"#, "unknown field 'mood'"),
        (#"{"do": "request", "request": {"url": "u"}, "origin": {"error": "rain"}}"#, #"unknown error "rain""#),
        (#"{"do": "request", "request": {"url": "u"}, "origin": {"body": ""}}"#, "has no status"),
        (#"{\#(request), "policy": "bestEffort"}"#, #"unknown word "bestEffort" in steps[0].policy"#),
        (#"{\#(request), "policy": {"networkFirst": {"patience": 1}}}"#, "unknown field 'patience'"),
        (#"{\#(request), "network": "foggy"}"#, #"unknown word "foggy""#),
        (#"{\#(request), "wall": "noon"}"#, "steps[0].wall is not a time"),
        (#"{\#(request), "expect": {"mood": 1}}"#, "unknown field 'mood' in steps[0].expect"),
        (#"{\#(request), "expect": {"hits": 1}}"#, "unknown field 'hits'"),
        (#"{\#(request), "expect": {"errorOrStale": false}}"#, "errorOrStale is not true"),
        (#"{"do": "grepDisk", "for": "x", "expect": {"body": "x"}}"#, "unknown field 'body'"),
        (#"{"do": "await", "as": "x"}"#, "nothing is called x"),
    ])
    func unknownPartsOfAnHTTPScriptFail(_ step: String, _ wanted: String) async throws {
        #expect(try await failure(#"{"format": "http-script/1", "steps": [\#(step)]}"#).contains(wanted))
    }

    /// Only an HTTP cache knows what to do. Nothing that the typed layer does in its place is a pass.
    @Test(arguments: [
        #""cache": "shared", "steps": [{\#(request)}]"#,
        #""steps": [{"do": "request", "request": {"url": "u", "method": "POST"}, "origin": null}]"#,
        #""steps": [{"do": "request", "request": {"url": "u", "headers": [["Accept", "x"]]}, "origin": null}]"#,
        #""steps": [{"do": "request", "request": {"url": "u", "headers": [["Range", "bytes=0-"]]}, "origin": null}]"#,
        #""steps": [{\#(request), "requestCacheControl": "max-stale=5"}]"#,
        #""steps": [{\#(request), "expect": {"headers": {"Age": "1"}}}]"#,
        #""steps": [{\#(request), "client": "two"}]"#,
    ])
    func whatOnlyAnHTTPCacheCanDoFailsElsewhere(_ members: String) async throws {
        let failure = try await failure(
            #"{"format": "http-script/1", "layer": "typed store over HTTP", \#(members)}"#)
        #expect(failure.hasPrefix("the typed store knows nothing of"))
    }

    /// And the other way around.
    @Test(arguments: [
        (#""expectType": "application/json", "steps": [{\#(request)}]"#, "unknown field 'expectType'"),
        (#""options": {"maxAge": 1}, "steps": [{\#(request)}]"#, "unknown field 'options'"),
        (#""steps": [{"do": "store", "url": "u", "body": "x"}]"#, "is for the typed store alone"),
        (#""steps": [{\#(request), "handle": "h"}]"#, "unknown field 'handle'"),
        (#""steps": [{\#(request), "policy": "staleWhileRevalidate"}]"#, "unknown word"),
        (#""layers": ["carrier pigeon"], "steps": [{\#(request)}]"#, "unknown layer"),
        (#""layers": [], "steps": [{\#(request)}]"#, "layers is no list"),
        (#""steps": [{"do": "request", "request": {"url": "u"}, "origin": {"error": "odd"}}]"#, "unknown error"),
        (#""steps": [{\#(request), "expect": {"headers": {"Age": true}}}]"#, "headers is not values by name"),
        (#""steps": [{\#(request), "expect": {"headersAbsent": [1]}}]"#, "headersAbsent is not a list of names"),
    ])
    func whatOnlyATypedStoreCanDoFailsElsewhere(_ members: String, _ wanted: String) async throws {
        #expect(try await failure(#"{"format": "http-script/1", \#(members)}"#).contains(wanted))
    }

    @Test(arguments: [
        (#"{"do": "dance"}"#, "unknown operation 'dance' in steps[0]"),
        (#"{"do": "put", "mood": 1}"#, "unknown field 'mood'"),
        (#"{"at": 1}"#, "does nothing"),
        (#"{"do": "get", "path": "muddy"}"#, #"unknown word "muddy""#),
        (#"{"do": "get", "requests": "slow"}"#, #"unknown error "slow""#),
        (#"{"do": "get", "expect": {"value": "nice"}}"#, #"unknown word "nice""#),
        (#"{"do": "get", "expect": {"states": ["foggy"]}}"#, "states is not a list of states"),
    ])
    func unknownPartsOfStepsFail(_ step: String, _ wanted: String) async throws {
        #expect(try await failure(#"{"format": "steps/1", "steps": [\#(step)]}"#).contains(wanted))
    }

    @Test(arguments: [
        (#"{"retryAfter": "1"}"#, "not one of two things"),
        (#"{"retryAfter": "1", "use": "luck"}"#, #"unknown word "luck""#),
        (#"{"notBefore": 1}"#, "has no retryAfter"),
        (#"{"retryAfter": "1", "notBefore": 1, "mood": 1}"#, "unknown field 'mood'"),
    ])
    func unknownPartsOfARetryTableFail(_ row: String, _ wanted: String) async throws {
        #expect(try await failure(#"{"format": "steps/1", "cases": [\#(row)]}"#).contains(wanted))
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

import Foundation
import Testing

@testable import LarderScenarios

/// Each wrong expectation of a case about the disk is found, and told by name.
struct StorageRunTests {
    private func run(_ members: String, format: String = "steps/1") async throws -> CaseResult {
        let folder = try CaseFolder()
        let file = try folder.add(#"{"format": "\#(format)", "case": "X", \#(members)}"#, as: "case.json")
        return await CaseFile(url: file).run()
    }

    @Test(arguments: [
        (#""value": "other""#, "value: expected other, got mine"),
        (#""value": null"#, "value: expected nothing, got mine"),
        (#""ok": false"#, "ok: expected false, got no error"),
        (#""error": "busy""#, "error: expected busy, got no error"),
        (#""withinSeconds": 0"#, "withinSeconds: expected at most 0.0 s"),
        (#""bytesAtMost": 10"#, "bytesAtMost: expected at most 10"), (#""present": ["j"]"#, #"present: missing ["j"]"#),
        (#""absent": ["k"]"#, #"absent: ["k"] is there"#), (#""walBytes": 0"#, "walBytes: expected 0, got no size"),
    ])
    func wrongExpectationsFail(_ expectation: String, _ wanted: String) async throws {
        let step = #"{"do": "put", "value": "mine", "bytes": 10, "expect": {\#(expectation)}}"#
        let failure = try await run(#""steps": [\#(step)]"#).failure?.description ?? ""
        #expect(failure.hasPrefix("step 1 (put): \(wanted)"))
    }

    @Test(arguments: [
        (#""steps": [{"do": "stat", "expect": {"sound": true}}]"#, "unknown field 'sound'"),
        (#""steps": [{"do": "stat", "colour": 1}]"#, "unknown field 'colour'"),
        (#""steps": [{"do": "stat", "bytes": 1}]"#, "bytes means nothing in steps[0]"),
        (#""steps": [{"do": "compact", "bytes": 1}]"#, "unknown operation 'compact'"),
        (#""steps": [{"process": "B", "sql": "DROP TABLE x", "hold": 1}]"#, #"unknown SQL "DROP TABLE x""#),
        (#""steps": [{"process": "B", "do": "put"}]"#, "process B runs SQL and nothing else"),
        (#""capacityBytes": -1, "steps": [{"do": "stat"}]"#, "capacityBytes is not a whole number"),
        (#""steps": [{"do": "putMany", "keys": "k5..k1", "bytes": 1}]"#, "keys is not a range of keys"),
    ])
    func whatIsNotKnownFails(_ members: String, _ wanted: String) async throws {
        let failure = try await run(members).failure?.description ?? ""
        #expect(failure.contains(wanted))
    }

    @Test func anErrorThatNobodyExpectsFails() async throws {
        let steps = #"{"process": "B", "sql": "BEGIN IMMEDIATE", "hold": 60}, {"do": "put"}"#
        let failure = try await run(#""busyLimit": 0.1, "steps": [\#(steps)]"#).failure?.description ?? ""
        #expect(failure.hasPrefix("step 2 (put): expected no error"))
    }

    @Test func whatCannotBeCheckedIsTold() async throws {
        let result = try await run(#""steps": [{"do": "enqueueOutbox", "expect": {"ok": true}}]"#)
        #expect(result.line == "PASS X (not checked: enqueueOutbox, since there is no outbox yet)")
    }

    @Test(arguments: [
        (#""keys": ["a", "a"], "expect": {"allDistinct": true}"#, "in database: expected each key to have its value"),
        (#""keys": ["a", "b"], "expect": {"allDistinct": false}"#, "in database: expected keys to share its value"),
        (#""keys": ["a"], "expect": {"filesOutsideFolder": 1}"#, "filesOutsideFolder: expected 1, got 0"),
        (#""keys": ["a"], "expect": {}"#, "the case expects nothing"),
        (#""sizes": [1], "emptyBody": {"status": 200, "contentLength": 0, "expect": "miss"}"#, "expected a miss"),
        (#""sizes": [-1]"#, "sizes is not a list of sizes"),
        (
            #""v1rows": ["{\"id\":\"1\"}"], "v2model": {"n": "Int"}, "expect": {"timeline": ["1"]}"#,
            #"timeline: expected ["1"], got []"#
        ),
        (
            #""v1rows": ["{\"id\":\"1\"}"], "v2model": {"n": "Int"}, "expect": {"decodeFailures": 0}"#,
            "decodeFailures: expected 0, got 1"
        ),
        (
            #""v1rows": ["{\"id\":\"1\"}"], "v2model": {}, "expect": {"timeline": ["1"], "bytesKept": false}"#,
            "bytesKept: expected false"
        ),
        (#""v1rows": ["{\"id\":\"1\"}"], "v2model": {"n": "Date"}, "expect": {}"#, #"unknown type "Date""#),
    ])
    func wrongTablesFail(_ members: String, _ wanted: String) async throws {
        let failure = try await run(members, format: "data/1").failure?.description ?? ""
        #expect(failure.contains(wanted))
    }

    @Test func aDatabaseOfAnotherProgramIsNoCaseAndSaysWhereItsKindIsTested() async throws {
        let folder = try CaseFolder()
        let file = try folder.add(#"{"goodRows": 4}"#, as: "ST/expected.json")
        try folder.add("", as: "ST/good.sqlite3")
        let result = await CaseFile(url: file).run()
        #expect(result.line.hasPrefix("NOT RUN ST/expected.json: a database with tables of another program's"))
        let printed = Printed()
        #expect(await printed.run(file.path) == .allPassed)
        #expect(printed.lines.last == "0 passed, 0 failed, 1 not run")
    }
}

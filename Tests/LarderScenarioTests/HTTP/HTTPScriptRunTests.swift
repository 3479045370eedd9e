import Foundation
import Testing

@testable import LarderScenarios

/// Each wrong expectation is found, and told by name.
struct HTTPScriptRunTests {
    private static let head = #""format": "http-script/1", "case": "X", "layer": "typed store over HTTP""#
    private static let request = #""do": "request", "request": {"url": "https://a.example.test/t"}"#
    private static let answer =
        #"{"status": 200, "headers": [["Cache-Control", "max-age=60"], ["ETag", "\"1\""]], "body": "b"}"#

    private func failure(_ steps: String, _ more: String = "") async throws -> String {
        let folder = try CaseFolder()
        let file = try folder.add("{\(Self.head)\(more), \"steps\": [\(steps)]}", as: "case.json")
        return await CaseFile(url: file).run().failure?.description ?? ""
    }

    @Test(arguments: [
        (#""status": 404"#, "status: expected 404, got 200"), (#""body": "c""#, #"body: expected "c", got 200 "b""#),
        (#""stale": true"#, "stale: expected a stale value"), (#""errorOrStale": true"#, "errorOrStale: expected"),
        (#""errorOrStatus": 504"#, "errorOrStatus: expected an error or 504"),
        (#""statusOneOf": ["error", 504]"#, "statusOneOf: expected an error or 504"),
        (#""mustNotContain": "b""#, "mustNotContain"), (#""source": "cache""#, "source: expected a value from cache"),
        (#""age": 5"#, "age: expected an age of 5.0 s"), (#""failed": true"#, "failed: expected a failure"),
        (#""originContacted": false"#, "originContacted: expected false"),
        (#""originRequests": 2"#, "originRequests: expected 2, got 1"),
        (#""originRequestsAtMost": 0"#, "originRequestsAtMost: expected at most 0, got 1"),
        (#""sentHeaders": {"If-None-Match": "x"}"#, "sentHeaders: expected If-None-Match: x"),
        (#""answeredWithin": [1, 2]"#, "answeredWithin: expected an answer after 1.0 to 2.0 s"),
    ])
    func wrongExpectationsOfARequestFail(_ expectation: String, _ wanted: String) async throws {
        let failure = try await failure(#"{\#(Self.request), "origin": \#(Self.answer), "expect": {\#(expectation)}}"#)
        #expect(failure.hasPrefix("step 1 (request): "))
        #expect(failure.contains(wanted))
    }

    @Test func whoeverMustNotBeAskedIsNot() async throws {
        let failure = try await failure(#"{\#(Self.request), "origin": null}"#)
        #expect(failure == "step 1 (request): the origin was asked for https://a.example.test/t, and must not be")
        let twice = try await self.failure(
            #"{\#(Self.request), "origin": [\#(Self.answer)]}, {\#(Self.request), "origin": [], "policy": "networkOnly"}"#
        )
        #expect(twice.contains("more often than it has answers"))
    }

    /// Whoever waits, does so on the case's clock, and late answers come in their time.
    @Test func timeIsTheCases() async throws {
        let slow = #"{"status": 200, "headers": [], "body": "b", "headersAfter": 0.1, "bodyAfter": 7200}"#
        let failure = try await failure(
            """
            {\(Self.request), "origin": \(slow), "as": "slow"},
            {"at": 7199, "do": "peekStore", "url": "https://a.example.test/t", "expect": {"stored": false}},
            {"at": 7201, "do": "peekStore", "url": "https://a.example.test/t", "expect": {"stored": true}},
            {"do": "await", "as": "slow", "expect": {"body": "b", "answeredWithin": [7200, 7200]}},
            {"do": "grepDisk", "for": "b", "expect": {"hits": 0}}
            """, #", "options": {"fetchTimeout": 10000}"#)
        #expect(failure.hasPrefix("step 5 (grepDisk): hits: expected 0, got "))
    }

    @Test func aCallThatNeverEndsIsTold() async throws {
        let failure = try await failure(
            #"{\#(Self.request), "origin": {"error": "silence"}}"#, #", "options": {"fetchTimeout": 100000}"#)
        #expect(failure == "step 1 (request): the call did not come to an end")
    }

    @Test func accountsAreApart() async throws {
        let failure = try await failure(
            """
            {\(Self.request), "origin": \(Self.answer), "account": "ada"},
            {"do": "peekStore", "url": "https://a.example.test/t", "account": "bob", "expect": {"stored": true}}
            """)
        #expect(failure == "step 2 (peekStore): stored: expected true, got false")
    }
}

import Foundation
import Testing

@testable import LarderScenarios

/// Each wrong expectation is found, and told by name, over whatever layer.
struct WebRunTests {
    private static let request = #""do": "request", "request": {"url": "http://a.example.test/t"}"#
    private static let answer =
        #"{"status": 200, "headers": [["Cache-Control", "max-age=60"], ["ETag", "\"1\""]], "body": "b"}"#

    private func result(_ steps: String, _ layer: String, _ more: String = "") async throws -> CaseResult {
        let folder = try CaseFolder()
        let head = #""format": "http-script/1", "case": "X", "layer": "\#(layer)""#
        return await CaseFile(url: try folder.add("{\(head)\(more), \"steps\": [\(steps)]}", as: "case.json")).run()
    }

    private func failure(_ steps: String, _ layer: String = "HTTP cache", _ more: String = "") async throws -> String {
        try await result(steps, layer, more).failure?.description ?? ""
    }

    @Test(arguments: [
        (#""status": 404"#, "status: expected 404, got 200"), (#""body": "c""#, #"body: expected "c", got 200 "b""#),
        (#""stale": true"#, "stale: expected a stale value"), (#""errorOrStale": true"#, "errorOrStale: expected"),
        (#""errorOrStatus": 504"#, "errorOrStatus: expected an error or 504"),
        (#""mustNotContain": "b""#, "mustNotContain"), (#""source": "cache""#, "source: expected a value from cache"),
        (#""originContacted": false"#, "originContacted: expected false"),
        (#""originRequests": 2"#, "originRequests: expected 2, got 1"),
        (#""sentHeaders": {"If-None-Match": "x"}"#, "sentHeaders: expected If-None-Match: x"),
        (#""answeredWithin": [1, 2]"#, "answeredWithin: expected an answer after 1.0 to 2.0 s"),
        (#""headers": {"ETag": "\"2\""}"#, #"headers: expected ETag ["\"2\""], got ["\"1\""]"#),
        (#""headers": {"ETag": null}"#, "headers: expected ETag []"),
        (#""headersAbsent": ["etag"]"#, "headersAbsent: expected etag []"),
        (#""decodedLength": 2"#, "decodedLength: expected a body of 2 bytes once decoded, and it was of 1"),
        (#""interim": [103]"#, "interim: expected the interim answers [103], and it were []"),
    ])
    func wrongExpectationsFail(_ expectation: String, _ wanted: String) async throws {
        let failure = try await failure(#"{\#(Self.request), "origin": \#(Self.answer), "expect": {\#(expectation)}}"#)
        #expect(failure.hasPrefix("step 1 (request): "))
        #expect(failure.contains(wanted))
    }

    private static let layers = ["HTTP cache", "CachingClient", "URLProtocol", "reverse proxy"]

    @Test(arguments: layers) func whoeverMustNotBeAskedIsNot(_ layer: String) async throws {
        let failure = try await failure(#"{\#(Self.request), "origin": null}"#, layer)
        #expect(failure == "step 1 (request): the origin was asked for http://a.example.test/t, and must not be")
    }

    @Test(arguments: layers) func whatIsCutIsNoAnswer(_ layer: String) async throws {
        let cut =
            #"{"status": 200, "headers": [["Cache-Control", "max-age=60"]], "body": "leaf", "closeAfterBytes": 2}"#
        let failure = try await failure(#"{\#(Self.request), "origin": \#(cut), "expect": {"body": "leaf"}}"#, layer)
        #expect(failure.contains(#"body: expected "leaf", got an error"#))
    }

    /// No real time passes: the case's would take a day.
    @Test(arguments: layers) func timeIsTheCases(_ layer: String) async throws {
        let slow = #"{"status": 200, "headers": [["Cache-Control", "max-age=90000"]], "body": "b", "bodyAfter": 3000}"#
        let failure = try await failure(
            """
            {\(Self.request), "origin": \(slow), "expect": {"body": "b", "answeredWithin": [3000, 3000]}},
            {"at": 86400, \(Self.request), "origin": null, "expect": {"body": "b", "headers": {"Age": "1"}}}
            """, layer)
        #expect(failure == #"step 2 (request): headers: expected Age ["1"], got ["86400"]"#)
    }

    @Test func whatALayerCannotDoIsNotRun() async throws {
        let step = #"{\#(Self.request), "origin": \#(Self.answer), "account": "ada"}"#
        let result = try await result(step, "reverse proxy")
        #expect(result.line == "NOT RUN X: reverse proxy: accounts are those of an app")
        let refused = try await self.result(
            #"{\#(Self.request), "origin": {"error": "{variant}"}, "expect": {"status": 503}}"#, "URLProtocol",
            #", "variants": ["dns", "timeout"]"#)
        #expect(refused.line.hasPrefix("NOT RUN X: URLProtocol: "))
    }
}

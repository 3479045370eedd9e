import Foundation
import Testing

@testable import LarderScenarios

/// Each wrong expectation is found, and told by name.
struct StepsRunTests {
    private func run(_ members: String) async throws -> CaseResult {
        let folder = try CaseFolder()
        let file = try folder.add(#"{"format": "steps/1", "case": "X", \#(members)}"#, as: "case.json")
        return await CaseFile(url: file).run()
    }

    @Test(arguments: [
        (#""value": "absent""#, "value: expected absent"), (#""value": "fetched""#, "value: expected fetched"),
        (#""fresh": true"#, "fresh: expected a fresh value"), (#""stale": false"#, "stale: expected a fresh value"),
        (#""age": 3"#, "age: expected 3.0 s"), (#""failed": false"#, "failed: expected no failure"),
        (#""requestSent": false"#, "requestSent: expected no request, got 1"),
        (#""requests": 2"#, "requests: expected 2, got 1"),
    ])
    func wrongExpectationsFail(_ expectation: String, _ wanted: String) async throws {
        let step = #"{"path": "satisfied", "requests": "dns", "do": "networkFirst", "expect": {\#(expectation)}}"#
        let failure = try await run(#""steps": [\#(step)]"#).failure?.description ?? ""
        #expect(failure.hasPrefix("step 1 (networkFirst): \(wanted)"))
    }

    @Test func aWaitThatIsTooLongFails() async throws {
        let step = #"{"path": "satisfied", "requests": "timeout", "do": "networkFirst", "expect": {"within": 1}}"#
        let failure = try await run(#""steps": [\#(step)]"#).failure?.description ?? ""
        #expect(failure == "step 1 (networkFirst): within: expected at most 1.0 s, got 3.0 seconds")
    }

    @Test func feedsAreFollowedAndTheirRequestsCounted() async throws {
        let steps = #"{"at": 0, "event": "offline"}, {"at": 1, "expect": {"refreshesPerFeed": 3}}"#
        let failure = try await run(#""feeds": 2, "steps": [\#(steps)]"#).failure?.description ?? ""
        #expect(failure == "step 2: refreshesPerFeed: expected 3...3, got [0, 0]")
    }

    /// Nothing here makes writes, so nothing can be said of them. The line says that.
    @Test func whatCannotBeCheckedIsTold() async throws {
        let steps = #"{"at": 0, "event": "offline"}, {"at": 1, "expect": {"serverWritesPerOp": 1}}"#
        let result = try await run(#""steps": [\#(steps)]"#)
        #expect(result.line == "PASS X (not checked: serverWritesPerOp, since there is no outbox yet)")
    }

    @Test(arguments: [
        (#""cases": [{"retryAfter": "5", "notBefore": 6}]"#, "cases[0]: notBefore: expected no request before 6.0 s"),
        (#""cases": [{"retryAfter": "500", "use": "backoff"}]"#, "cases[0]: use: expected at most"),
        (
            #""spread": {"clients": 9, "attempt": 9, "cap": 30, "expect": {"max": 0.001}}"#,
            "spread: expected no delay over 0.001 s"
        ),
        (
            #""spread": {"clients": 9, "attempt": 9, "cap": 30, "expect": {"distinctAtLeast": 10}}"#,
            "spread: expected 10 different delays, got 9"
        ),
    ])
    func wrongTablesFail(_ members: String, _ wanted: String) async throws {
        #expect(try await run(members).failure?.description.hasPrefix(wanted) == true)
    }
}

import Foundation
import LarderKit
import LarderTestKit
import Testing

@testable import LarderScenarios

struct HTTPAnswerTests {
    private func answer(_ json: String, at seconds: Double = 0) throws -> HTTPAnswer {
        try HTTPAnswer(
            ScriptValue(json: Data(json.utf8)), at: "origin", sent: ManualClock.defaultStart + seconds)
    }

    private func date(_ text: String, at seconds: Double) throws -> String? {
        let answer = try answer(#"{"status": 200, "headers": [["Date", "\#(text)"]]}"#, at: seconds)
        guard case .answer(_, let headers, _) = answer.content else { return nil }
        return headers["Date"]
    }

    @Test func theDateOfTheBeginningMovesAlong() throws {
        #expect(try date("Thu, 15 Jan 2026 12:00:00 GMT", at: 61) == "Thu, 15 Jan 2026 12:01:01 GMT")
        #expect(try date("Thu, 15 Jan 2026 12:10:00 GMT", at: 61) == "Thu, 15 Jan 2026 12:10:00 GMT")
    }

    /// A client that knows the length may hand over the beginning of a body; one that reads frames knows that it was cut.
    @Test func aCutBodyIsWhatAClientMakesOfIt() throws {
        let cut = try answer(
            #"{"status": 200, "headers": [["Content-Length", "6"]], "body": "abcdef", "closeAfterBytes": 2}"#)
        guard case .answer(200, _, let body) = cut.content else {
            Issue.record("no answer")
            return
        }
        #expect(body == Data("ab".utf8))
        for json in [
            #"{"status": 200, "body": "abcdef", "closeAfterBytes": 2}"#,
            #"{"status": 200, "rawBody": "2\r\nab", "closeAfterRaw": true}"#,
        ] {
            guard case .failure(let failure) = try answer(json).content else {
                Issue.record("no failure")
                return
            }
            #expect((failure as? FetchFailure)?.kind == .offline)
        }
    }

    @Test func theWholeAnswerIsWaitedFor() throws {
        #expect(try answer(#"{"status": 200, "headersAfter": 0.5, "bodyAfter": 4}"#).delay == .seconds(4))
        #expect(try answer(#"{"error": "dns", "headersAfter": 2}"#).delay == .seconds(2))
        #expect(try answer(#"{"status": 200}"#).delay == .zero)
    }
}

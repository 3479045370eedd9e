import Foundation
import Testing

@testable import LarderKit

@Suite struct AnswerVerdictTests {
    /// 15 January 2026, 12:00:00.
    private static let now = Date(timeIntervalSince1970: 1_768_478_400)

    private func verdict(
        _ status: Int, _ headers: HeaderFields = [:], _ body: String = "[1]", isJSONDue: Bool = true
    ) -> AnswerVerdict {
        AnswerVerdict(
            RawAnswer(status: status, headers: headers, body: Data(body.utf8)), isJSONDue: isJSONDue, now: Self.now)
    }

    private func kind(_ verdict: AnswerVerdict) -> FetchFailure.Kind? {
        if case .failure(let failure) = verdict { failure.kind } else { nil }
    }

    @Test(arguments: [200, 203])
    func `these bring a value`(status: Int) {
        #expect(verdict(status) == .value)
        #expect(verdict(status, [:], "") == .value)
    }

    @Test(arguments: [
        100, 201, 202, 204, 205, 206, 207, 226, 299, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 410, 418, 429,
        500, 502, 503, 599, 999, 0, -1,
    ])
    func `no other status brings a value, whatever its body`(status: Int) {
        for body in ["[1]", "", "<html>"] {
            #expect(kind(verdict(status, ["Content-Type": "application/json"], body)) != nil)
        }
    }

    @Test func `304 says that nothing has changed, whatever comes with it`() {
        #expect(verdict(304, [:], "") == .notModified)
        #expect(verdict(304, ["Content-Length": "100", "Content-Type": "text/html"], "") == .notModified)
    }

    @Test(
        arguments: [
            ("120", .seconds(120)), ("Thu, 15 Jan 2026 12:02:00 GMT", .seconds(120)), ("soon", nil), ("", nil),
        ] as [(String, Duration?)])
    func `a failure tells when to ask again`(value: String, wait: Duration?) {
        for status in [429, 503] {
            guard case .failure(let failure) = verdict(status, ["Retry-After": value]) else {
                Issue.record("\(status) is a value")
                continue
            }
            #expect(failure.retryAfter == wait)
        }
    }

    @Test(
        arguments: [
            // A body that is shorter than announced was cut.
            (["Content-Length": "4"], "[1]", false), (["content-length": "1000"], "[1]", false),
            (["Content-Length": "3"], "[1]", true), (["Content-Length": "0"], "", true),
            (["Content-Length": "2"], "[1]", true),
            (["Content-Length": "x"], "[1]", true), (["Content-Length": ""], "[1]", true),
            // Its length as sent, of which the decoded body says nothing.
            (["Content-Length": "400", "Content-Encoding": "gzip"], "[1]", true), ([:], "[1]", true),
        ] as [(HeaderFields, String, Bool)])
    func `a body that was cut is a wrong answer`(headers: HeaderFields, body: String, isWhole: Bool) {
        for isJSONDue in [true, false] {
            let verdict = verdict(200, headers, body, isJSONDue: isJSONDue)
            #expect(verdict == .value || kind(verdict) == .wrongAnswer)
            #expect((verdict == .value) == isWhole)
        }
    }

    @Test(arguments: [
        ("text/html", "<!DOCTYPE html><p>Sign in", true), ("application/json", "<html>", true),
        ("", "\n\t <html>", true),
        ("text/html; charset=utf-8", "Please sign in", true), ("text/html", "", true),
        ("application/xhtml+xml", "\u{FEFF}<html>", true),
        // Some servers label JSON so.
        ("text/html", "[1]", false), ("text/html", " {\"a\":1}", false), ("text/plain", "[1]", false),
        ("application/json", "[1]", false), ("application/json", "", false), ("", "null", false),
        // For the decoder to judge.
        ("application/json", "Please sign in", false),
    ])
    func `a page of HTML where JSON was due is a wrong answer`(type: String, body: String, isHTML: Bool) {
        #expect((kind(verdict(200, ["Content-Type": type], body)) == .wrongAnswer) == isHTML)
        #expect(verdict(200, ["Content-Type": type], body, isJSONDue: false) == .value)
    }
}

@Suite struct AnswerFreshnessTests {
    @Test(
        arguments: [
            ([:], nil, 0), (["Cache-Control": "max-age=60"], 60, 0), (["cache-control": "private, MAX-AGE=60"], 60, 0),
            (["Cache-Control": "max-age=0"], 0, 0), (["Cache-Control": "no-store"], 0, 0),
            (["Cache-Control": "no-cache"], 0, 0),
            (["Cache-Control": "max-age=60, no-store"], 0, 0), (["Cache-Control": "no-cache, max-age=60"], 0, 0),
            (["Cache-Control": "public"], nil, 0), (["Cache-Control": "s-maxage=60"], nil, 0),
            (["Cache-Control": "max-age=abc"], 0, 0),
            (["Age": "30"], nil, 30), (["Cache-Control": "max-age=60", "Age": "30"], 60, 30), (["Age": "-1"], nil, 0),
            (["Age": "x"], nil, 0), (["Age": "10, 20"], nil, 10), (["Age": "99999999999999999999"], nil, 2_147_483_648),
        ] as [(HeaderFields, Int?, Int)])
    func `lifetime and age are what the headers say`(headers: HeaderFields, lifetime: Int?, age: Int) {
        let freshness = AnswerFreshness(headers)
        #expect(freshness.lifetime == lifetime.map { .seconds($0) })
        #expect(freshness.initialAge == .seconds(age))
    }

    @Test func `validators are kept as they came, and empty ones are none`() {
        let validators = Validators(["ETag": "W/\"a\"", "last-modified": "Thu, 15 Jan 2026 12:00:00 GMT"])
        #expect(validators.etag == "W/\"a\"")
        #expect(validators.lastModified == "Thu, 15 Jan 2026 12:00:00 GMT")
        #expect(Validators(["ETag": "", "Last-Modified": ""] as HeaderFields).isEmpty)
        #expect(Validators([:] as HeaderFields).isEmpty)
        #expect(
            validators.conditionalHeaders == [
                "If-None-Match": "W/\"a\"", "If-Modified-Since": "Thu, 15 Jan 2026 12:00:00 GMT",
            ])
        #expect(Validators().conditionalHeaders == [:])
        #expect(Validators(lastModified: "x").conditionalHeaders == ["If-Modified-Since": "x"])
    }
}

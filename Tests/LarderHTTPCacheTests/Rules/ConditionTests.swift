import LarderKit
import Testing

@testable import LarderHTTPCache

struct ConditionTests {
    @Test(arguments: [
        ("ETag: \"a\"", "If-None-Match: \"a\"", true),
        ("ETag: \"a\"", "If-None-Match: W/\"a\"", true),
        ("ETag: W/\"a\"", "If-None-Match: \"a\"", true),
        ("ETag: W/\"a\"", "If-None-Match: W/\"a\"", true),
        ("ETag: \"a\"", "If-None-Match: \"b\"", false),
        ("ETag: \"a\"", "If-None-Match: \"A\"", false),
        ("ETag: \"a\"", "If-None-Match: \"b\", \"a\", \"c\"", true),
        ("ETag: \"a\"", "If-None-Match: \"b\"\nIf-None-Match: \"a\"", true),
        ("ETag: \"a,b\"", "If-None-Match: \"x\",\"a,b\"", true),
        ("ETag: \"a\"", "If-None-Match: \"x,\"a\"\"", false),
        ("ETag: a", "If-None-Match: a", true),
        ("ETag: \"a\"", "If-None-Match: a", false),
        ("ETag: \"a\"", "If-None-Match: *", true),
        ("", "If-None-Match: *", true),
        ("", "If-None-Match: \"a\"", false),
        ("ETag:", "If-None-Match: \"\"", false),
        ("ETag: \"a", "If-None-Match: \"a", true),
        ("ETag: \"\u{FC}\"", "If-None-Match: \"\u{FC}\"", true),
        ("ETag: \"a\"\nLast-Modified: {-5}", "If-None-Match: \"b\"\nIf-Modified-Since: {+0}", false),
        ("ETag: \"a\"\nLast-Modified: {-5}", "If-None-Match: \"a\"\nIf-Modified-Since: {-10}", true),
        ("Last-Modified: {-5}", "If-Modified-Since: {-5}", true),
        ("Last-Modified: {-5}", "If-Modified-Since: {+0}", true),
        ("Last-Modified: {-5}", "If-Modified-Since: {-6}", false),
        ("Last-Modified: Thu, 15 Jan 2026 11:00:00 GMT", "If-Modified-Since: Thursday, 15-Jan-26 11:00:00 GMT", true),
        ("Last-Modified: Thu, 15 Jan 2026 11:00:00 GMT", "If-Modified-Since: Thu Jan 15 11:00:00 2026", true),
        ("Last-Modified: {-5}", "If-Modified-Since: yesterday", false),
        ("Last-Modified: {-5}", "If-Modified-Since: {-5}\nIf-Modified-Since: {-5}", false),
        ("Date: {-10}", "If-Modified-Since: {-3600}", false),
        ("Date: {-10}", "If-Modified-Since: {-10}", true),
    ])
    func theClientsConditionIsAnswered(stored: String, request: String, isUnmodified: Bool) {
        for method in ["GET", "HEAD"] {
            let request = HTTPRequestHead(method: method, url: "http://h.test/r", headers: HeaderFields(lines: request))
            let form = HTTPRules.form(for: request, of: .noon(stored))
            #expect(form == (isUnmodified ? .notModified : .whole), "\(method)")
        }
    }

    @Test func onlyASuccessIsUnmodified() {
        let request = HTTPRequestHead.get("http://h.test/r", "If-None-Match: \"a\"")
        for status in [301, 404, 503] {
            #expect(HTTPRules.form(for: request, of: .noon("ETag: \"a\"", status: status)) == .whole)
        }
    }

    @Test func a304CarriesValidatorsAndNothingOfABody() {
        let stored = StoredAnswer.noon(
            "ETag: \"a\"\nLast-Modified: {-5}\nContent-Length: 10\nContent-Type: a/b\nContent-Encoding: gzip\nContent-Location: /x\nVary: Foo\nCache-Control: max-age=60\nX: 1\nAge: 5\nDate: {+0}\nExpires: {+9}"
        )
        let head = HTTPRules.response(stored, as: .notModified, now: Noon.plus(3.9))
        #expect(head.status == 304)
        #expect(
            head.headers.fields.map(\.name) == [
                "ETag", "Last-Modified", "Content-Location", "Vary", "Cache-Control", "X", "Date", "Expires", "Age",
            ])
        #expect(head.headers["Age"] == "8")
    }

    @Test func aWholeAnswerGoesOutAsItCameWithOneAge() {
        let stored = StoredAnswer.noon(
            "Date: {+0}\nage: 30\nAge: 7\nExpires: 0\nX: 1\nx: 2\nContent-Length: 10", status: 203)
        let head = HTTPRules.response(stored, as: .whole, now: Noon.plus(3.2))
        #expect(head.status == 203)
        #expect(head.headers.fields.map(\.name) == ["Date", "Expires", "X", "x", "Content-Length", "Age"])
        #expect(head.headers.values(of: "Age") == ["33"])
    }
}

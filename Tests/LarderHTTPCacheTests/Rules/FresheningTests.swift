import LarderKit
import Testing

@testable import LarderHTTPCache

struct FresheningTests {
    @Test(arguments: [
        ("ETag: \"a\"", "ETag: \"a\"", true), ("ETag: W/\"a\"", "ETag: \"a\"", true),
        ("ETag: \"a\"", "ETag: W/\"a\"", true),
        ("ETag: \"a\"", "ETag: \"b\"", false), ("ETag: W/\"a\"", "ETag: W/\"b\"", false), ("ETag: \"a\"", "", true),
        ("ETag: \"a\"\nLast-Modified: {-5}", "Last-Modified: {-9}", true),
        ("ETag: \"a\"\nLast-Modified: {-5}", "ETag: \"b\"\nLast-Modified: {-5}", false),
        ("Last-Modified: {-5}", "Last-Modified: {-5}", true), ("Last-Modified: {-5}", "Last-Modified: {-9}", false),
        ("Last-Modified: {-5}", "ETag: \"new\"", true), ("Last-Modified: {-5}", "", true),
        ("Last-Modified: Thu, 15 Jan 2026 11:00:00 GMT", "Last-Modified: Thu Jan 15 11:00:00 2026", true),
    ])
    func a304ConfirmsWhatItNames(stored: String, response: String, isConfirmed: Bool) {
        let answer = StoredAnswer.noon(stored + "\nX: 1")
        let head = HTTPResponseHead(status: 304, headers: HeaderFields(lines: response))
        let fresh = HTTPRules.freshened(answer, by: head, asked: Noon.plus(9), received: Noon.plus(10))
        #expect((fresh != nil) == isConfirmed)
        guard let fresh else { return }
        #expect(fresh.status == 200)
        #expect(fresh.headers["X"] == "1")
        #expect(fresh.receivedAt == Noon.plus(10))
        #expect(fresh.requestedAt == Noon.plus(9))
        if let tag = answer.headers["ETag"] {
            #expect(fresh.headers["ETag"] == tag, "the tag is that of the stored bytes")
        }
    }

    @Test func fieldsAreReplacedButNotWhatDescribesTheBytes() {
        let stored = StoredAnswer.noon(
            "Date: {+0}\nAge: 30\nX: 1\nx: 2\nY: 1\nContent-Length: 10\nContent-Encoding: gzip\nContent-Type: a/b\nContent-Foo: 1\nCache-Control: max-age=1\nETag: \"a\""
        )
        let head = HTTPResponseHead(
            status: 304,
            headers: HeaderFields(
                lines:
                    "Date: {+9}\nX: 3\nContent-Length: 0\nContent-Encoding: br\nContent-Range: bytes 0-1/2\nContent-Type: c/d\nContent-Foo: 2\nCache-Control: max-age=60\nConnection: Z\nZ: 1\nTransfer-Encoding: chunked\nSet-Cookie: a=b"
            ))
        let fresh = HTTPRules.freshened(stored, by: head, asked: Noon.plus(9), received: Noon.plus(9))
        #expect(
            fresh?.headers
                == HeaderFields(
                    lines:
                        "Y: 1\nContent-Length: 10\nContent-Encoding: gzip\nETag: \"a\"\nDate: {+9}\nX: 3\nContent-Type: c/d\nContent-Foo: 2\nCache-Control: max-age=60"
                ))
        guard let fresh else { return }
        #expect(HTTPRules.plan(.get(), [fresh], .at(60)).served?.stale == nil)
        #expect(HTTPRules.age(of: fresh, now: Noon.plus(10)) == 1, "an old Age does not count from a new receipt")
    }

    @Test func a304WithoutDateIsOfNow() {
        let stored = StoredAnswer.noon("Date: {-100}\nCache-Control: max-age=60\nETag: \"a\"")
        let fresh = HTTPRules.freshened(
            stored, by: HTTPResponseHead(status: 304), asked: Noon.plus(9), received: Noon.plus(9))
        #expect(fresh?.headers["Date"] == Noon.text(plus: 9))
    }

    @Test func aConfirmedAnswerIsValidAgainAndKeepsToItsClient() {
        var stored = StoredAnswer.noon("ETag: \"a\"\nSet-Cookie: a=1")
        stored.isInvalidated = true
        stored.client = "a"
        let head = HTTPResponseHead(status: 304, headers: ["Set-Cookie": "a=2"])
        let fresh = HTTPRules.freshened(stored, by: head, asked: Noon.date, received: Noon.date)
        #expect(fresh?.isInvalidated == false)
        #expect(fresh?.client == "a")
        #expect(fresh?.headers.values(of: "Set-Cookie") == ["a=2"])
        #expect(
            HTTPRules.freshened(stored, by: HTTPResponseHead(status: 200), asked: Noon.date, received: Noon.date) == nil
        )
    }

    @Test func cookiesOfA304AreForWhoAskedAlone() {
        let stored = StoredAnswer.noon("ETag: \"a\"\nX: 1")
        let confirmation = HTTPResponseHead(status: 304, headers: ["Set-Cookie": "a=1", "set-cookie": "b=2"])
        let fresh = HTTPRules.freshened(stored, by: confirmation, asked: Noon.date, received: Noon.date)
        #expect(fresh?.headers.values(of: "Set-Cookie") == [])
        let head = HTTPRules.response(stored, as: .whole, now: Noon.date)
        let told = HTTPRules.settingCookies(of: confirmation, head)
        #expect(told.headers.values(of: "Set-Cookie") == ["a=1", "b=2"])
        #expect(told.headers["X"] == "1")
        #expect(HTTPRules.settingCookies(of: HTTPResponseHead(status: 304), head) == head)
    }

    @Test func aNewVarySelectsAnew() {
        let stored = StoredAnswer.noon("ETag: \"a\"\nVary: Foo", variant: [("foo", "1")])
        let request = HTTPRequestHead.get("http://h.test/r", "Foo: 1\nBar: 2")
        let head = HTTPResponseHead(status: 304, headers: ["Vary": "Foo, Bar"])
        let fresh = HTTPRules.freshened(stored, by: head, asked: Noon.date, received: Noon.date, to: request)
        #expect(fresh?.variant.fields.map(\.value) == ["2", "1"])
        let star = HTTPRules.freshened(
            stored, by: HTTPResponseHead(status: 304, headers: ["Vary": "*"]), asked: Noon.date, received: Noon.date,
            to: request)
        #expect(star?.isInvalidated == true)
    }

    @Test(arguments: [
        ("Content-Length: 10\nETag: \"1\"", true), ("Content-Length: 4\nETag: \"1\"", false), ("ETag: \"1\"", true),
        ("ETag: \"2\"", false), ("ETag: W/\"1\"", true), ("", true), ("Last-Modified: {-9}", false),
        ("Last-Modified: {-5}", true), ("Content-Encoding: gzip", false),
    ])
    func aHeadAnswerUpdatesWhatItAgreesWith(lines: String, agrees: Bool) {
        let stored = StoredAnswer.noon("ETag: \"1\"\nLast-Modified: {-5}\nX: 1\nCache-Control: max-age=1")
        let head = HTTPResponseHead(
            status: 200, headers: HeaderFields(lines: lines + "\nCache-Control: max-age=60\nX: 2"))
        let updated = HTTPRules.updated(stored, byHead: head, asked: Noon.plus(5), received: Noon.plus(5))
        #expect((updated != nil) == agrees)
        guard let updated else { return }
        #expect(updated.headers["X"] == "2")
        #expect(updated.size == 10)
        #expect(HTTPRules.plan(.get(), [updated], .at(30)).served != nil)
    }

    @Test func cookiesOfAHeadAnswerAreNotThoseOfTheGet() {
        var stored = StoredAnswer.noon("Set-Cookie: a=1\nX: 1")
        stored.client = "a"
        let head = HTTPResponseHead(status: 200, headers: ["Set-Cookie": "a=2", "X": "2"])
        let updated = HTTPRules.updated(stored, byHead: head, asked: Noon.date, received: Noon.date)
        #expect(updated?.headers.values(of: "Set-Cookie") == ["a=1"])
        #expect(updated?.headers["X"] == "2")
    }

    @Test func aHeadAnswerOfAnotherStatusChangesNothing() {
        let stored = StoredAnswer.noon("ETag: \"1\"")
        let head = HTTPResponseHead(status: 503, headers: ["ETag": "\"2\""])
        #expect(HTTPRules.updated(stored, byHead: head, asked: Noon.plus(5), received: Noon.plus(5)) == stored)
    }
}

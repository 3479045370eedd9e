import LarderKit
import Testing

@testable import LarderHTTPCache

struct RangeTests {
    /// Of "0123456789".
    @Test(arguments: [
        ("bytes=0-1", 0...1), ("bytes=1-", 1...9), ("bytes=-1", 9...9), ("bytes=-99", 0...9), ("bytes=9-99", 9...9),
        ("BYTES=0-0", 0...0), ("bytes= 2-3 ", 2...3), ("bytes=0-99999999999999999999999", 0...9),
        ("bytes=,4-5,", 4...5),
    ])
    func aRangeOfAWhole(range: String, bytes: ClosedRange<Int>) {
        let stored = StoredAnswer.noon("Cache-Control: max-age=60\nContent-Length: 10\nX: 1")
        let request = HTTPRequestHead.get("http://h.test/r", "Range: \(range)")
        #expect(HTTPRules.plan(request, [stored], .at(1)) == .serve(Serving(index: 0, form: .part(bytes))))
        #expect(HTTPRules.bytes(of: .part(bytes), in: stored) == bytes.lowerBound..<(bytes.upperBound + 1))
        let head = HTTPRules.response(stored, as: .part(bytes), now: Noon.plus(1))
        #expect(head.status == 206)
        #expect(head.headers.values(of: "Content-Range") == ["bytes \(bytes.lowerBound)-\(bytes.upperBound)/10"])
        #expect(head.headers.values(of: "Content-Length") == ["\(bytes.count)"])
        #expect(head.headers["X"] == "1")
        let headRequest = HTTPRequestHead(method: "HEAD", url: "http://h.test/r", headers: request.headers)
        #expect(HTTPRules.plan(headRequest, [stored], .at(1)) == .serve(Serving(index: 0)))
    }

    @Test(arguments: ["bytes=10-", "bytes=99999999999999999999999-", "bytes=-0", "bytes=10-11"])
    func aRangeBehindTheEnd(range: String) {
        let stored = StoredAnswer.noon("Cache-Control: max-age=60")
        let plan = HTTPRules.plan(.get("http://h.test/r", "Range: \(range)"), [stored], .at(1))
        #expect(plan == .serve(Serving(index: 0, form: .unsatisfiable)))
        let head = HTTPRules.response(stored, as: .unsatisfiable, now: Noon.plus(1))
        #expect(head.status == 416)
        #expect(head.headers == ["Content-Range": "bytes */10", "Content-Length": "0"])
    }

    @Test(arguments: [
        "bytes=", "bytes=a-b", "bytes=5-1", "pages=0-1", "0-1", "bytes", "bytes=1-2x", "bytes=--1", "bytes=+1-2",
        "bytes=0-1,x",
    ])
    func whatIsNoRangeIsIgnored(range: String) {
        let plan = HTTPRules.plan(
            .get("http://h.test/r", "Range: \(range)"), [.noon("Cache-Control: max-age=60")], .at(1))
        #expect(plan == .serve(Serving(index: 0)))
    }

    @Test(arguments: [
        ("\"a\"", true), ("W/\"a\"", false), ("\"b\"", false), ("Thu, 15 Jan 2026 11:00:00 GMT", true),
        ("Thu, 15 Jan 2026 11:00:01 GMT", false), ("x", false),
    ])
    func ifRangeWantsExactlyThis(condition: String, fits: Bool) {
        let stored = StoredAnswer.noon(
            "Cache-Control: max-age=60\nDate: {+0}\nETag: \"a\"\nLast-Modified: Thu, 15 Jan 2026 11:00:00 GMT")
        let form = HTTPRules.form(for: .get("http://h.test/r", "Range: bytes=0-1\nIf-Range: \(condition)"), of: stored)
        #expect(form == (fits ? .part(0...1) : .whole))
    }

    @Test func weakValidatorsFitNoRange() {
        let tagged = StoredAnswer.noon("ETag: W/\"a\"")
        #expect(
            HTTPRules.form(for: .get("http://h.test/r", "Range: bytes=0-1\nIf-Range: W/\"a\""), of: tagged) == .whole)
        let young = StoredAnswer.noon("Date: {+0}\nLast-Modified: {+0}")
        #expect(
            HTTPRules.form(for: .get("http://h.test/r", "Range: bytes=0-1\nIf-Range: \(Noon.text)"), of: young)
                == .whole)
    }

    @Test func onlyA200IsCut() {
        #expect(HTTPRules.form(for: .get("http://h.test/r", "Range: bytes=0-1"), of: .noon("", status: 404)) == .whole)
        #expect(HTTPRules.form(for: .get("http://h.test/r", "Range: bytes=-1"), of: .noon("", size: 0)) == .whole)
        #expect(
            HTTPRules.form(for: .get("http://h.test/r", "Range: bytes=0-"), of: .noon("", size: 0)) == .unsatisfiable)
    }

    /// Of bytes 4 to 8 of 10, or of an unknown number.
    @Test(
        arguments: [
            ("bytes=4-8", 10, 4...8), ("bytes=5-6", 10, 5...6), ("bytes=4-8", nil, 4...8), ("bytes=3-5", 10, nil),
            ("bytes=5-9", 10, nil), ("bytes=5-", 10, nil), ("bytes=5-", nil, nil), ("bytes=-2", 10, nil),
            ("bytes=-2", nil, nil),
            ("", 10, nil), ("bytes=4-5,6-7", 10, nil), ("bytes=8-8", 10, 8...8),
        ] as [(String, Int?, ClosedRange<Int>?)])
    func aRangeOfAPart(range: String, total: Int?, bytes: ClosedRange<Int>?) {
        let stored = StoredAnswer.noon(
            "Cache-Control: max-age=60\nContent-Range: x", status: 206, size: 5,
            part: .init(first: 4, last: 8, total: total))
        let plan = HTTPRules.plan(.get("http://h.test/r", "Range: \(range)"), [stored], .at(1))
        guard let bytes else {
            #expect(plan.asked != nil)
            return
        }
        #expect(plan == .serve(Serving(index: 0, form: .part(bytes))))
        #expect(HTTPRules.bytes(of: .part(bytes), in: stored) == (bytes.lowerBound - 4)..<(bytes.upperBound - 3))
        let head = HTTPRules.response(stored, as: .part(bytes), now: Noon.plus(1))
        #expect(
            head.headers.values(of: "Content-Range")
                == ["bytes \(bytes.lowerBound)-\(bytes.upperBound)/\(total.map { "\($0)" } ?? "*")"])
    }

    @Test(arguments: [("bytes=-2", 8...9), ("bytes=6-", 6...9), ("bytes=5-99", 5...9)])
    func aPartThatReachesTheEnd(range: String, bytes: ClosedRange<Int>) {
        let stored = StoredAnswer.noon("", status: 206, size: 5, part: .init(first: 5, last: 9, total: 10))
        #expect(HTTPRules.form(for: .get("http://h.test/r", "Range: \(range)"), of: stored) == .part(bytes))
    }

    /// "01234", of which the origin says that it is bytes 4 to 9 of 10: each range is counted from the end that it names, what
    /// goes out says what it is, and nothing is put together with it.
    @Test(
        arguments: [
            ("bytes=-5", "01234", "5-9"), ("bytes=-1", "4", "9-9"), ("bytes=6-8", "234", "6-8"),
            ("bytes=6-", "234", "6-8"),
            ("bytes=-6", nil, ""), ("bytes=9-", nil, ""), ("bytes=3-5", nil, ""),
        ] as [(String, String?, String)])
    func aPartOfMisstatedLength(range: String, body: String?, place: String) {
        let stored = StoredAnswer.noon(
            "Cache-Control: max-age=60\nETag: \"a\"", status: 206, size: 5, part: .init(first: 4, last: 9, total: 10))
        #expect(stored.isMisstated)
        guard let form = HTTPRules.form(for: .get("http://h.test/r", "Range: \(range)"), of: stored), let body else {
            #expect(body == nil)
            return
        }
        let bytes = Array("01234".utf8)[HTTPRules.bytes(of: form, in: stored)]
        #expect(String(decoding: bytes, as: UTF8.self) == body)
        let head = HTTPRules.response(stored, as: form, now: Noon.plus(1))
        #expect(head.headers["Content-Range"] == "bytes \(place)/10")
        #expect(head.headers["Content-Length"] == "\(body.utf8.count)")
    }

    @Test func aPartThatCannotBeIsNotStored() {
        #expect(HTTPRules.settled(.noon("", status: 206, size: 7, part: .init(first: 4, last: 9, total: 10))) == nil)
        #expect(HTTPRules.settled(.noon("", status: 206, size: 0, part: .init(first: 4, last: 9, total: 10))) == nil)
        let whole = HTTPRules.settled(
            .noon("Content-Range: bytes 0-9/10", status: 206, size: 10, part: .init(first: 0, last: 9, total: 10)))
        #expect(whole?.status == 200)
        #expect(whole?.part == nil)
        #expect(whole?.headers == ["Content-Length": "10"])
        let cut = HTTPRules.settled(.noon("", status: 206, size: 5, part: .init(first: 0, last: 9, total: 10)))
        #expect(cut?.status == 206)
    }

    @Test(arguments: [
        ("Content-Length: 10", 10, true), ("Content-Length: 10", 9, false), ("Content-Length: 10", 11, false),
        ("", 9, true), ("Content-Length: x", 9, true),
    ])
    func aWholeOfAnotherLengthThanWasSaidIsNotStored(lines: String, size: Int, isStored: Bool) {
        #expect((HTTPRules.settled(.noon(lines, size: size)) != nil) == isStored)
    }

    @Test(arguments: [("Content-Length: 5", true), ("Content-Length: 4", false), ("", true)])
    func aRestOfAnotherLengthThanItsPlaceCompletesNothing(lines: String, fits: Bool) {
        let rest = HTTPResponseHead(
            status: 206, headers: HeaderFields(lines: "Content-Range: bytes 5-9/10\nETag: \"a\"\n\(lines)"))
        let whole = HTTPRules.continues(
            Self.start("ETag: \"a\""), by: rest, from: 5, asked: Noon.date, received: Noon.date)
        #expect((whole != nil) == fits)
        guard var whole else { return }
        whole.size = 9
        #expect(HTTPRules.settled(whole) == nil, "less has come than was said")
    }

    private static func start(_ lines: String, size: Int = 5) -> StoredAnswer {
        .noon(lines, status: 206, size: size, part: .init(first: 0, last: 4, total: 10))
    }

    @Test(
        arguments: [
            ("Cache-Control: max-age=60\nETag: \"a\"", 1.0, "\"a\""),
            ("Cache-Control: max-age=1\nETag: \"a\"", 10, "\"a\""),
            ("Date: {+0}\nLast-Modified: Thu, 15 Jan 2026 11:00:00 GMT", 1, "Thu, 15 Jan 2026 11:00:00 GMT"),
            ("Cache-Control: max-age=60", 1, nil),
        ] as [(String, Double, String?)])
    func theRestIsAskedFor(lines: String, at seconds: Double, condition: String?) {
        let asked = HTTPRules.plan(.get(), [Self.start(lines)], .at(seconds)).asked
        #expect(asked?.resumes == Asking.Resumption(index: 0, from: 5))
        #expect(asked?.reason == .partial)
        #expect(asked?.headers["Range"] == "bytes=5-")
        #expect(asked?.headers["If-Range"] == condition)
        #expect(asked?.validates == nil)
    }

    @Test(arguments: [
        ("Cache-Control: max-age=1", 10.0, "", 5), ("Cache-Control: max-age=60\nETag: W/\"a\"", 1, "", 5),
        ("Date: {+0}\nLast-Modified: {+0}\nCache-Control: max-age=60", 1, "", 5),
        ("Cache-Control: max-age=60\nETag: \"a\"", 1, "Range: bytes=3-7", 5),
        ("Cache-Control: max-age=60\nETag: \"a\"", 1, "If-None-Match: \"x\"", 5),
        ("Cache-Control: max-age=60\nETag: \"a\"", 1, "", 4),
    ])
    func theWholeIsAskedForWhereTheRestMightNotFit(lines: String, at seconds: Double, request: String, size: Int) {
        let request = HTTPRequestHead.get("http://h.test/r", request)
        let asked = HTTPRules.plan(request, [Self.start(lines, size: size)], .at(seconds)).asked
        #expect(asked?.resumes == nil)
        #expect(asked?.headers == request.headers)
    }

    @Test(arguments: [
        ("bytes 5-9/10", "ETag: \"a\"", true), ("bytes 5-9/10", "ETag: \"b\"", false),
        ("bytes 5-9/10", "ETag: W/\"a\"", false),
        ("bytes 5-9/10", "", false), ("bytes 4-9/10", "ETag: \"a\"", false), ("bytes 6-9/10", "ETag: \"a\"", false),
        ("bytes 5-8/10", "ETag: \"a\"", false), ("bytes 5-10/11", "ETag: \"a\"", false),
        ("bytes 5-9/*", "ETag: \"a\"", false),
        ("nonsense", "ETag: \"a\"", false),
    ])
    func theRestCompletesOnlyWhatItIsOf(range: String, lines: String, fits: Bool) {
        let stored = Self.start("ETag: \"a\"\nX: 1\nY: 1\nContent-Range: bytes 0-4/10\nContent-Length: 5")
        let rest = HTTPResponseHead(
            status: 206, headers: HeaderFields(lines: "Content-Range: \(range)\nContent-Length: 5\nX: 2\n\(lines)"))
        let whole = HTTPRules.continues(stored, by: rest, from: 5, asked: Noon.plus(1), received: Noon.plus(2))
        #expect((whole != nil) == fits)
        guard let whole else { return }
        #expect(whole.status == 200)
        #expect(whole.part == nil)
        #expect(whole.size == 10)
        #expect(whole.receivedAt == Noon.plus(2))
        #expect(whole.headers["X"] == "2")
        #expect(whole.headers["Y"] == "1")
        #expect(whole.headers["Content-Length"] == "10")
        #expect(whole.headers["Content-Range"] == nil)
    }

    @Test func aWholeThatCameInPlaceOfTheRestCompletesNothing() {
        let head = HTTPResponseHead(status: 200, headers: ["ETag": "\"a\""])
        #expect(
            HTTPRules.continues(Self.start("ETag: \"a\""), by: head, from: 5, asked: Noon.date, received: Noon.date)
                == nil)
    }
}

import LarderKit
import Testing

@testable import LarderHTTPCache

struct SuccessionTests {
    @Test(arguments: [
        (200, 200, Succession.replaced), (200, 404, .replaced), (200, 301, .replaced), (200, 202, .preferred),
        (200, 500, .preferred), (200, 502, .preferred), (200, 503, .preferred), (200, 504, .preferred),
        (202, 202, .replaced),
        (202, 200, .replaced), (404, 503, .replaced), (503, 202, .replaced), (503, 200, .replaced),
        (204, 202, .preferred),
    ])
    func statusesTakeEachOthersPlace(old: Int, new: Int, succession: Succession) {
        #expect(HTTPRules.succession(of: .noon("", status: old), by: .noon("", status: new)) == succession)
    }

    @Test func variantsAndClientsKeepTheirs() {
        let one = StoredAnswer.noon("", variant: [("foo", "1")])
        #expect(HTTPRules.succession(of: one, by: .noon("", variant: [("foo", "2")])) == .kept)
        #expect(HTTPRules.succession(of: one, by: .noon("")) == .kept)
        #expect(HTTPRules.succession(of: one, by: one) == .replaced)
        var bound = one
        bound.client = "a"
        var other = one
        other.client = "b"
        #expect(HTTPRules.succession(of: one, by: bound) == .kept)
        #expect(HTTPRules.succession(of: other, by: bound) == .kept)
        #expect(HTTPRules.succession(of: bound, by: one) == .replaced)
        var kept = one
        kept.isKeptByRule = true
        #expect(HTTPRules.succession(of: one, by: kept) == .kept)
        #expect(HTTPRules.succession(of: kept, by: one) == .replaced)
        #expect(HTTPRules.succession(of: kept, by: kept) == .replaced)
    }

    @Test func partsTakeNoWholesPlaceUnlessItIsAnother() {
        func part(_ range: ClosedRange<Int>, _ tag: String = "a") -> StoredAnswer {
            .noon(
                "ETag: \"\(tag)\"", status: 206, size: range.count,
                part: .init(first: range.lowerBound, last: range.upperBound, total: 10))
        }
        let whole = StoredAnswer.noon("ETag: \"a\"")
        #expect(HTTPRules.succession(of: whole, by: part(0...4)) == .preferred)
        #expect(HTTPRules.succession(of: whole, by: part(0...4, "b")) == .replaced)
        #expect(HTTPRules.succession(of: .noon("ETag: W/\"a\""), by: part(0...4)) == .kept)
        #expect(HTTPRules.succession(of: .noon(""), by: part(0...4)) == .kept)
        let dated = StoredAnswer.noon(
            "Last-Modified: {-5}", status: 206, size: 5, part: .init(first: 0, last: 4, total: 10))
        #expect(HTTPRules.succession(of: .noon("Last-Modified: {-9}"), by: dated) == .replaced)
        #expect(HTTPRules.succession(of: dated, by: dated) == .replaced)
        #expect(HTTPRules.succession(of: part(0...4), by: whole) == .replaced)
        #expect(HTTPRules.succession(of: part(0...4), by: part(5...9)) == .kept)
        #expect(HTTPRules.succession(of: part(0...4), by: part(0...9)) == .replaced)
        #expect(HTTPRules.succession(of: part(0...9), by: part(1...2)) == .preferred)
        #expect(HTTPRules.succession(of: part(0...4), by: part(5...9, "b")) == .replaced)
        var gone = whole
        gone.isInvalidated = true
        #expect(HTTPRules.succession(of: gone, by: part(0...4)) == .replaced)
    }

    /// What an answer that is not stored says of a stale and of a fresh one.
    @Test(arguments: [
        ("GET", 404, true, true), ("GET", 410, true, true), ("GET", 403, false, false), ("GET", 401, false, false),
        ("GET", 429, false, false), ("GET", 500, false, false), ("GET", 202, false, false), ("GET", 304, false, false),
        ("GET", 200, true, false), ("GET", 301, true, false), ("GET", 302, false, false), ("GET", 307, false, false),
        ("HEAD", 404, true, true), ("HEAD", 200, false, false), ("GET", 416, false, false), ("POST", 404, false, false),
    ])
    func whatIsGoneOrChangedIsOver(method: String, status: Int, isStaleOver: Bool, isFreshOver: Bool) {
        let request = HTTPRequestHead(method: method, url: "http://h.test/r")
        let head = HTTPResponseHead(status: status)
        let stored = StoredAnswer.noon("Cache-Control: max-age=5")
        #expect(HTTPRules.supersedes(head, stored, to: request, .at(10)) == isStaleOver)
        #expect(HTTPRules.supersedes(head, stored, to: request, .at(1)) == isFreshOver)
        var bound = stored
        bound.client = "a"
        #expect(!HTTPRules.supersedes(head, bound, to: request, .at(10, .shared)))
        #expect(!HTTPRules.supersedes(head, .noon("", variant: [("foo", "1")]), to: request, .at(10)))
    }

    @Test func aPartOfSomethingElseSaysSo() {
        let stored = StoredAnswer.noon("ETag: \"a\"")
        for (tag, isOver) in [("\"a\"", false), ("\"b\"", true), ("W/\"a\"", false)] {
            let head = HTTPResponseHead(status: 206, headers: ["ETag": tag])
            #expect(HTTPRules.supersedes(head, stored, to: .get(), .at(10)) == isOver)
        }
    }

    @Test(arguments: [
        ("POST", 200, "", ["/r"]), ("PUT", 204, "", ["/r"]), ("DELETE", 302, "", ["/r"]), ("M-SEARCH", 200, "", ["/r"]),
        ("POST", 400, "", []), ("POST", 500, "", []), ("GET", 200, "", []), ("HEAD", 200, "", []),
        ("OPTIONS", 200, "", []),
        ("PROPFIND", 207, "", []), ("post", 200, "", ["/r"]), ("POST", 201, "Location: /r/7", ["/r", "/r/7"]),
        ("POST", 201, "Location: r7#x", ["/r", "/r7"]), ("POST", 201, "Location: ?q", ["/r", "/r?q"]),
        ("POST", 201, "Location: HTTP://H.test:80/a\nContent-Location: b", ["/r", "/a", "/b"]),
        ("POST", 201, "Location: http://other.test/a", ["/r"]), ("POST", 201, "Location: https://h.test/a", ["/r"]),
        ("POST", 201, "Location: http://h.test:81/a", ["/r"]), ("POST", 201, "Location: http://u@h.test/a", ["/r"]),
        ("POST", 201, "Location: //h.test/a", ["/r", "/a"]), ("POST", 201, "Location: /r", ["/r"]),
        ("POST", 201, "Location: :::\nContent-Location: http://[", ["/r"]), ("POST", 500, "Location: /a", []),
    ])
    func unsafeRequestsInvalidate(method: String, status: Int, lines: String, paths: [String]) {
        let keys = HTTPRules.invalidated(
            by: HTTPResponseHead(status: status, headers: HeaderFields(lines: lines)),
            to: HTTPRequestHead(method: method, url: "http://h.test/r"))
        #expect(keys == paths.map { "http://h.test\($0)" })
    }
}

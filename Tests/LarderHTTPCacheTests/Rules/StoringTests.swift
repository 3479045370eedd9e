import LarderKit
import Testing

@testable import LarderHTTPCache

struct StoringTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var id: String
        var section: String
        var kinds: [CacheKind] = CacheKind.allCases
        var status = 200
        var headers: String
        var request = ""
        var method = "GET"
        /// `nil`: it is stored.
        var reason: StorePlan.Reason?
        var testDescription: String { "\(id) (\(section))" }
    }

    private static let fresh = "Cache-Control: max-age=60"
    private static let rows = [
        Row(id: "fresh", section: "9111 3", headers: fresh),
        Row(id: "bare 200", section: "9111 4.2.4", headers: ""),
        Row(id: "bare 301", section: "9111 4.2.4", status: 301, headers: ""),
        Row(id: "bare 404", section: "9111 3", status: 404, headers: "", reason: .notReusable),
        Row(id: "bare 302", section: "9111 3", status: 302, headers: "ETag: \"a\"", reason: .notReusable),
        Row(id: "bare 503", section: "9111 3", status: 503, headers: "", reason: .notReusable),
        Row(id: "202 without freshness", section: "9111 3", status: 202, headers: "ETag: \"a\"", reason: .notReusable),
        Row(id: "202 with freshness", section: "9111 3", status: 202, headers: fresh),
        Row(id: "guessed 404", section: "9111 4.2.2", status: 404, headers: "Date: {+0}\nLast-Modified: {-1000}"),
        Row(
            id: "unguessed 403", section: "9111 4.2.2", status: 403, headers: "Date: {+0}\nLast-Modified: {-1000}",
            reason: .notReusable),
        Row(id: "fresh 599", section: "9111 3", status: 599, headers: fresh),
        Row(id: "fresh 499", section: "9111 3", status: 499, headers: fresh),
        Row(id: "stale 500", section: "9111 3", status: 500, headers: "Cache-Control: max-age=0", reason: .notReusable),
        Row(id: "103", section: "9110 15.2", status: 103, headers: fresh, reason: .status),
        Row(id: "304", section: "9111 3", status: 304, headers: fresh, reason: .status),
        Row(id: "no-store", section: "9111 5.2.2.5", headers: "Cache-Control: No-StOrE, max-age=60", reason: .noStore),
        Row(
            id: "no-store elsewhere", section: "9111 5.2.2.5", headers: "\(fresh)\nCache-Control: no-store",
            reason: .noStore),
        Row(id: "quoted no-store", section: "9110 5.6.4", headers: "Cache-Control: max-age=60, x=\"no-store\""),
        Row(
            id: "must-understand, known", section: "9111 5.2.2.3",
            headers: "Cache-Control: max-age=60, no-store, must-understand"),
        Row(
            id: "must-understand, unknown", section: "9111 5.2.2.3", status: 599,
            headers: "Cache-Control: max-age=60, no-store, must-understand", reason: .noStore),
        Row(
            id: "must-understand alone, unknown", section: "9111 5.2.2.3", status: 599,
            headers: "Cache-Control: max-age=60, must-understand", reason: .noStore),
        Row(
            id: "private, shared", section: "9111 5.2.2.7", kinds: [.shared],
            headers: "Cache-Control: private, max-age=60", reason: .isPrivate),
        Row(
            id: "private, private", section: "9111 5.2.2.7", kinds: [.private],
            headers: "Cache-Control: private, max-age=60"),
        Row(
            id: "private field, shared", section: "9111 5.2.2.7", kinds: [.shared],
            headers: "Cache-Control: private=\"X\", max-age=60", reason: .isPrivate),
        Row(id: "no-cache", section: "9111 5.2.2.4", headers: "Cache-Control: no-cache\nETag: \"a\""),
        Row(
            id: "no-cache 404", section: "9111 5.2.2.4", status: 404, headers: "Cache-Control: no-cache, max-age=60",
            reason: .notReusable),
        Row(id: "Vary: *", section: "9111 4.1", headers: "\(fresh)\nVary: Foo, *", reason: .varies),
        Row(
            id: "credentials, private", section: "9111 3.5", kinds: [.private], headers: fresh,
            request: "Authorization: A"),
        Row(
            id: "credentials, shared", section: "9111 3.5", kinds: [.shared], headers: fresh,
            request: "Authorization: A", reason: .authorization),
        Row(
            id: "credentials, public", section: "9111 3.5", kinds: [.shared],
            headers: "Cache-Control: public, max-age=60", request: "Authorization: A"),
        Row(
            id: "credentials, must-revalidate", section: "9111 3.5", kinds: [.shared],
            headers: "Cache-Control: must-revalidate, max-age=60", request: "Authorization: A"),
        Row(
            id: "credentials, s-maxage", section: "9111 3.5", kinds: [.shared], headers: "Cache-Control: s-maxage=60",
            request: "Authorization: A"),
        Row(
            id: "credentials, proxy-revalidate", section: "9111 3.5", kinds: [.shared],
            headers: "Cache-Control: proxy-revalidate, max-age=60", request: "Authorization: A", reason: .authorization),
        Row(
            id: "request no-store", section: "9111 5.2.1.5", headers: fresh, request: "Cache-Control: no-store",
            reason: .requestNoStore),
        Row(id: "request cookies", section: "9111 3", headers: fresh, request: "Cookie: a=b"),
        Row(
            id: "CDN no-store", section: "9213 2.2", kinds: [.shared], headers: "\(fresh)\nCDN-Cache-Control: no-store",
            reason: .noStore),
        Row(
            id: "CDN no-store, private", section: "9213 3.1", kinds: [.private],
            headers: "\(fresh)\nCDN-Cache-Control: no-store"),
        Row(
            id: "CDN no-store=?0", section: "9651 4.2.8", kinds: [.shared],
            headers: "CDN-Cache-Control: no-store=?0, max-age=60"),
        Row(
            id: "CDN private", section: "9213 2.2", kinds: [.shared], headers: "\(fresh)\nCDN-Cache-Control: private",
            reason: .isPrivate),
        Row(
            id: "CDN over no-store", section: "9213 2.2", kinds: [.shared],
            headers: "Cache-Control: no-store\nCDN-Cache-Control: max-age=60"),
        Row(
            id: "CDN unreadable", section: "9213 2.1", kinds: [.shared],
            headers: "Cache-Control: no-store\nCDN-Cache-Control: max-age=60, &&", reason: .noStore),
        Row(id: "HEAD", section: "9111 3", headers: fresh, method: "HEAD", reason: .method),
        Row(id: "PUT", section: "9111 3", headers: "\(fresh)\nContent-Location: /r", method: "PUT", reason: .method),
        Row(id: "get", section: "9110 9.1", headers: fresh, method: "get", reason: .method),
        Row(id: "POST", section: "9110 9.3.3", headers: fresh, method: "POST", reason: .method),
        Row(
            id: "POST of what GET gets", section: "9110 9.3.3", headers: "\(fresh)\nContent-Location: /r",
            method: "POST"),
        Row(
            id: "POST of something else", section: "9110 9.3.3", headers: "\(fresh)\nContent-Location: /s",
            method: "POST", reason: .method),
        Row(
            id: "POST, guessed", section: "9110 9.3.3", headers: "Last-Modified: {-1000}\nContent-Location: /r",
            method: "POST", reason: .method),
        Row(
            id: "POST that failed", section: "9110 9.3.3", status: 500, headers: "\(fresh)\nContent-Location: /r",
            method: "POST", reason: .method),
        Row(id: "a part", section: "9111 3.3", status: 206, headers: "\(fresh)\nContent-Range: bytes 0-4/10"),
        Row(id: "a part without a place", section: "9111 3.3", status: 206, headers: fresh, reason: .malformedRange),
        Row(
            id: "several parts", section: "9110 15.3.7.2", status: 206,
            headers: "\(fresh)\nContent-Type: multipart/byteranges", reason: .malformedRange),
        Row(
            id: "a part past the end", section: "9110 14.4", status: 206,
            headers: "\(fresh)\nContent-Range: bytes 0-10/10", reason: .malformedRange),
        Row(
            id: "a part backwards", section: "9110 14.4", status: 206, headers: "\(fresh)\nContent-Range: bytes 4-0/10",
            reason: .malformedRange),
        Row(
            id: "a part of pages", section: "9110 14.4", status: 206, headers: "\(fresh)\nContent-Range: pages 0-4/10",
            reason: .malformedRange),
        Row(
            id: "a part twice", section: "9110 14.4", status: 206,
            headers: "\(fresh)\nContent-Range: bytes 0-4/10\nContent-Range: bytes 0-4/10", reason: .malformedRange),
        Row(
            id: "a part of unknown length", section: "9110 14.4", status: 206,
            headers: "\(fresh)\nContent-Range: bytes 0-4/*"),
    ]

    @Test(arguments: rows) func whatIsStoredAndWhatIsNot(row: Row) {
        for kind in row.kinds {
            let request = HTTPRequestHead(
                method: row.method, url: "http://h.test/r", headers: HeaderFields(lines: row.request))
            let plan = HTTPRules.store(row.status, row.headers, to: request, .at(0, kind))
            #expect(plan.reason == row.reason, "\(kind)")
        }
    }

    @Test func cookiesStayWithWhoGotThem() {
        let lines = "Cache-Control: max-age=60\nSet-Cookie: a=1\nSet-Cookie: b=2"
        let own = HTTPRules.store(200, lines, .at(0)).stored
        #expect(own?.headers.values(of: "Set-Cookie") == [])
        #expect(own?.client == nil)

        var context = ReuseContext.at(0, .shared)
        #expect(HTTPRules.store(200, lines, context).reason == .cookie)
        let open = HTTPRules.store(200, lines + "\nCache-Control: public", context).stored
        #expect(open?.headers.values(of: "Set-Cookie") == [])
        #expect(open?.client == nil)

        context.client = "a"
        let bound = HTTPRules.store(200, lines, context).stored
        #expect(bound?.headers.values(of: "Set-Cookie") == ["a=1", "b=2"])
        #expect(bound?.client == "a")
        guard let bound else { return }
        for other in [nil, "b"] {
            context.client = other
            #expect(HTTPRules.plan(.get(), [bound], context).asked?.reason == .miss)
            context.isOffline = true
            #expect(HTTPRules.plan(.get(), [bound], context) == .refuse)
            context.isOffline = false
        }
        context.client = "a"
        #expect(HTTPRules.plan(.get(), [bound], context).served?.index == 0)
    }

    @Test func hopByHopFieldsAreNeitherStoredNorPassedOn() {
        let lines = """
            connection: Close, X-Hop,,  x-other
            Connection: cache-control, ETag, Set-Cookie
            Keep-Alive: 5
            Proxy-Authenticate: Basic
            Proxy-Authentication-Info: x
            Proxy-Authorization: x
            Proxy-Connection: keep-alive, X-Proxy-Hop
            TE: trailers
            Trailer: X
            Transfer-Encoding: gzip
            Upgrade: h2c
            X-Hop: 1
            X-OTHER: 1
            X-Proxy-Hop: 1
            Cache-Control: max-age=60
            ETag: "a"
            X-Kept: 1
            x-kept: 2
            Date: {+0}
            """
        let kept = ["Cache-Control", "ETag", "X-Kept", "x-kept", "Date"]
        #expect(HTTPRules.endToEnd(HeaderFields(lines: lines)).fields.map(\.name) == kept)
        #expect(HTTPRules.store(200, lines, .at(0)).stored?.headers.fields.map(\.name) == kept)
        let asked = HTTPRules.plan(.get("http://h.test/r", lines), [], .at(0)).asked
        #expect(asked?.headers.fields.map(\.name) == kept)
    }

    @Test func anAnswerWithoutDateGetsTheTimeItCame() {
        #expect(HTTPRules.store(200, "", .at(0)).stored?.headers["Date"] == Noon.text)
        #expect(HTTPRules.store(200, "Date: 0", .at(0)).stored?.headers["Date"] == "0")
    }
}

import LarderServer
import Testing

@testable import struct LarderServer.TimelineQuery

@Suite struct TimelineQueryTests {
    /// Ids 1 to 10, in steps of ten, so that bounds may fall between them.
    static let ids: [UInt64] = (1...10).map { $0 * 10 }

    struct Row: Sendable, CustomTestStringConvertible {
        let query: String
        let page: [UInt64]
        let link: String
        var testDescription: String { query }

        init(_ query: String, _ page: [UInt64], _ link: String) {
            (self.query, self.page, self.link) = (query, page, link)
        }
    }

    @Test(arguments: [
        Row("limit=3", [100, 90, 80], "next max_id=80&limit=3, prev min_id=100&limit=3"),
        Row("limit=10", [100, 90, 80, 70, 60, 50, 40, 30, 20, 10], "prev min_id=100&limit=10"),
        // since: the newest above it.
        Row("since_id=70&limit=2", [100, 90], "next since_id=70&max_id=90&limit=2, prev min_id=100&limit=2"),
        Row("since_id=70&limit=3", [100, 90, 80], "prev min_id=100&limit=3"),
        Row("since_id=95&limit=3", [100], "prev min_id=100&limit=3"),
        Row("since_id=100&limit=3", [], ""),
        // min: the next above it.
        Row("min_id=20&limit=2", [40, 30], "prev min_id=40&limit=2"),
        Row("min_id=80&limit=5", [100, 90], "prev min_id=100&limit=5"),
        Row("min_id=0&limit=1", [10], "prev min_id=10&limit=1"),
        // max: strictly below it.
        Row("max_id=40&limit=2", [30, 20], "next max_id=20&limit=2, prev min_id=30&max_id=40&limit=2"),
        Row("max_id=41&limit=1", [40], "next max_id=40&limit=1, prev min_id=40&max_id=41&limit=1"),
        Row("max_id=10&limit=2", [], ""),
        // Together.
        Row(
            "since_id=20&max_id=60&limit=2", [50, 40],
            "next since_id=20&max_id=40&limit=2, prev min_id=50&max_id=60&limit=2"),
        Row("min_id=20&max_id=60&limit=2", [40, 30], "prev min_id=40&max_id=60&limit=2"),
        Row("since_id=20&min_id=50&limit=2", [70, 60], "prev min_id=70&limit=2"),
        Row("since_id=60&max_id=20&limit=2", [], ""),
        // An id larger than any number the server has.
        Row(
            "max_id=99999999999999999999999&limit=1", [100],
            "next max_id=100&limit=1, prev min_id=100&max_id=18446744073709551615&limit=1"),
        Row("since_id=99999999999999999999999", [], ""),
    ])
    func aPageIsCutFromTheTimeline(_ row: Row) throws {
        let page = try TimelineQuery(ServerRequest(target: "/timeline?" + row.query)).page(of: Self.ids)
        #expect(page.ids == row.page)
        let links = [("next", page.next), ("prev", page.previous)].compactMap { name, query in
            query.map { "\(name) \($0.target.dropFirst("/timeline?".count))" }
        }
        #expect(links.joined(separator: ", ") == row.link)
    }

    @Test func theLimitIsTwentyUnlessGivenAndFortyAtMost() throws {
        #expect(try TimelineQuery(ServerRequest(target: "/timeline")).limit == 20)
        #expect(try TimelineQuery(ServerRequest(target: "/timeline?limit=40")).limit == 40)
        #expect(try TimelineQuery(ServerRequest(target: "/timeline?limit=41")).limit == 40)
    }

    @Test(arguments: [
        "limit=0", "limit=-1", "limit=many", "limit=", "limit=1.5", "since_id=abc", "max_id=", "min_id=-3",
        "max_id=0x10", "max_id=1&max_id=2", "limit=2&limit=2", "since_id=%D9%A1",
    ])
    func aBadParameterIsNamed(query: String) throws {
        let mistake = #expect(throws: TimelineQuery.Mistake.self) {
            try TimelineQuery(ServerRequest(target: "/timeline?" + query))
        }
        #expect(try #require(mistake).explanation.hasPrefix(String(query.prefix { $0 != "=" })))
    }

    @Test func followingNextReadsTheWholeTimelineOnce() {
        for limit in 1...11 {
            var query: TimelineQuery? = TimelineQuery()
            query?.limit = limit
            var seen: [UInt64] = []
            while let page = query?.page(of: Self.ids) {
                seen += page.ids
                query = page.next
            }
            #expect(seen == Self.ids.reversed(), "limit \(limit)")
        }
    }
}

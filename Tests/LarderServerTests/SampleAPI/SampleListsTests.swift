import Foundation
import LarderKit
import LarderServer
import Testing

/// The sample lists by cursor, by link, and by page number or offset.
@Suite struct SampleListsTests {
    private let api = SampleAPI(.init(posts: 50), start: SampleAPITests.start)

    private func get(_ target: String) -> ServerResponse {
        api.answer(ServerRequest(target: target), now: SampleAPITests.start)
    }

    private func object(_ response: ServerResponse) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: response.body) as? [String: Any])
    }

    private func ids(_ items: Any?) throws -> [String] {
        try #require(items as? [[String: Any]]).compactMap { $0["id"] as? String }
    }

    private func ids(_ response: ServerResponse) throws -> [String] {
        try ids(JSONSerialization.jsonObject(with: response.body))
    }

    private var timeline: [String] {
        get throws {
            let first = try ids(get("/timeline?limit=40"))
            return first + (try ids(get("/timeline?limit=40&max_id=\(first[39])")))
        }
    }

    @Test func aCursorLeadsThroughAllNotes() throws {
        var seen: [String] = []
        var target: String? = "/notes?limit=20"
        var pages = 0
        while let page = target {
            let object = try object(get(page))
            seen += try ids(object["notes"])
            let cursor = object["next_cursor"] as? String
            #expect(object["has_more"] as? Bool == (cursor != nil))
            target = cursor.map { "/notes?limit=20&cursor=\($0)" }
            pages += 1
        }
        #expect(pages == 3)
        #expect(seen == (try timeline))
    }

    @Test func aLinkLeadsThroughAllIssues() throws {
        var seen: [String] = []
        var target: String? = "/issues"
        while let page = target {
            let response = get(page)
            seen += try ids(response)
            target = response.headers["Link"].flatMap { link in
                link.hasSuffix(">; rel=\"next\"") ? String(link.dropFirst().prefix { $0 != ">" }) : nil
            }
        }
        #expect(seen == (try timeline))
    }

    @Test func aCursorStaysTrueWhenItsPostIsDeleted() throws {
        let first = try object(get("/notes?limit=3"))
        let shown = try ids(first["notes"])
        api.delete(shown[2])
        let cursor = try #require(first["next_cursor"] as? String)
        #expect(try ids(object(get("/notes?limit=3&cursor=\(cursor)"))["notes"]) == Array(try timeline[2..<5]))
    }

    @Test func productsHavePagesAndOffsets() throws {
        let all = try ids(get("/products?limit=40")) + ids(get("/products?limit=40&page=2"))
        #expect(all.count == 57)
        #expect(Set(all).count == 57)
        #expect(try ids(get("/products?page=3&limit=10")) == Array(all[20..<30]))
        #expect(try ids(get("/products?offset=55")) == Array(all[55...]))
        #expect(try ids(get("/products?page=4")).isEmpty)
        #expect(try ids(get("/products?page=\(Int.max)")).isEmpty)
        #expect(get("/products").headers["ETag"] != nil)
    }

    @Test(
        arguments: [
            "/notes?cursor=", "/notes?cursor=17", "/issues?after=p!", "/products?page=0", "/products?offset=-1",
            "/products?page=x", "/products?page=1&offset=2", "/notes?limit=0", "/issues?after=p1&after=p2",
        ])
    func whatMakesNoSenseIsRefused(target: String) {
        #expect(get(target).status == 400)
    }
}

import LarderKit
import Testing

@testable import LarderCLI

@Suite struct FeedSourceTests {
    private func url(_ list: String, _ continuation: Continuation?, below: ItemID? = nil) throws -> String {
        let origin = Origin(endpoint: try Endpoint(list), headers: try RequestHeaders([]), timeout: .seconds(1))
        return try FeedSource(origin: origin).url(for: PageRequest(below: below, limit: 5, continuation: continuation))
    }

    @Test func eachKindAsksInItsOwnWords() throws {
        let list = "http://a.example/list?q=1"
        #expect(try url(list, nil) == list + "&limit=5")
        #expect(try url(list, nil, below: "7") == list + "&max_id=7&limit=5")
        #expect(try url(list, .cursor("a b/ä"), below: "7") == list + "&cursor=a%20b%2F%C3%A4&limit=5")
        #expect(try url(list, .page(3), below: "7") == list + "&page=3&limit=5")
        #expect(try url(list, .offset(0)) == list + "&limit=5")
        #expect(try url(list, .offset(19), below: "7") == list + "&offset=19&limit=5")
    }

    @Test func aLinkIsFollowedAsItIsWithinTheOrigin() throws {
        let list = "http://a.example:80/list?q=1"
        #expect(
            try url(list, .link("http://a.example/list?after=x%2Fy"), below: "7") == "http://a.example/list?after=x%2Fy"
        )
        #expect(try url(list, .link("/next")) == "http://a.example:80/next")
    }

    @Test(
        arguments: [
            "http://b.example/list", "https://a.example/list", "http://a.example:81/list", "//b.example/",
            "http://anna@a.example/list",
        ])
    func aLinkToAnotherOriginIsNotFollowed(target: String) {
        let failure = #expect(throws: FetchFailure.self) { try url("http://a.example/list", .link(target)) }
        #expect(failure?.kind == .wrongAnswer)
    }
}

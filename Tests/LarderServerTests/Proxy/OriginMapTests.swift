import Testing

@testable import LarderServer

@Suite struct OriginMapTests {
    @Test func aRouteWithAPathStandsForWhatIsBelowIt() throws {
        let map = try OriginMap(["/api=https://h.test/v2", "https://other.test"])
        #expect(map.url(authority: "a", path: "/api/x?y=/../z") == "https://h.test/v2/x?y=/../z")
        #expect(map.url(authority: "a", path: "/api") == "https://h.test/v2")
        #expect(map.url(authority: "a", path: "/api?x") == "https://h.test/v2?x")
        #expect(map.url(authority: "a", path: "/api/v1.0/..x/...") == "https://h.test/v2/v1.0/..x/...")
        #expect(map.url(authority: "a", path: "/apis") == "https://other.test/apis")
        // There is nothing around it that could be reached.
        #expect(map.url(authority: "a", path: "/x/../y") == "https://other.test/x/../y")
    }

    @Test(arguments: [
        "/../admin", "/..", "/%2e%2e/admin", "/.%2E/admin", "/x/%2E./../admin", "/x%2f..%2fadmin", "/..%2Fadmin",
        "/./x", "/x\\..\\admin", "/x%5C..%5cadmin", "/..;a=b/admin", "/..%3B/admin", "/..?x",
    ])
    func aRouteIsNotLeft(rest: String) throws {
        let map = try OriginMap(["/api=https://h.test/v2", "https://other.test"])
        #expect(map.url(authority: "a", path: "/api" + rest) == nil)
        #expect(try OriginMap(["https://h.test/v2"]).url(authority: "a", path: rest) == nil)
        #expect(try OriginMap(["/api=https://h.test"]).url(authority: "a", path: "/api" + rest) == nil)
        let forward = try OriginMap(["https://h.test/v2"])
        #expect(forward.url(absolute: "h.test", isSecure: true, path: "/v2" + rest) == nil)
    }

    @Test func aWholeURLIsOfAnOriginToTheEndOfASegment() throws {
        let map = try OriginMap(["https://h.test/v2/", "/all=http://all.test"])
        #expect(map.url(absolute: "h.test", isSecure: true, path: "/v2/x") == "https://h.test/v2/x")
        #expect(map.url(absolute: "h.test:443", isSecure: true, path: "/v2?x") == "https://h.test:443/v2?x")
        #expect(map.url(absolute: "h.test", isSecure: true, path: "/v2evil") == nil)
        #expect(map.url(absolute: "h.test", isSecure: false, path: "/v2/x") == nil)
        #expect(map.url(absolute: "all.test", isSecure: false, path: "/a/../b") == "http://all.test/a/../b")
    }

    @Test(arguments: ["a.test:80", "[::1]:80", "::1"])
    func aHostIsGivenWithoutAPort(host: String) {
        #expect(throws: OriginMapError.self) { () throws in try OriginMap(["\(host)=http://b.test"]) }
    }

    @Test func aHostStandsForItsOrigin() throws {
        let map = try OriginMap(["A.test=http://b.test", "[::1]=http://c.test:1/x"])
        #expect(map.url(authority: "a.TEST:8080", path: "/") == "http://b.test/")
        #expect(map.url(authority: "[::1]:8080", path: "/") == "http://c.test:1/x/")
        #expect(map.hosts == ["a.test", "b.test", "[::1]", "c.test"])
    }
}

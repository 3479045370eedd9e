import Foundation
import LarderKit
import Testing

@testable import LarderHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct SessionFieldsTests {
    private func configuration() throws -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-App": "7", "Authorization": "Bearer a"]
        let cookie = HTTPCookie(properties: [
            .name: "sid", .value: "1", .domain: "api.example.test", .path: "/", .originURL: "https://api.example.test",
        ])
        configuration.httpCookieStorage?.setCookie(try #require(cookie))
        return configuration
    }

    @Test func theCacheSeesWhatTheSessionAdds() throws {
        let fields = SessionFields(try configuration())
        var request = HTTPRequestHead(url: "https://api.example.test/t", headers: ["x-app": "own"])
        fields.add(to: &request, isFirst: true, handlesCookies: true)
        #expect(request.headers["X-App"] == "own")
        #expect(request.headers["Authorization"] == "Bearer a")
        #expect(request.headers["Cookie"] == "sid=1")
        #expect(request.headers["Accept-Language"] != nil)
    }

    @Test func whereARedirectLeadsGetsItsOwnCookiesAndNoMore() throws {
        let fields = SessionFields(try configuration())
        var request = HTTPRequestHead(url: "https://other.example.test/t")
        fields.add(to: &request, isFirst: false, handlesCookies: true)
        #expect(request.headers.fields.isEmpty)
    }

    @Test func aRequestMayWantNoCookies() throws {
        var request = HTTPRequestHead(url: "https://api.example.test/t")
        SessionFields(try configuration()).add(to: &request, isFirst: true, handlesCookies: false)
        #expect(request.headers["Cookie"] == nil)
    }
}

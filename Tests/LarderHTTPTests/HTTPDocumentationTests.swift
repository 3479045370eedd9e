import Foundation
import LarderHTTP
import LarderKit
import LarderServer
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The snippets of the documentation, compiled and run as they stand there.
@Suite(.timeLimit(.minutes(5))) struct HTTPDocumentationTests {
    struct Profile: Codable, Sendable, Equatable {
        var name: String
    }

    struct Issue: Codable, Sendable {
        var id: Int
    }

    let me = Larder.inMemory().partition("account-4711")
    let server: Loopback

    init() throws {
        server = try Loopback { request in
            switch request.path {
            case "/me": .json(headers: ["Cache-Control": "no-store"], Data(#"{"name":"Ada"}"#.utf8))
            case "/issues": .json(Data(#"[{"id":2},{"id":1}]"#.utf8))
            default: ServerResponse(headers: ["Cache-Control": "max-age=60"], body: Data("tea".utf8))
            }
        }
    }

    @Test func underASession() async throws {
        let url = server.url("/t")
        let session = URLSession(configuration: .default.cached(in: me))
        let (data, response) = try await session.data(from: url)
        if let status = (response as? HTTPURLResponse)?.cacheStatus {
            #expect(!status.isHit && !status.isStale)
        } else {
            Testing.Issue.record("no Cache-Status")
        }
        #expect(data == Data("tea".utf8))
    }

    @Test func asAClient() async throws {
        let url = server.url("/t")
        let client = CachingClient(me)
        let (data, response) = try await client.data(from: url)
        let kept = try await client.data(for: URLRequest(url: url), policy: .networkFirst(patience: .seconds(2)))
        #expect(data == kept.0 && response.cacheStatus != nil)
    }

    @Test func serversThatForbidEverything() async throws {
        let (profileURL, issuesURL, token) = (server.url("/me"), server.url("/issues"), "a")
        let profile = me.resource(url: profileURL, as: Profile.self) { ["Authorization": "Bearer \(token)"] }
        let issues = me.feed(url: issuesURL, of: Issue.self) { ["Authorization": "Bearer \(token)"] }
        #expect(try await profile.read().value.name == "Ada")
        #expect(try profile.peek() != nil)
        #expect(try await issues.refresh().inserted.count == 2)

        let rule = OfflineRule(
            host: "api.example.com", path: "/v1/", keepsNoStore: true, servesUnvalidated: true, limit: .seconds(86_400))
        let careful = CachingClient(me, options: .init(rules: [rule]))
        #expect(careful.cache.options.rules == [rule])
    }
}

import Foundation
import LarderHTTP
import LarderKit
import LarderServer
import LarderTestKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct PartitionURLTests {
    struct Profile: Codable, Sendable, Equatable {
        var name: String
    }

    struct Issue: Codable, Sendable, Equatable {
        var id: Int
    }

    let larder = Larder.inMemory()

    @Test func aResourceIsKeptThoughItsServerForbidsIt() async throws {
        let server = try Loopback { request in
            request.headers["If-None-Match"] == "\"1\""
                ? ServerResponse(status: 304, headers: ["ETag": "\"1\"", "Cache-Control": "no-store"])
                : .json(headers: ["ETag": "\"1\"", "Cache-Control": "no-store"], Data(#"{"name":"Ada"}"#.utf8))
        }
        let profile = larder.common.resource(url: server.url("/me"), as: Profile.self) { ["Authorization": "Bearer a"] }
        // Whatever the machine has to do besides, the server is waited for.
        let first = try await profile.read(.networkOnly)
        let second = try await profile.read(.networkOnly)
        server.stop()
        let third = try await profile.read()
        #expect(first.source == .network && second.source == .revalidated && third.source == .cache)
        #expect(third.value == Profile(name: "Ada") && third.failure?.kind == .offline)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer a", "Bearer a"])
    }

    @Test func itsKeyIsTheURLOrWhatIsGiven() async throws {
        let server = try Loopback { _ in .json(Data(#"{"name":"Ada"}"#.utf8)) }
        let url = server.url("/me?token=x")
        _ = try await larder.common.bytes(url: url, expecting: .json).read()
        _ = try await larder.common.bytes(url: url, key: "me").read()
        for key in [url.absoluteString, "me"] {
            let stored = larder.common.bytes(key) { _ in throw FetchFailure(.other, "not to be asked") }
            #expect(try stored.peek() != nil)
        }
    }

    @Test func aFeedFollowsLinks() async throws {
        let server = try Loopback { request in
            let page = request.queryValues("page").first.flatMap { Int($0) } ?? 1
            let items = ((page - 1) * 3 + 1...page * 3).map { #"{"id":\#(100 - $0)}"# }.joined(separator: ",")
            let link: HeaderFields = page < 3 ? ["Link": "</issues?state=open&page=\(page + 1)>; rel=\"next\""] : [:]
            return .json(headers: link, Data("[\(items)]".utf8))
        }
        let issues = larder.common.feed(
            url: server.url("/issues?state=open"), of: Issue.self,
            query: { [URLQueryItem(name: "per_page", value: "\($0.limit)")] })
        _ = try await issues.refresh(limit: 3)
        var isAtEnd = false
        while !isAtEnd { isAtEnd = try await issues.loadOlder(limit: 3).isAtEnd }
        #expect(try issues.timeline()?.value.count == 9)
        #expect(
            server.requests.map(\.target) == [
                "/issues?state=open&per_page=3", "/issues?state=open&page=2", "/issues?state=open&page=3",
            ])
    }

    @Test func secretsAreNotTakenToAnotherOrigin() async throws {
        let other = try Loopback { _ in .json(Data("{}".utf8)) }
        let target = other.url("/x").absoluteString
        let server = try Loopback { _ in ServerResponse(status: 302, headers: ["Location": target]) }
        let value = larder.common.bytes(url: server.url("/t")) { ["Authorization": "Bearer a", "X-Plain": "b"] }
        _ = try? await value.read()
        let arrived = try #require(other.requests.first)
        #expect(arrived.headers["Authorization"] == nil && arrived.headers["X-Plain"] == "b")
        #expect(server.requests.first?.headers["Authorization"] == "Bearer a")
    }
}

import Foundation
import LarderKit
import LarderServer
import Testing

@Suite struct SampleAPITests {
    static let start = Date(timeIntervalSince1970: 1_750_000_000)

    private func get(
        _ api: SampleAPI, _ target: String, headers: HeaderFields = [:], method: String = "GET", after: TimeInterval = 0
    ) -> ServerResponse {
        api.answer(
            ServerRequest(method: method, target: target, headers: headers), now: Self.start.addingTimeInterval(after))
    }

    private func posts(_ response: ServerResponse) throws -> [Post] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode([Post].self, from: response.body)
    }

    private struct Post: Decodable, Equatable {
        let id: String
        let createdAt: String
        let text: String
    }

    @Test func theIndexNamesEveryEndpoint() throws {
        let response = get(SampleAPI(start: Self.start), "/")
        #expect(response.status == 200)
        let text = String(decoding: response.body, as: UTF8.self)
        for word in [
            "/shops", "/shops/{id}", "/timeline", "/posts/{id}", "/notes", "/issues", "/products", "since_id", "min_id",
            "max_id", "limit",
        ] {
            #expect(text.contains("\"\(word)\""), "\(word)")
        }
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: response.body) }
    }

    @Test func theTimelineIsNewestFirstWithIdsThatOnlyAscend() throws {
        let api = SampleAPI(.init(posts: 100), start: Self.start)
        let newest = try posts(get(api, "/timeline"))
        let ids = try newest.map { try #require(UInt64($0.id)) }
        #expect(ids.count == 20)
        #expect(ids == ids.sorted(by: >))
        // Beyond what a double holds exactly, as real ids are.
        #expect(ids.allSatisfy { $0 > 1 << 53 })
        // The first posts lie before the start.
        #expect(newest.first?.createdAt == "2025-06-15T15:03:40.000Z")
    }

    @Test func postsAreOfTheSizeOfRealOnes() throws {
        let api = SampleAPI(.init(posts: 300), start: Self.start)
        let sizes = try posts(get(api, "/timeline?limit=40")).map { get(api, "/posts/\($0.id)").body.count }
        #expect(sizes.allSatisfy { (250...1600).contains($0) })
        #expect(Set(sizes).count > 10)
    }

    @Test func theSameSeedGivesTheSameContent() {
        let bodies = [1, 1, 2].map { seed in get(SampleAPI(.init(seed: seed), start: Self.start), "/timeline").body }
        #expect(bodies[0] == bodies[1])
        #expect(bodies[0] != bodies[2])
    }

    @Test func newPostsAppearAsTimePasses() throws {
        let api = SampleAPI(.init(posts: 5, newEvery: .seconds(10)), start: Self.start)
        let counts = try [0, 9.9, 10, 35, 20, 35].map { try posts(get(api, "/timeline", after: $0)).count }
        // A clock set back takes nothing away, and brings nothing twice.
        #expect(counts == [5, 5, 6, 8, 8, 8])
    }

    @Test func aLongAbsenceBringsTheLatestOnly() throws {
        let api = SampleAPI(.init(posts: 0, newEvery: .seconds(1)), start: Self.start)
        let first = try posts(get(api, "/timeline?limit=1", after: 1_000_000))
        #expect(first.map(\.createdAt) == ["2025-06-27T04:53:20.000Z"])
        #expect(try posts(get(api, "/timeline?limit=1&since_id=\(first[0].id)", after: 1_000_000.5)).isEmpty)
    }

    @Test func publishingPutsPostsOnTop() throws {
        let api = SampleAPI(.init(posts: 5), start: Self.start)
        let before = try posts(get(api, "/timeline"))
        let published = api.publish(2, now: Self.start)
        #expect(try posts(get(api, "/timeline")).map(\.id) == published.reversed() + before.map(\.id))
    }

    @Test func aDeletedPostIsGoneEverywhere() throws {
        let api = SampleAPI(.init(posts: 5), start: Self.start)
        let ids = try posts(get(api, "/timeline")).map(\.id)
        #expect(get(api, "/posts/\(ids[2])").status == 200)
        #expect(api.delete(ids[2]))
        #expect(!api.delete(ids[2]))
        #expect(!api.delete("no id"))
        #expect(get(api, "/posts/\(ids[2])").status == 404)
        #expect(try posts(get(api, "/timeline")).map(\.id) == ids.filter { $0 != ids[2] })
    }

    @Test(arguments: [("/shops", false), ("/shops/1", false), ("/timeline", true), ("/", false)])
    func anUnchangedAnswerIsA304(target: String, isWeak: Bool) throws {
        let api = SampleAPI(start: Self.start)
        let full = get(api, target)
        let tag = try #require(full.headers["ETag"])
        #expect(tag.hasPrefix("W/") == isWeak)
        for condition in [tag, "\"x\", \(tag)", "*", "W/" + tag.trimmingPrefix("W/")] {
            let response = get(api, target, headers: ["If-None-Match": condition])
            #expect(response.status == 304, "\(condition)")
            #expect(response.headers["ETag"] == tag)
            #expect(response.headers["Cache-Control"] == full.headers["Cache-Control"])
        }
        #expect(get(api, target, headers: ["If-None-Match": "\"x\""]).status == 200)
    }

    @Test func aChangedAnswerHasAnotherTag() {
        let api = SampleAPI(start: Self.start)
        let (shops, timeline) = (get(api, "/shops"), get(api, "/timeline"))
        api.reviseShops()
        api.publish(1, now: Self.start)
        #expect(get(api, "/shops").headers["ETag"] != shops.headers["ETag"])
        #expect(get(api, "/timeline").headers["ETag"] != timeline.headers["ETag"])
    }

    @Test func theShopsAreOneDocumentFreshForAMinute() throws {
        let api = SampleAPI(start: Self.start)
        let response = get(api, "/shops")
        #expect(response.headers["Cache-Control"] == "max-age=60")
        struct Shop: Decodable, Equatable {
            let id: String
            let name: String
        }
        let shops = try JSONDecoder().decode([Shop].self, from: response.body)
        #expect(shops.count > 5)
        #expect(try JSONDecoder().decode(Shop.self, from: get(api, "/shops/2").body) == shops[1])
    }

    @Test(arguments: [
        ("GET", "/nothing", 404), ("GET", "/shops/999", 404), ("GET", "/posts/x", 404), ("GET", "/timeline/1", 404),
        ("GET", "/timeline?limit=x", 400), ("POST", "/timeline", 405),
    ])
    func aMistakeIsAnsweredInJSON(method: String, target: String, status: Int) throws {
        let response = get(SampleAPI(start: Self.start), target, method: method)
        #expect(response.status == status)
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(try JSONDecoder().decode([String: String].self, from: response.body)["error"]?.isEmpty == false)
    }

    @Test func everyNthRequestFailsWhenAsked() {
        let api = SampleAPI(.init(failEvery: 3), start: Self.start)
        let responses = (1...7).map { _ in get(api, "/shops") }
        #expect(responses.map(\.status) == [200, 200, 503, 200, 200, 503, 200])
        #expect(responses[2].headers["Retry-After"] == "1")
    }

    @Test func whatWasAskedIsRecorded() {
        let api = SampleAPI(start: Self.start)
        let full = get(api, "/shops?a=1")
        _ = get(api, "/shops", headers: ["If-None-Match": "*"])
        _ = get(api, "/shops", method: "HEAD")
        _ = get(api, "/x")
        #expect(
            api.log.map { "\($0.number) \($0.method) \($0.target) \($0.status)" } == [
                "1 GET /shops?a=1 200", "2 GET /shops 304", "3 HEAD /shops 200", "4 GET /x 404",
            ])
        #expect(api.log.map(\.bytes).prefix(3) == [full.body.count, 0, 0])
        #expect(api.totals["/shops"] == RequestTotal(requests: 3, bytes: full.body.count))
    }
}

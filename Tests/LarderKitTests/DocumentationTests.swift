import Foundation
import LarderKit
import LarderSQLite
import LarderTestKit
import Testing

/// The snippets of the README and of the documentation, compiled and run as they stand there.
@Suite struct DocumentationTests {
    struct Profile: Codable, Sendable, Equatable {
        var name: String
    }

    struct Post: Codable, Sendable, Identifiable, Equatable {
        var id: String
        var text: String
    }

    struct API: Sendable {
        let server: SimulatedFeedServer

        struct Found: Codable, Sendable {
            var sku: String
        }

        func search(cursor: String?, limit: Int) async throws -> (results: [Found], nextCursor: String?) {
            let first = Int(cursor ?? "") ?? 1
            let last = min(first + limit - 1, 30)
            return ((first...last).map { Found(sku: "tea-\($0)") }, last < 30 ? String(last + 1) : nil)
        }

        func products(page: Int, size: Int) async throws -> [Found] {
            (1...30).dropFirst((page - 1) * size).prefix(size).map { Found(sku: "tea-\($0)") }
        }

        func profile() async throws -> Profile { Profile(name: "Ada") }

        func prices() async throws -> [String: Int] { ["tea": 3] }

        func home(since: String?, max: String?, limit: Int) async throws -> [Post] {
            let request = PageRequest(
                above: since.map { ItemID($0) }, below: max.map { ItemID($0) }, countedFrom: .newest, limit: limit)
            return server.answer(request).items.map { Post(id: $0.id, text: $0.text) }
        }
    }

    let api: API
    let larder: Larder

    init() throws {
        api = API(server: try SimulatedFeedServer(.decimal, holding: 1...100))
        larder = try Larder(.temporary, environment: TestWorld().environment)
    }

    @Test func whyAValueIsShown() async throws {
        let api = api
        let prices = larder.common.resource("prices") { try await api.prices() }
        let explanation = try prices.explain()
        #expect("\(explanation)".contains("asks, and waits for the answer"))
        switch explanation.decision {
        case .show, .showInstead, .showAndAsk: Issue.record("nothing is stored")
        case .ask, .wait, .refuse, .fail: #expect(explanation.sentence.hasSuffix("nothing is stored"))
        }
        _ = try await prices.read()
        #expect(try await larder.totals().fetched == 1)
    }

    @Test func aRankedListByCursorToItsEnd() async throws {
        let api = api
        let me = larder.common
        let search = me.feed("search/tea", id: \.sku, paging: .cursor(order: .ranked)) { page in
            let answer = try await api.search(cursor: page.cursor, limit: page.limit)
            return Page(answer.results, next: answer.nextCursor.map { .cursor($0) })
        }
        let first = try await search.page()
        #expect(first.value.ids.first == "tea-1")
        let change = try await search.loadOlder()
        #expect(change.isAtEnd)
        #expect(try search.timeline()?.value.count == 30)
    }

    @Test func aListByPageNumber() async throws {
        let api = api
        let me = larder.common
        let shop = me.feed("products", id: \.sku, paging: .pageNumber()) { page in
            try await Page(api.products(page: page.pageNumber, size: page.limit))
        }
        _ = try await shop.refresh()
        let change = try await shop.loadOlder()
        #expect(change.inserted.count == 10)
        #expect(try shop.timeline()?.value.count == 30)
    }

    @Test func theElementsOfUpdatesOneByOne() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...50)
        let home = larder.common.feed("home", paging: .byID, fetch: server.fetchPage)
        _ = try await home.refresh()

        let updates = home.updates(refresh: .never)
        var iterator = updates.makeAsyncIterator()
        _ = await iterator.next(isolation: nil)
        _ = try server.insert(51...52)
        _ = try await home.refresh()
        let second = await iterator.next(isolation: nil)
        #expect(second?.changes.insertions == RangeSet(0..<2))
    }

    @Test func aDocumentAndAListInAFewLines() async throws {
        let api = api
        let me = larder.partition("account-4711")

        let profile = me.resource("profile", maxAge: .seconds(300)) { try await api.profile() }
        let reading = try await profile.read()
        #expect(reading.value.name == "Ada")
        #expect(reading.source == .network)

        let home = me.feed("home", paging: .byID) { page in
            try await Page(api.home(since: page.since, max: page.max, limit: page.limit))
        }
        let newest = try await home.page()
        #expect(newest.value.items.first?.id == "100")

        let post = try #require(newest.value.items.last)
        let next = try await home.page(.older(than: post.id))
        #expect(next.value.isComplete)
        #expect(next.value.ids.first == "80")
        #expect(try profile.peek()?.value.name == "Ada")
    }

    @Test func aDocumentInAFileNetworkFirst() async throws {
        let api = api
        let prices = larder.common.resource("prices", policy: .networkFirst, options: .init(storage: .files)) {
            try await api.prices()
        }
        let reading = try await prices.read()
        #expect(reading.value == ["tea": 3])
    }

    @Test func rawAnswersAndValidators() async throws {
        let api = api
        let profile: Resource<Profile> = larder.common.resource("profile", policy: .networkFirst) { request in
            guard request.validators?.etag != "\"1\"" else { return .notModified }
            return .value(try await api.profile(), validators: .init(etag: "\"1\""))
        }
        _ = try await profile.read()
        #expect(try await profile.read().source == .revalidated)

        let server = api.server
        let home: Feed<Post> = larder.common.feed(
            "home", json: JSONItems(), paging: .byID(parameters: [.since, .min, .max])
        ) { page in
            server.rawAnswer(for: page)
        }
        #expect(try await home.page().value.items.count == 20)
    }

    @Test func theTimelineWithItsGaps() async throws {
        let api = api
        let home = larder.common.feed("home", paging: .byID) { page in
            try await Page(api.home(since: page.since, max: page.max, limit: page.limit))
        }
        let change = try await home.refresh()
        #expect(change.inserted.count == 20)
        try api.server.insert(101...140)
        try await home.refresh()

        var drawn: [String] = []
        if let stored = try home.timeline() {
            for row in stored.value {
                switch row {
                case .item(_, let post): drawn.append(post.id)
                case .gap(let gap): drawn.append("\(gap.above)…\(gap.below)")
                case .undecodable(let id), .vanished(let id): drawn.append("?\(id)")
                }
            }
        }
        #expect(drawn[20] == "121…100")
        #expect(drawn.count == 41)
    }

    @Test @MainActor func watching() async throws {
        let api = api
        let profile = larder.common.resource("profile") { try await api.profile() }
        var names: [String] = []
        for await snapshot in profile.updates() {
            names.append(snapshot.value?.name ?? "nothing yet")
            if snapshot.value != nil { break }
        }
        #expect(names.first == "nothing yet" && names.last == "Ada")

        let home = larder.common.feed("home", paging: .byID) { page in
            try await Page(api.home(since: page.since, max: page.max, limit: page.limit))
        }
        let model = FeedModel(home)
        await model.refresh()
        try api.server.insert(101...140)
        await model.refresh()
        var drawn: [String] = []
        for id in model.rows.ids {
            switch model.rows[id] {
            case .item(_, let post): drawn.append(post.id)
            case .gap(let gap): drawn.append(model.isFilling(gap) ? "…" : "more")
            case .undecodable, .vanished, nil: drawn.append("")
            }
        }
        #expect(drawn.count == 41 && drawn[20] == "more")
    }

    @Test func ownSQL() async throws {
        let id = "x"
        try await larder.write { db in
            try db.execute("CREATE TABLE IF NOT EXISTS app_mark (id TEXT PRIMARY KEY, seen INTEGER)")
            try db.execute("INSERT INTO app_mark VALUES (\(id), \(1)) ON CONFLICT DO NOTHING")
        }
        let marks = try larder.read { db in
            try db.query("SELECT id FROM app_mark WHERE seen = \(1)") { try $0.text(0) }
        }
        let items = try larder.read { db in
            try db.first("SELECT count(*) FROM larder_item") { try $0.int(0) }
        }
        #expect(marks == ["x"])
        #expect(items == 0)
    }

    @Test func anAppsOwnTest() async throws {
        let world = TestWorld()
        let larder = try Larder(.temporary, environment: world.environment)
        let origin = ScriptedFetch<Void, Profile>(.answer(Profile(name: "Ada")), .fail(.http(status: 503)))
        let profile = larder.common.resource("profile", maxAge: .seconds(60)) { try await origin() }

        _ = try await profile.read()
        await world.advance(by: .seconds(61))
        let second = try await profile.read()
        #expect(second.isStale && second.failure?.kind == .server(status: 503))
    }

    @Test func aBadNetwork() async throws {
        let world = TestWorld()
        let larder = try Larder(.temporary, environment: world.environment)
        let network = SimulatedNetwork(clock: world.clock)
        let prices = larder.common.resource("prices", decoding: [String: Int].self) { request in
            try await network.answer(to: request) { RawAnswer(body: Data(#"{"tea":3}"#.utf8)) }
        }
        _ = try await prices.read()

        network.next(.captivePortal, .dnsFailure, .status(429, retryAfter: .seconds(120)))
        let kept = try await prices.read()
        #expect(kept.value == ["tea": 3] && kept.failure?.kind == .wrongAnswer)
    }

    @Test func errors() async throws {
        let profile = larder.common.resource("nothing") { () async throws -> Profile in
            throw FetchFailure.http(status: 503)
        }
        do {
            _ = try await profile.read()
            Issue.record("there was nothing to show")
        } catch {
            switch error {
            case .fetch(let failure) where failure.kind == .unauthorised: Issue.record("not 401")
            case .fetch(let failure): #expect(failure.kind == .server(status: 503))
            case .notStored, .undecodable, .storage, .signedOut, .cancelled: Issue.record("another error: \(error)")
            }
        }
    }
}

import LarderTestKit
import Testing

@testable import LarderKit

/// Whether two pages with neighbouring numbers are joined, request by request.
@Suite struct NumberedPagesTests {
    typealias Item = SimulatedFeedServer.Item
    typealias Script = ScriptedFetch<PageRequest, Page<Item>>

    private func page(_ ids: [Int], etag: String? = nil) -> Page<Item> {
        var page = Page(ids.map { Item(ItemID($0)) })
        page.validators = Validators(etag: etag)
        return page
    }

    private func feed(_ origin: Script) -> Feed<Item> {
        Larder.inMemory(environment: TestWorld().environment).common
            .feed("list", paging: .pageNumber()) { try await origin($0) }
    }

    private func shown(_ feed: Feed<Item>) throws -> [String] {
        try feed.timeline()?.value.map { row in
            switch row {
            case .item(let id, _), .undecodable(let id), .vanished(let id): id.rawValue
            case .gap: "gap"
            }
        } ?? []
    }

    @Test func `a page that repeats the last item of the one above needs no check`() async throws {
        let origin = Script(.answer(page([9, 8, 7])), .answer(page([7, 6, 5])))
        let feed = feed(origin)
        try await feed.refresh(limit: 3)
        try await feed.loadOlder(limit: 3)
        #expect(try shown(feed) == ["9", "8", "7", "6", "5"])
        #expect(origin.requests.map(\.pageNumber) == [1, 2])
    }

    @Test func `a page above that is called unchanged joins the two`() async throws {
        let origin = Script(
            .answer(page([9, 8, 7], etag: "a")), .answer(page([6, 5, 4])),
            .answer(Page<Item>.notModified))
        let feed = feed(origin)
        try await feed.refresh(limit: 3)
        try await feed.loadOlder(limit: 3)
        #expect(try shown(feed) == ["9", "8", "7", "6", "5", "4"])
        #expect(origin.requests.map(\.pageNumber) == [1, 2, 1])
        #expect(origin.requests.last?.validators?.etag == "a")
    }

    @Test func `a page above that holds the same items joins the two`() async throws {
        let origin = Script(
            .answer(page([9, 8, 7])), .answer(page([6, 5, 4])), .answer(page([9, 8, 7])))
        let feed = feed(origin)
        try await feed.refresh(limit: 3)
        try await feed.loadOlder(limit: 3)
        #expect(try shown(feed) == ["9", "8", "7", "6", "5", "4"])
    }

    @Test func `what was left out of a page far too large lies between it and the next`() async throws {
        let first = page((20...10_021).reversed())
        let origin = Script(.answer(first), .answer(page([6, 5, 4])), .answer(first))
        let feed = feed(origin)
        try await feed.refresh(limit: 3)
        try await feed.loadOlder(limit: 3)
        #expect(try shown(feed).suffix(4) == ["gap", "6", "5", "4"])
    }

    @Test func `a page above that has changed is taken in, and the lower one asked for again`() async throws {
        // 8 was deleted: 6 has moved up to the first page, and was not on the second any more.
        let origin = Script(
            .answer(page([9, 8, 7])), .answer(page([5, 4, 3])), .answer(page([9, 7, 6])), .answer(page([5, 4, 3])))
        let feed = feed(origin)
        try await feed.refresh(limit: 3)
        let change = try await feed.loadOlder(limit: 3)
        #expect(try shown(feed) == ["9", "7", "6", "5", "4", "3"])
        #expect(change.removed == ["8"])
        #expect(origin.requests.map(\.pageNumber) == [1, 2, 1, 2])
    }

    @Test func `what changes twice is not joined without proof`() async throws {
        let origin = Script(
            .answer(page([9, 8, 7])), .answer(page([5, 4, 3])), .answer(page([9, 7, 6])), .answer(page([4, 3, 2])))
        let feed = feed(origin)
        try await feed.refresh(limit: 3)
        try await feed.loadOlder(limit: 3)
        let rows = try shown(feed)
        #expect(Array(rows.prefix(3)) == ["9", "7", "6"])
        #expect(rows.count == 3 || rows[3] == "gap")
    }

    @Test func `a check that fails keeps nothing of the page`() async throws {
        let origin = Script(
            .answer(page([9, 8, 7])), .answer(page([6, 5, 4])), .fail(.http(status: 503)))
        let feed = feed(origin)
        try await feed.refresh(limit: 3)
        await #expect(throws: LarderError.self) { try await feed.loadOlder(limit: 3) }
        #expect(try shown(feed) == ["9", "8", "7"])
    }

    @Test func `a check that finds nothing removes nothing`() async throws {
        let origin = Script(.answer(page([9, 8, 7])), .answer(page([6, 5, 4])), .answer(page([])))
        let feed = feed(origin)
        try await feed.refresh(limit: 3)
        try await feed.loadOlder(limit: 3)
        #expect(try shown(feed).prefix(3) == ["9", "8", "7"])
        #expect(try !shown(feed).contains("6"))
    }

    @Test func `an empty page behind one that has not changed is the end`() async throws {
        let origin = Script(.answer(page([9, 8, 7])), .answer(page([])), .answer(page([9, 8, 7])))
        let feed = feed(origin)
        try await feed.refresh(limit: 3)
        #expect(try await feed.loadOlder(limit: 3).isAtEnd)
    }

    @Test func `a page that shares only what lies further down is checked all the same`() async throws {
        let origin = Script(
            .answer(page([6, 5, 4])), .answer(page([9, 8, 7])), .answer(page([6, 5, 4])), .answer(page([9, 8, 7])))
        let feed = feed(origin)
        try await feed.refresh(limit: 3)
        try await feed.refresh(limit: 3)
        let gap = try #require(try feed.gaps().first)
        #expect(gap == Gap(above: "7", below: "6"))
        let change = try await feed.fill(gap, limit: 3)
        #expect(change.remaining == nil)
        #expect(try feed.gaps() == [])
        #expect(origin.requests.count == 4)
    }
}

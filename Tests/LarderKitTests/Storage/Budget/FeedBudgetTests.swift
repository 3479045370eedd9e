import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// Trimming takes parts of feeds, and never leaves the look of completeness.
@Suite(.timeLimit(.minutes(5))) struct FeedBudgetTests {
    typealias Item = SimulatedFeedServer.Item

    private let world: BudgetWorld
    private let server: SimulatedFeedServer

    init() throws {
        world = try BudgetWorld(nil)
        server = try SimulatedFeedServer(.decimal, holding: 1...300)
    }

    private func feed(_ name: String, of larder: Larder? = nil) -> Feed<Item> {
        (larder ?? world.larder).common.feed(
            name, paging: .byID(parameters: [.since, .min, .max]), fetch: server.fetchPage)
    }

    private func ids(_ feed: Feed<Item>) throws -> [Int] {
        try feed.timeline()?.value.compactMap { row in
            if case .item(let id, _) = row { Int(id.rawValue) } else { nil }
        } ?? []
    }

    /// Trims as little as can be, or so much.
    private func trim(_ bytes: Int = 1) async throws -> TrimmedAmount {
        let run = TrimRun(core: world.core)
        var queue = try await run.queue()
        return try await run.step(EvictionPlan(bytes: bytes), &queue).amount
    }

    @Test func `a feed loses its oldest part first, and its newest page last`() async throws {
        let feed = feed("home")
        try await feed.refresh(limit: 40)
        while try await !feed.loadOlder(limit: 40).isAtEnd {}
        #expect(try ids(feed) == (1...300).reversed())
        var counts: [Int] = []
        while try await !trim().isEmpty {
            let left = try ids(feed)
            counts.append(left.count)
            #expect(left == Array((1...300).reversed().prefix(left.count)))
            #expect(try feed.peek(.older(than: ItemID(left.last ?? 300)))?.value.isAtEnd != true)
        }
        #expect(counts.last == 0 && counts.count > 3 && counts.contains(20))
        while try await !feed.loadOlder(limit: 40).isAtEnd {}
        #expect(try ids(feed) == (1...300).reversed())
    }

    @Test func `what was asked for longest ago goes first, and leaves a gap`() async throws {
        let feed = feed("home")
        try await feed.refresh(limit: 40)
        await world.world.advance(by: .seconds(10_000))
        while try await !feed.loadOlder(limit: 40).isAtEnd {}
        while try ids(feed).count > 280 { #expect(try await !trim().isEmpty) }
        #expect(try ids(feed) == Array((281...300).reversed()) + Array((1...260).reversed()))
        #expect(try feed.gaps() == [Gap(above: "281", below: "260")])
    }

    @Test func `the feed that nobody reads goes before the values that are used`() async throws {
        let (left, read, pinned) = (feed("left"), feed("read"), feed("pinned"))
        for feed in [left, read, pinned] { try await feed.refresh(limit: 40) }
        try await pinned.pin()
        await world.world.advance(by: .seconds(10_000))
        _ = try read.peek()
        try await world.store("value", 1000)
        try await world.core.saveMarks()
        while try !ids(left).isEmpty { #expect(try await !trim().isEmpty) }
        #expect(try ids(read).count >= 20 && ids(pinned).count == 40)
        #expect(try await world.keys() == ["value"])
        while try await !trim(1 << 20).isEmpty {}
        #expect(try ids(read).isEmpty && ids(pinned).count == 40)
        #expect(try await world.keys() == [])
        #expect(try world.larder.pins() == [Pin(.feed, name: "pinned")])
    }

    @Test func `who watches a feed is told of what is trimmed`() async throws {
        let feed = feed("home")
        try await feed.refresh(limit: 40)
        var iterator = feed.updates(refresh: .never).makeAsyncIterator()
        #expect(await iterator.next(isolation: nil)?.timeline?.value.itemCount == 40)
        #expect(try await trim().items == 20)
        let now = await iterator.next(isolation: nil)
        #expect(now?.timeline?.value.itemCount == 20)
    }

    @Test func `a feed keeps as many of its newest items as take so many bytes`() async throws {
        let feed = feed("home")
        try await feed.refresh(limit: 40)
        let size = try #require(try await world.larder.feeds().first).size
        try await feed.trim(to: .bytes(size / 2))
        let kept = try #require(try await world.larder.feeds().first)
        #expect(kept.size <= size / 2 && kept.size > size / 3)
        #expect(try ids(feed) == Array((1...300).reversed().prefix(kept.items)))
        try await feed.trim(to: .bytes(0))
        #expect(try ids(feed) == [300])
    }

    @Test func `what would go of feeds is known before`() async throws {
        let (old, new) = (feed("old"), feed("new"))
        try await old.refresh(limit: 40)
        await world.world.advance(by: .seconds(10_000))
        try await new.refresh(limit: 40)
        let all = try await world.larder.wouldRemove(trimmingTo: 0)
        #expect(all.items == 80 && all.values == 0)
        let some = try await world.larder.wouldRemove(trimmingTo: world.larder.usage().total - 100)
        #expect(some.items > 0 && some.items < 80)
        try await old.pin()
        #expect(try await world.larder.wouldRemove(trimmingTo: 0).items == 40)
    }
}

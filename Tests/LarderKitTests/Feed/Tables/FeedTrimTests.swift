import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

/// Keeping less, and finding it again.
@Suite struct FeedTrimTests {
    typealias Item = SimulatedFeedServer.Item

    private let world = TestWorld()
    private let server: SimulatedFeedServer

    init() throws {
        server = try SimulatedFeedServer(.decimal, holding: 1...60)
    }

    private func feed(_ options: FeedOptions = FeedOptions()) -> Feed<Item> {
        Larder.inMemory(environment: world.environment).common
            .feed("home", paging: .byID, options: options, fetch: server.fetchPage)
    }

    private func ids(_ feed: Feed<Item>) throws -> [ItemID] {
        try feed.timeline()?.value.compactMap { row in if case .item(let id, _) = row { id } else { nil } } ?? []
    }

    private func ids(_ range: ClosedRange<Int>) -> [ItemID] { range.reversed().map { ItemID($0) } }

    @Test func `what goes leaves a floor that is not proven`() async throws {
        let feed = feed()
        while try await !feed.loadOlder().isAtEnd {}
        #expect(try ids(feed) == ids(1...60))

        try await feed.trim(to: .newest(15))
        #expect(try ids(feed) == ids(46...60))
        #expect(try feed.gaps() == [])
        #expect(try feed.peek(.older(than: "46"))?.value.isAtEnd != true)

        while try await !feed.loadOlder().isAtEnd {}
        #expect(try ids(feed) == ids(1...60))
    }

    @Test func `what goes from between leaves a gap that fills from both sides`() async throws {
        for side in [GapSide.newer, .older] {
            let feed: Feed<Item> = Larder.inMemory(environment: world.environment).common.feed(
                "home", paging: .byID(parameters: [.since, .min, .max]), fetch: server.fetchPage)
            try await feed.refresh(limit: 40)
            try await feed.trim(between: "55", and: "25")
            #expect(try feed.gaps() == [Gap(above: "55", below: "25")])
            var gap = try feed.gaps().first
            var steps = 0
            while let open = gap, steps < 5 {
                gap = try await feed.fill(open, from: side, limit: 20).remaining
                steps += 1
            }
            #expect(try ids(feed) == ids(21...60) && feed.gaps() == [] && steps == 2)
        }
    }

    @Test func `what was seen long ago goes`() async throws {
        let feed = feed()
        try await feed.refresh()
        try await feed.loadOlder()
        await world.advance(by: .seconds(100))
        _ = try await feed.page(policy: .networkOnly)
        try await feed.trim(to: .seen(within: .seconds(50)))
        #expect(try ids(feed) == ids(41...60))
    }

    @Test func `a feed is trimmed when its head has been asked for`() async throws {
        let feed = feed(FeedOptions(keep: .newest(25)))
        try await feed.refresh()
        try await feed.loadOlder()
        #expect(try ids(feed).count == 40)
        try await feed.refresh()
        #expect(try ids(feed) == ids(36...60))
    }

    @Test func `a pinned feed keeps everything, until it is let go`() async throws {
        let feed = feed(FeedOptions(keep: .newest(5)))
        try await feed.pin()
        try await feed.refresh()
        try await feed.trim(to: .newest(3))
        try await feed.trim(between: "60", and: "41")
        #expect(try feed.isPinned() && ids(feed) == ids(41...60))
        try await feed.pin(false)
        try await feed.trim(to: .newest(3))
        #expect(try ids(feed) == ids(58...60))
    }

    @Test func `the place of an anchor that has gone is next to where it was`() async throws {
        let larder = Larder.inMemory(environment: world.environment)
        let feed = larder.common.feed("home", paging: .byID, fetch: server.fetchPage)
        try await feed.refresh()
        #expect(try feed.anchor() == nil)
        try await feed.keep(anchor: "50")
        #expect(try feed.anchor() == "50")
        try await larder.common.remove(item: "50")
        #expect(try feed.anchor() == "49")
        try await feed.trim(to: .newest(5))
        #expect(try feed.anchor() == "56")
        try await feed.keep(anchor: nil)
        #expect(try feed.anchor() == nil)
    }
}

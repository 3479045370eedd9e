import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

/// A feed as a whole: which rows it has, and what they show when they are touched.
@Suite struct TimelineTests {
    typealias Item = SimulatedFeedServer.Item

    let world = TestWorld()
    let larder: Larder

    init() {
        larder = .inMemory(environment: world.environment)
    }

    private func feed(_ server: SimulatedFeedServer, paging: Paging = .byID) -> Feed<Item> {
        larder.common.feed("home", paging: paging, fetch: server.fetchPage)
    }

    private func timeline(_ feed: Feed<Item>, limit: Int? = nil) throws -> Timeline<Item> {
        try #require(try feed.timeline(limit: limit)).value
    }

    @Test func rowsAreDecodedWhenTheyAreTouchedAndThenKept() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...20)
        let feed = feed(server)
        try await feed.refresh()
        let meter = larder.core.timelineMeter

        let rows = try timeline(feed)
        #expect(rows.count == 20 && rows.itemCount == 20)
        #expect(rows.ids[3] == .item("17"))
        #expect(rows.index(of: "17") == 3)
        #expect(meter.bodies == 0 && meter.identities == 20)

        #expect(Array(rows.ids.prefix(2)) == [.item("20"), .item("19")] && meter.bodies == 0)
        #expect(rows[3].itemID == "17" && rows[.item("17")]?.itemID == "17" && rows[.item("x")] == nil)
        #expect(meter.bodies == 1)
        _ = rows[3]
        _ = try timeline(feed)[3]
        #expect(meter.bodies == 1, "what was decoded is kept, for other timelines, too")
    }

    @Test func aRowShowsWhatIsStoredNow() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...3)
        let feed = feed(server)
        try await feed.refresh()
        let rows = try timeline(feed)
        let touched = rows[0]
        guard case .item("3", let item) = touched, item.text == "item 3" else {
            Issue.record("not \(touched)")
            return
        }
        try server.edit("3", text: "edited")
        try server.edit("2", text: "edited as well")
        _ = try await feed.page(policy: .networkOnly)

        for row in [rows[0], rows[1], try timeline(feed)[0]] {
            guard case .item(_, let item) = row, item.text.hasPrefix("edited") else {
                Issue.record("shown is \(row)")
                return
            }
        }
        #expect(rows.map(\.id) == [.item("3"), .item("2"), .item("1")])
    }

    @Test func anItemThatHasGoneIsACaseOfItsOwn() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...3)
        let feed = feed(server)
        try await feed.refresh()
        let rows = try timeline(feed)
        _ = rows[1]

        try await larder.common.remove(item: "2")

        guard case .vanished("2") = rows[1] else {
            Issue.record("shown is \(rows[1])")
            return
        }
        #expect(rows[1].id == .item("2") && rows[1].itemID == "2")
        #expect(rows.count == 3, "a timeline never changes")
        #expect(try timeline(feed).map(\.itemID) == ["3", "1"])
    }

    @Test func whatCannotBeReadIsNotSaidToHaveGone() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...3)
        let feed = feed(server)
        try await feed.refresh()
        let rows = try timeline(feed)
        larder.close()

        guard case .undecodable("3") = rows[0] else {
            Issue.record("shown is \(rows[0])")
            return
        }
        await expect(.storage(.closed)) { try rows.row(at: 0) }
    }

    @Test(arguments: [
        (SimulatedFeedServer.Order.decimal, Paging.byID(.decimal)), (.text, .byID(.text)),
        (.newestOnTop, .afterItem()), (.ranked, .afterItem(order: .ranked)),
    ])
    func everyRowIsFoundByItsID(order: SimulatedFeedServer.Order, paging: Paging) async throws {
        let server = try SimulatedFeedServer(order, holding: (1...400).map { ItemID($0 + 1000) }.reversed())
        server.rules.cap = 1000
        let feed = feed(server, paging: paging)
        _ = try await feed.page(limit: 400)
        try server.insert((1...400).map { ItemID($0 + 2000) }.reversed())
        _ = try await feed.page(limit: 300)

        let rows = try timeline(feed)

        #expect(rows.gaps.count == 1)
        for index in rows.indices {
            let id = rows.ids[index]
            #expect(rows.index(of: id) == index, "\(id)")
        }
        #expect(rows.index(of: "999999") == nil && rows.index(of: "x") == nil)
        #expect(rows.index(of: Gap(above: "1", below: "2")) == nil)
        let gap = try #require(rows.gaps.first)
        #expect(rows.ids[300] == .gap(gap) && rows[300].itemID == nil)
        guard case .gap(gap) = rows[300] else {
            Issue.record("row 300 is \(rows[300])")
            return
        }
    }

    @Test func aLimitLeavesOutWhatIsBelow() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...20)
        let feed = feed(server)
        _ = try await feed.page(limit: 10)
        try server.insert(21...40)
        _ = try await feed.page(limit: 10)

        #expect(try timeline(feed, limit: 10).count == 10)
        #expect(
            try timeline(feed, limit: 11).map(\.id).suffix(2) == [.gap(Gap(above: "31", below: "20")), .item("20")])
        #expect(try timeline(feed).count == 21)
    }

    @Test func theEndIsKnownWhereItIsProven() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...5)
        let feed = feed(server)
        try await feed.refresh()
        #expect(try !timeline(feed).isAtEnd)
        _ = try await feed.page(.older(than: "1"))
        #expect(try timeline(feed).isAtEnd)
        #expect(try !timeline(feed, limit: 4).isAtEnd)
    }

    @Test func aFeedWithoutItemsIsStoredToo() async throws {
        let feed = feed(SimulatedFeedServer(.decimal))
        #expect(try feed.timeline() == nil)
        _ = try await feed.page()
        let rows = try timeline(feed)
        #expect(rows.isEmpty && rows.isAtEnd)
        #expect(Timeline<Item>().isEmpty)
    }

    @Test func theAgeIsThatOfTheOldestPartShown() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...40)
        let feed = larder.common.feed("home", paging: .byID, maxAge: .seconds(60), fetch: server.fetchPage)
        _ = try await feed.page()
        await world.advance(by: .seconds(50))
        _ = try await feed.page(.older(than: "21"))
        await world.advance(by: .seconds(5))

        let reading = try #require(try feed.timeline())
        #expect(reading.age == .seconds(55) && !reading.isStale)
        await world.advance(by: .seconds(5))
        #expect(try feed.timeline()?.isStale == true)
        _ = try await feed.page(policy: .networkOnly)
        #expect(try feed.timeline(limit: 20)?.age == .zero)
        #expect(try feed.timeline()?.age == .seconds(10))
    }

    @Test func whatIsDecodedIsBounded() throws {
        let decoded = DecodedItems<Int>()
        for number in 0..<10_000 { decoded.insert(number, for: ItemID(number), version: 1) }
        #expect(decoded.count <= DecodedItems<Int>.capacity)
        #expect(decoded.entry(for: "9999", version: 1)?.value == 9999)
        #expect(decoded.entry(for: "9999", version: 2) == nil, "another state of it")
        #expect(decoded.entry(for: "1", version: 1) == nil)
    }

    @Test func decodedItemsGoWithTheLastTimelineThatShowsThem() async throws {
        let feeds = DecodedFeeds()
        let key = StoreKey(key: "home")
        weak var kept: DecodedItems<Int>?
        do {
            let items: DecodedItems<Int> = feeds.items(of: key, codec: .served)
            kept = items
            #expect(feeds.items(of: key, codec: .served) as DecodedItems<Int> === items)
            items.insert(1, for: "1", version: 1)
            feeds.forget(["1"], of: key)
            #expect(items.count == 0)
        }
        #expect(kept == nil)
    }
}

import Foundation
import LarderKit
import LarderTestKit
import Testing

/// Faults that people met in timeline apps, played against a server that pages by ranges of ids.
@Suite struct FeedCasesTests {
    typealias Item = SimulatedFeedServer.Item

    let world = TestWorld()

    private func ids(_ range: ClosedRange<Int>) -> [ItemID] {
        range.reversed().map { ItemID($0) }
    }

    private func feed(_ server: SimulatedFeedServer, _ larder: Larder, paging: Paging = .byID) -> Feed<Item> {
        larder.common.feed("home", paging: paging, fetch: server.fetchPage)
    }

    private func ids(_ feed: Feed<Item>) throws -> [ItemID] {
        try (feed.timeline()?.value ?? []).compactMap { row in
            if case .item(let id, _) = row { id } else { nil }
        }
    }

    @Test func aRefreshAfterALongPauseLeavesAVisibleGapThatReadingOnCloses() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 21...40)
        let feed = feed(server, try .inMemory(environment: world.environment))
        try await feed.refresh()
        #expect(try ids(feed) == ids(21...40))
        #expect(try feed.gaps() == [])

        try server.insert(41...100)
        try await feed.refresh()
        #expect(try ids(feed) == ids(81...100) + ids(21...40))
        #expect(try feed.gaps() == [Gap(above: "81", below: "40")])

        let first = try await feed.page(.older(than: "81"))
        #expect(first.value.ids == ids(61...80))
        #expect(try feed.gaps() == [Gap(above: "61", below: "40")])

        let second = try await feed.page(.older(than: "61"))
        #expect(second.value.ids == ids(41...60))
        let third = try await feed.page(.older(than: "41"))
        #expect(third.value.ids == ids(21...40))
        #expect(try feed.gaps() == [])
        #expect(try ids(feed) == ids(21...100))
    }
}

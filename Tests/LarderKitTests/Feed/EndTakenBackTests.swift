import LarderTestKit
import Testing

@testable import LarderKit

/// A server that has said where its list ends, and says later that there is more.
@Suite struct EndTakenBackTests {
    typealias Item = SimulatedFeedServer.Item

    @Test func `what ends with the last item and goes on is no end any more`() async throws {
        let items = [3, 2, 1].map { Item(ItemID($0)) }
        let origin = ScriptedFetch<PageRequest, Page<Item>>(
            .answer(.last(items)), .answer(Page(items, next: .cursor("a"))), .answer(.last([Item(ItemID(0))])))
        let feed = Larder.inMemory(environment: TestWorld().environment).common
            .feed("list", paging: .cursor()) { try await origin($0) }
        try await feed.refresh()
        #expect(try await feed.loadOlder().isAtEnd)
        #expect(origin.requests.count == 1)

        try await feed.refresh()
        #expect(try feed.timeline()?.value.isAtEnd == false)
        let change = try await feed.loadOlder()
        #expect(change.inserted == ["0"])
        #expect(change.isAtEnd)
    }
}

import LarderKit
import LarderTestKit
import Testing

/// Single items that are said to be gone, through the public API.
@Suite struct GoneItemsTests {
    typealias Item = SimulatedFeedServer.Item

    private let world = TestWorld()

    @Test(arguments: [SimulatedFeedServer.Order.decimal, .newestOnTop, .ranked])
    func `an answer that was asked for before does not bring a gone item back`(
        order: SimulatedFeedServer.Order
    ) async throws {
        let server = try SimulatedFeedServer(order, holding: 1...9)
        let gate = Gate()
        let me = Larder.inMemory(environment: world.environment).partition("me")
        let home: Feed<Item> = me.feed("home", paging: order == .decimal ? .byID : .afterItem()) { request in
            let page = try server.page(for: request)
            try await gate.wait()
            return page
        }
        let other = me.feed("other", paging: .byID, fetch: server.fetchPage)
        try await other.refresh()

        async let reading = home.page(limit: 4)
        await gate.reached()
        try await me.remove(item: "7")
        gate.open()

        #expect(try await reading.value.ids == ["9", "8", "6"])
        #expect(try home.gaps() == [])
        #expect(try other.peek(limit: 4)?.value.ids == ["9", "8", "6", "5"])
        // A later answer that shows it has the last word.
        #expect(try await home.page(limit: 4, policy: .networkOnly).value.ids == ["9", "8", "7", "6"])
    }

    @Test func `what is gone from one partition stays in another`() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...3)
        let larder = Larder.inMemory(environment: world.environment)
        let mine = larder.partition("me").feed("home", paging: .byID, fetch: server.fetchPage)
        let yours = larder.partition("you").feed("home", paging: .byID, fetch: server.fetchPage)
        try await mine.refresh()
        try await yours.refresh()

        try await larder.partition("me").remove(item: "2")

        #expect(try mine.peek()?.value.ids == ["3", "1"])
        #expect(try yours.peek()?.value.ids == ["3", "2", "1"])
    }
}

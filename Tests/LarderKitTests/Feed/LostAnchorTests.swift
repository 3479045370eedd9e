import LarderTestKit
import Testing

@testable import LarderKit

/// A server that pages after an item, and has lost that item.
@Suite struct LostAnchorTests {
    private let server: SimulatedFeedServer
    private let feed: Feed<SimulatedFeedServer.Item>

    init() throws {
        var rules = SimulatedFeedServer.Rules()
        rules.missingAnchor = .notFound
        server = try SimulatedFeedServer(.newestOnTop, holding: 1...60, rules: rules)
        feed = Larder.inMemory(environment: TestWorld().environment).common
            .feed("home", paging: .afterItem(), fetch: server.fetchPage)
    }

    private func stored() throws -> [String] {
        try feed.timeline(limit: 1000)?.value.compactMap { row in
            if case .item(let id, _) = row { id.rawValue } else { nil }
        } ?? []
    }

    @Test func `reading on goes on from the item above, and shows that the lost one is gone`() async throws {
        try await feed.refresh()
        try server.delete("41")
        await #expect(throws: LarderError.self) { try await feed.loadOlder() }
        #expect(try stored().count == 20)

        let change = try await feed.loadOlder()
        #expect(change.removed == ["41"])
        #expect(change.inserted.count == 21)
        #expect(try stored() == server.ids.prefix(40).map(\.rawValue))
        #expect(try feed.gaps().isEmpty)
    }

    @Test func `where many are lost each try goes twice as far up, in the end to the head`() async throws {
        try await feed.refresh()
        for number in 41...60 { try server.delete(ItemID(number)) }
        for _ in 0..<6 {
            if (try? await feed.loadOlder()) != nil { break }
        }
        #expect(try stored().contains("40"))
        let list = server.ids.map(\.rawValue)
        #expect(try stored().filter { list.contains($0) } == Array(list.prefix(20)))
    }
}

import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

/// What several feeds, or several versions of an app, have in common.
@Suite struct FeedSharingTests {
    typealias Item = SimulatedFeedServer.Item

    private let world = TestWorld()

    private func text(_ id: ItemID, _ feed: Feed<Item>) throws -> String? {
        try feed.peek(limit: 20)?.value.entries.first { $0.id == id }?.item.text
    }

    @Test func `what one feed is told of an item all of its kind show, and no other`() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...5)
        let me = Larder.inMemory(environment: world.environment).partition("me")
        let posts = FeedOptions(sharing: "posts")
        let home = me.feed("home", paging: .byID, options: posts, fetch: server.fetchPage)
        let marked = me.feed("marked", paging: .afterItem(), options: posts, fetch: server.fetchPage)
        let liked = me.feed("liked", paging: .cursor(), options: posts, fetch: server.fetchPage)
        let people = me.feed("people", paging: .byID, options: FeedOptions(sharing: "people"), fetch: server.fetchPage)
        for feed in [home, marked, liked, people] {
            try await feed.refresh()
            await world.advance(by: .milliseconds(1))
        }
        try server.edit("3", text: "edited")

        _ = try await home.page(policy: .networkOnly)

        #expect(try [home, marked, liked].map { try text("3", $0) } == ["edited", "edited", "edited"])
        #expect(try text("3", people) == "item 3")
    }

    @Test func `an answer that was asked for earlier does not change what a later one told`() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...3)
        let gate = LarderTestKit.Gate()
        let me = Larder.inMemory(environment: world.environment).partition("me")
        let posts = FeedOptions(sharing: "posts")
        let late: Feed<Item> = me.feed("late", paging: .byID, options: posts) { request in
            let page = try server.page(for: request)
            try await gate.wait()
            return page
        }
        let home = me.feed("home", paging: .byID, options: posts, fetch: server.fetchPage)

        async let reading = late.page()
        await gate.reached()
        await world.advance(by: .milliseconds(1))
        try server.edit("2", text: "later")
        try await home.refresh()
        gate.open()
        _ = try await reading

        #expect(try text("2", home) == "later")
    }

    @Test func `a page far larger than asked for is cut to size, and what follows is not known`() async throws {
        let feed: Feed<Item> = Larder.inMemory(environment: world.environment).common.feed("list", paging: .byID) { _ in
            .last((1...20_000).reversed().map { Item(ItemID($0)) })
        }
        let change = try await feed.refresh(limit: 20)
        #expect(change.inserted.count == 10_000 && change.inserted.last == "10001")
        #expect(change.warnings.map { "\($0)" }.count == 1)
        #expect(try feed.peek(.older(than: "10001"))?.value.isAtEnd != true)
    }

    @Test func `what is stored by an earlier model is brought up to date where the codec says how`() async throws {
        let larder = Larder.inMemory(environment: world.environment)
        struct Old: Codable, Sendable, Identifiable { var id: String }
        let old: Feed<Old> = larder.common.feed("list", paging: .byID, codec: .json(version: 1)) { _ in
            Page([Old(id: "1")])
        }
        try await old.refresh()
        let plain: Feed<Item> = larder.common.feed("list", paging: .byID, codec: .json(version: 2)) { _ in Page([]) }
        #expect(try plain.peek(limit: 1)?.warnings.count == 1)
        let codec = Codec<Item>.json(version: 2).upgrading { data, version in
            let old = try JSONDecoder().decode(Old.self, from: data)
            return try JSONEncoder().encode(Item(id: old.id, text: "of version \(version)"))
        }
        let new: Feed<Item> = larder.common.feed("list", paging: .byID, codec: codec) { _ in Page([]) }
        #expect(try new.peek(limit: 1)?.value.items == [Item(id: "1", text: "of version 1")])
    }

    @Test func `what stands around the items is kept as long as something of its answer is`() async throws {
        func answer(_ ids: [Int], _ name: String) -> ScriptedFetch<PageRequest, RawAnswer>.Step {
            let items = ids.map { #"{"id":\#($0)}"# }.joined(separator: ",")
            return .answer(RawAnswer(body: Data(#"{"items":[\#(items)],"name":"\#(name)"}"#.utf8)))
        }
        let origin = ScriptedFetch<PageRequest, RawAnswer>(
            answer([4, 3], "first"), answer([2, 1], "second"), answer([4, 3], "third"))
        let json = try JSONItems(at: "$.items", keepsEnvelope: true)
        let feed = Larder.inMemory(environment: world.environment).common
            .feedOfBytes("list", json: json, paging: .byID) { try await origin($0) }
        func envelopes() throws -> [String] {
            try feed.peek(limit: 4)?.value.envelopes.map { String(decoding: $0, as: UTF8.self) } ?? []
        }
        try await feed.refresh(limit: 2)
        #expect(try envelopes() == [#"{"items":[],"name":"first"}"#])
        await world.advance(by: .milliseconds(1))
        try await feed.loadOlder(limit: 2)
        await world.advance(by: .milliseconds(1))
        _ = try await feed.page(limit: 2, policy: .networkOnly)
        #expect(try envelopes() == [#"{"items":[],"name":"third"}"#, #"{"items":[],"name":"second"}"#])
        try await feed.trim(to: .newest(2))
        #expect(try envelopes() == [#"{"items":[],"name":"third"}"#])
    }
}

import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// What a damaged file, a server or an app puts where a feed goes on: it costs a page asked for once more, and no trap.
@Suite struct DamagedEdgeTests {
    typealias Item = SimulatedFeedServer.Item

    private let larder = Larder.inMemory(environment: TestWorld().environment)

    private func page(_ ids: ClosedRange<Int>, next: Continuation?) -> Page<Item> {
        Page(ids.reversed().map { Item(ItemID($0)) }, next: next)
    }

    @Test(
        arguments: [
            "shift = 9223372036854775807", "shift = -9223372036854775808", "shift = 'x'", "size = 0", "size = -1",
            "size = 9223372036854775807", "fruitless = 9223372036854775807", "fruitless = x'00'",
            "position = 9223372036854775807, shift = 1000", "position = -9223372036854775808, shift = -1000",
            "position = 'x'", "kind = x'00'", "kind = 'cursor', token = 'x'", "stamp = 'x'", "stall = 1.5",
            "etag = x'FF'",
            "is_apart = 'x'", "cut = x'10'", "cut = 1", "cut = x'20'",
        ], [Paging.pageNumber(), .offset()])
    func `an edge whose row is damaged costs no more than a repeated page`(damage: String, paging: Paging) async throws
    {
        let server = try SimulatedFeedServer(
            .newestOnTop, holding: 1...40,
            rules: .init { $0.continuations = paging == .offset() ? .offset : .pageNumber(first: 1) })
        let feed: Feed<Item> = larder.common.feed("home", paging: paging, fetch: server.fetchPage)
        try await feed.refresh(limit: 5)
        try await feed.loadOlder(limit: 5)
        try await larder.write { db in
            try db.executeScript("UPDATE larder_edge SET \(damage) WHERE cut = (SELECT min(cut) FROM larder_edge)")
        }
        var steps = 0
        while try await !feed.loadOlder(limit: 5).isAtEnd, steps < 40 {
            steps += 1
            // Where the place itself is damaged there is nothing to go on with, until the head has been asked for again.
            if try await feed.loadOlder(limit: 5).warnings.count > 0 { try await feed.refresh(limit: 5) }
        }
        #expect(server.requests.allSatisfy { 1...40 ~= $0.limit })
        #expect(try feed.timeline()?.value.gaps == [])
    }

    @Test(arguments: [Int.max, Int.min])
    func `a server that is lost at an item may be so for ever`(count: Int) async throws {
        let server = try SimulatedFeedServer(.newestOnTop, holding: 1...40)
        let feed: Feed<Item> = larder.common.feed("home", paging: .afterItem(), fetch: server.fetchPage)
        try await feed.refresh(limit: 5)
        try server.delete("36")
        await #expect(throws: LarderError.self) { try await feed.loadOlder(limit: 5) }
        try await larder.write { db in try db.execute("UPDATE larder_edge SET fruitless = \(count)") }
        _ = try? await feed.loadOlder(limit: 5)
        #expect(server.requests.allSatisfy { $0.limit >= 1 })
    }

    @Test(arguments: [(64 * 1024, true), (64 * 1024 + 1, false)])
    func `a cursor longer than 64 KB is not kept, and reading on ends there`(length: Int, isKept: Bool) async throws {
        let cursor = String(repeating: "c", count: length)
        let origin = ScriptedFetch<PageRequest, Page<Item>>(
            .answer(page(6...9, next: .cursor(cursor))), .answer(page(1...5, next: nil)))
        let feed: Feed<Item> = larder.common.feed("home", paging: .cursor()) { try await origin($0) }
        try await feed.refresh()
        let change = try await feed.loadOlder()
        #expect(origin.requests.last?.cursor == (isKept ? cursor : nil))
        #expect(change.isAtEnd == isKept)
        #expect(
            change.warnings.contains { if case .stalled(.noContinuation) = $0 { true } else { false } } == !isKept)
    }

    @Test(arguments: [
        (Paging.cursor(), Continuation.offset(4)), (.offset(), .cursor("x")), (.link(), .page(2)),
        (.pageNumber(), .link("/list?page=2")),
    ])
    func `what belongs to another kind of paging is not gone on with`(paging: Paging, next: Continuation) async throws {
        let origin = ScriptedFetch<PageRequest, Page<Item>>(.answer(page(6...9, next: next)))
        let feed: Feed<Item> = larder.common.feed("home", paging: paging) { try await origin($0) }
        await #expect(throws: LarderError.self) { try await feed.refresh() }
        #expect(try feed.peek() == nil)
    }

    @Test(arguments: [Int.max, Int.min, -1])
    func `places beyond reason that a server names are no trap`(place: Int) async throws {
        for paging in [Paging.pageNumber(), .offset()] {
            let next: Continuation = paging == .offset() ? .offset(place) : .page(place)
            let pages = [page(6...9, next: next), page(8...12, next: next), page(1...5, next: next)]
            let origin = ScriptedFetch<PageRequest, Page<Item>>(pages.flatMap { [.answer($0), .answer($0)] })
            let feed: Feed<Item> = larder.common.feed("\(paging)", paging: paging) { try await origin($0) }
            try await feed.refresh()
            try await feed.refresh()
            for _ in 0..<4 { _ = try? await feed.loadOlder() }
        }
    }

    @Test(arguments: [
        "paging = x'00'", "latest = 'x'", "largest_page = 1.5", "is_pinned = 'x'", "kind = x'00'",
        "empty_low = 1, empty_high = 'x', empty_stamp = 'x'", "end_item = x'00', end_key = 'x'",
        "end_item = '1', end_key = 'x', end_stamp = 'x', end_at = x'00'", "anchor_id = x'00', anchor_key = 1.5",
    ])
    func `a feed whose row is damaged is read, written and healed`(damage: String) async throws {
        let server = try SimulatedFeedServer(.newestOnTop, holding: 1...9)
        let feed: Feed<Item> = larder.common.feed("home", paging: .afterItem(), fetch: server.fetchPage)
        try await feed.refresh(limit: 5)
        try await larder.write { db in try db.executeScript("UPDATE larder_feed SET \(damage)") }
        _ = try feed.anchor()
        _ = try feed.isPinned()
        try await feed.refresh(limit: 5)
        var steps = 0
        while try await !feed.loadOlder(limit: 5).isAtEnd, steps < 20 { steps += 1 }
        #expect(try feed.peek(limit: 9)?.value.ids == server.ids)
        try await feed.pin()
        #expect(try feed.isPinned())
    }

    @Test func `a feed whose declaration is damaged does not hinder those it shares items with`() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...5)
        var options = FeedOptions()
        options.sharing = "post"
        let other: Feed<Item> = larder.common.feed("other", paging: .byID, options: options, fetch: server.fetchPage)
        try await other.refresh()
        try await larder.write { db in try db.execute("UPDATE larder_feed SET paging = 'x'") }
        let feed: Feed<Item> = larder.common.feed("home", paging: .byID, options: options, fetch: server.fetchPage)
        #expect(try await feed.refresh().inserted.count == 5)
    }
}

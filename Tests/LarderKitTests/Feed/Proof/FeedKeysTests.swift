import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// What happens to a feed's rows when its keys change: because there is no room left, or because the app declares another
/// order.
@Suite struct FeedKeysTests {
    let database: Database

    init() throws {
        database = try Database(.memory)
        try SchemaSetup.run(on: database, path: nil)
    }

    private func apply(
        _ ids: [ItemID], _ request: PageRequest, at order: Int64, with writer: FeedWriter, in db: borrowing Connection
    ) throws {
        _ = try writer.apply(
            IncomingPage(
                request: request, ids: ids, bodies: .separate(ids.map { Data("\($0) as of \(order)".utf8) }),
                follows: .unknown, codec: CodecID(name: "test", version: 1),
                stamp: Stamp(order: order, at: order * 10, lifetime: nil), storedAt: order * 10),
            in: db)
    }

    func writer(_ paging: Paging, spacing: KeySpacing = .standard) -> FeedWriter {
        FeedWriter(partition: "me", name: "home", paging: paging, spacing: spacing)
    }

    /// The feed as it reads: its rows with their texts, with the stamps of their proofs, and its runs.
    private struct Picture: Equatable {
        let texts: [[String]]
        let stamps: [Int64]
        let headStamp: Int64?

        init(_ reader: FeedReader, in db: borrowing Connection) throws {
            let state = try StoredFeedState(reader, in: db)
            texts = state.runs.map { $0.items.map(\.text) }.filter { !$0.isEmpty }
            stamps = state.segments.map(\.stamp.order)
            headStamp = state.segments.first { $0.isHead }?.stamp.order
        }
    }

    let start = PageRequest(limit: 3)

    @Test func `spreading the keys keeps order, proofs and gaps`() throws {
        try database.writeSync { db in
            let paging = Paging.afterItem()
            let writer = writer(paging)
            try apply(["c", "b", "a"], start, at: 1, with: writer, in: db)
            try apply(["z", "y", "x"], start, at: 2, with: writer, in: db)
            try apply(["w", "v"], PageRequest(below: "x", limit: 3), at: 3, with: writer, in: db)
            let reader = FeedReader(feed: try writer.openRow(in: db).id, paging: paging)
            let before = try Picture(reader, in: db)
            #expect(before.texts.count == 2)

            for spacing in [KeySpacing(item: 1, run: 1), KeySpacing(item: 5, run: 50), .standard] {
                try PositionTable(feed: reader.feed, spacing: spacing).spread(roomFor: 0, in: db)
                #expect(try Picture(reader, in: db) == before)
            }
        }
    }

    @Test func `spreading the keys keeps a gap beside which the items have gone`() throws {
        try database.writeSync { db in
            let paging = Paging.afterItem()
            let writer = writer(paging)
            try apply(["b", "a"], start, at: 1, with: writer, in: db)
            try apply(["d", "c"], start, at: 2, with: writer, in: db)
            let reader = FeedReader(feed: try writer.openRow(in: db).id, paging: paging)
            for (id, order) in [("c", 3), ("b", 4)] as [(ItemID, Int64)] {
                try GoneItems(partition: "me").insert(id, stamp: Stamp(order: order, at: 0, lifetime: nil), in: db)
            }
            #expect(try reader.gaps(in: db) == [Gap(above: "d", below: "a")])

            try PositionTable(feed: reader.feed).spread(roomFor: 3, in: db)

            #expect(try reader.gaps(in: db) == [Gap(above: "d", below: "a")])
        }
    }

    @Test func `where there is no room, the keys are spread, and the page finds its place`() throws {
        try database.writeSync { db in
            let paging = Paging.afterItem()
            let writer = writer(paging, spacing: KeySpacing(item: 2, run: 4))
            let items = (0..<40).map { ItemID($0) }
            try apply(["bottom"], start, at: 1, with: writer, in: db)
            try apply(["top"], start, at: 2, with: writer, in: db)
            // Each item goes right below the one before, into a gap of four.
            for (index, pair) in zip(["top"] + items, items).enumerated() {
                try apply([pair.1], PageRequest(below: pair.0, limit: 1), at: Int64(index) + 3, with: writer, in: db)
            }
            let reader = FeedReader(feed: try writer.openRow(in: db).id, paging: paging)
            let state = try StoredFeedState(reader, in: db)
            #expect(state.runs.map { $0.items.map(\.id) }.filter { !$0.isEmpty } == [["top"] + items, ["bottom"]])
        }
    }

    @Test(arguments: [
        (Paging.byID(.decimal), Paging.byID(.text)), (.byID(.text), .byID(.decimal)), (.byID(.decimal), .afterItem()),
        (.afterItem(), .byID(.decimal)), (.afterItem(), .afterItem(order: .ranked)),
        (.byID(.decimal), .byID(.decimal, shortPages: .proveTheEnd)),
    ])
    func `a change of declaration keeps all items and drops all proofs`(old: Paging, new: Paging) throws {
        try database.writeSync { db in
            // More than are moved at a time, of several lengths.
            let ids = ((90..<700).map { ItemID($0) } + ["99999999999999999999"]).reversed().map { $0 }
            let request = PageRequest(limit: 1000)
            try apply(ids, request, at: 5, with: writer(old), in: db)

            let row = try writer(new).openRow(in: db)

            #expect(row.paging == new.fingerprint)
            let reader = FeedReader(feed: row.id, paging: new)
            let state = try StoredFeedState(reader, in: db)
            #expect(Set(state.items.map(\.id)) == Set(ids))
            #expect(state.items.allSatisfy { $0.text == "\($0.id) as of 5" && $0.stamp == 0 })
            #expect(state.runs.allSatisfy { $0.items.count == 1 })
            #expect(state.segments.allSatisfy { $0.stamp.at == 50 && !$0.isHead })
            switch new.order {
            case .byID(.text): #expect(state.items.map(\.id) == ids.sorted { $0.rawValue > $1.rawValue })
            case .byID(.decimal), .byPosition: #expect(state.items.map(\.id) == ids)
            }
            for id in ids.prefix(3) { #expect(try reader.items.key(of: id, in: db) == state.byID[id]?.key) }
            #expect(try db.first("SELECT count(*) FROM larder_feed_item") { try $0.int(0) } == ids.count)
        }
    }

    @Test func `the first answer after a change of declaration is taken as any other`() throws {
        try database.writeSync { db in
            try apply(["3", "2", "1"], start, at: 1, with: writer(.byID(.text)), in: db)
            let decimal = writer(.byID(.decimal))
            try apply(["10", "9", "3"], start, at: 2, with: decimal, in: db)
            let reader = FeedReader(feed: try decimal.openRow(in: db).id, paging: .byID(.decimal))
            let state = try StoredFeedState(reader, in: db)
            #expect(state.runs.map { $0.items.map(\.id) } == [["10", "9", "3"], ["2"], ["1"]])
        }
    }
}

extension FeedKeysTests {
    private func answer(
        _ ids: [ItemID], _ request: PageRequest, at order: Int64, next: Continuation?, envelope: Data? = nil
    ) -> IncomingPage {
        var page = IncomingPage(
            request: request, ids: ids, bodies: .separate(ids.map { Data("\($0)".utf8) }),
            follows: next.map { .more($0) } ?? .nothing, codec: CodecID(name: "test", version: 1),
            stamp: Stamp(order: order, at: order * 10, lifetime: nil), storedAt: order * 10)
        page.envelope = envelope
        return page
    }

    @Test func `a page for which the keys are spread goes on from where its edge is now`() throws {
        try database.writeSync { db in
            let writer = writer(.cursor(), spacing: KeySpacing(item: 2, run: 4))
            _ = try writer.apply(answer(["bottom"], start, at: 1, next: .cursor("low")), in: db)
            _ = try writer.apply(answer(["top"], start, at: 2, next: .cursor("0")), in: db)
            let reader = FeedReader(feed: try writer.openRow(in: db).id, paging: .cursor())
            // Each page goes right below the one before, into a gap of four.
            for number in 0..<40 {
                let last = try #require(try reader.gaps(in: db).first?.above)
                let key = try #require(try reader.items.key(of: last, in: db))
                let step = try reader.onward(below: last, key: key, at: .below(key), limit: 1, in: db)
                let request = try #require(step.request)
                #expect(request.cursor == "\(number)")
                let next = Continuation.cursor("\(number + 1)")
                let page = answer([ItemID("n\(number)")], request, at: Int64(number) + 3, next: next)
                _ = try writer.apply(page, in: db)
            }
            // One edge for each answer, and each below the item that it ended with.
            let items = try reader.items.items(next: .below, to: .top, limit: 100, in: db)
            #expect(try reader.edges.cuts(in: db).reversed() == items.map { .below($0.key) })
            #expect(try reader.gaps(in: db) == [Gap(above: "n39", below: "bottom")])
        }
    }

    @Test func `a page that goes on from an edge which has gone meanwhile is not joined to it`() throws {
        try database.writeSync { db in
            let writer = writer(.cursor())
            _ = try writer.apply(answer(["c"], start, at: 1, next: .cursor("1")), in: db)
            let reader = FeedReader(feed: try writer.openRow(in: db).id, paging: .cursor())
            let request = try #require(try reader.olderStep(limit: 3, in: db)?.request)
            try reader.edges.removeAll(in: db)
            _ = try writer.apply(answer(["a"], request, at: 2, next: nil), in: db)
            #expect(try reader.gaps(in: db) == [Gap(above: "c", below: "a")])
        }
    }

    @Test func `spreading the keys forgets what empty answers suggested`() throws {
        try database.writeSync { db in
            let writer = writer(.afterItem())
            try apply(["c", "b", "a"], start, at: 1, with: writer, in: db)
            try apply([], start, at: 2, with: writer, in: db)
            #expect(try writer.openRow(in: db).pendingEmpty != nil)
            try PositionTable(feed: try writer.openRow(in: db).id).spread(roomFor: 1, in: db)
            #expect(try writer.openRow(in: db).pendingEmpty == nil)
        }
    }

    @Test func `a change of declaration leaves nothing of what stood around items`() throws {
        try database.writeSync { db in
            let page = answer(["c"], start, at: 1, next: .cursor("1"), envelope: Data("{}".utf8))
            _ = try writer(.cursor()).apply(page, in: db)
            _ = try writer(.link()).openRow(in: db)
            let sql: SQL = """
                SELECT (SELECT count(*) FROM larder_edge) + (SELECT count(*) FROM larder_envelope)
                """
            #expect(try db.first(sql) { try $0.int(0) } == 0)
        }
    }
}

import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// What a new timeline costs when little has changed, counted in rows.
@Suite struct TimelineCostTests {
    typealias Item = SimulatedFeedServer.Item

    let larder = Larder.inMemory(environment: TestWorld().environment)

    @Test(arguments: [Paging.Order.byID(.decimal), .byPosition(.newestOnTop)])
    func oneNewItemAmongTenThousandReadsAFewRows(order: Paging.Order) throws {
        let database = try Database(.memory)
        try SchemaSetup.run(on: database, path: nil)
        try database.writeSync { db in
            var list = TimelineTables(order: order)
            try list.fill(10_000, in: db)
            let before = try list.read(after: nil, touched: nil, limit: .max, in: db)
            #expect(before.count == 10_000 && list.meter.identities == 10_000)

            let touched = try list.insertOnTop(1, in: db)
            let after = try list.read(after: before, touched: touched, limit: .max, in: db)

            #expect(list.meter.identities == 10_002, "the new one, and the one below it")
            #expect(after.count == 10_001)
            #expect(
                after.index(of: before.entry(at: 0).id) == 1 && after.index(of: before.entry(at: 9999).id) == 10_000)
            let shared = Set(after.chunks.map { ObjectIdentifier($0) })
                .intersection(before.chunks.map { ObjectIdentifier($0) })
            #expect(shared.count == before.chunks.count - 1)

            let diff = FeedDiff(from: before, to: after)
            #expect(diff.insertions.ranges.map(\.self) == [0..<1])
            #expect(diff.removals.isEmpty && diff.moves.isEmpty && diff.updates.isEmpty)
        }
    }

    @Test func readingEverythingAgainSharesWhatHasNotChanged() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...2000)
        server.rules.cap = 2000
        let feed = larder.common.feed("home", paging: .byID, fetch: server.fetchPage)
        _ = try await feed.page(limit: 2000)
        let before = try #require(try feed.timelineState(after: nil, touched: nil, limit: nil))
        try await larder.common.remove(item: "1000")

        let after = try #require(try feed.timelineState(after: before, touched: nil, limit: nil))

        let shared = zip(before.rows.chunks, after.rows.chunks).count { $0 === $1 }
        #expect(shared == before.rows.chunks.count - 1)
        let same = try #require(try feed.timelineState(after: after, touched: nil, limit: nil))
        #expect(zip(same.rows.chunks, after.rows.chunks).allSatisfy { $0 === $1 })
    }

    @Test func rowsThatDoNotFitWhatIsStoredAreReadAgain() async throws {
        let server = try SimulatedFeedServer(.newestOnTop, holding: 1...30)
        let feed = larder.common.feed("home", paging: .afterItem(), fetch: server.fetchPage)
        _ = try await feed.page(limit: 30)
        let before = try #require(try feed.timelineState(after: nil, touched: nil, limit: nil))
        let number = before.rows.feed
        try await larder.write { db in _ = try PositionTable(feed: number).spread(roomFor: 1 << 20, in: db) }

        // Every key is another; that a stretch was touched is the least that is said of it.
        let middle = before.rows.entry(at: 10).key
        let after = try #require(try feed.timelineState(after: before, touched: [Span(of: middle)], limit: nil))

        #expect(after.rows.entry(at: 10).key != middle)
        #expect(after.rows.index(of: "1") == 29)
        #expect(FeedDiff(from: before.rows, to: after.rows).isEmpty, "nothing has moved for who looks at rows")
    }
}

import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// Feeds under what goes wrong around them: other processes, damaged rows, full disks, clocks, servers that lose their
/// place.
@Suite(.timeLimit(.minutes(5))) struct FeedTroubleTests {
    typealias Item = SimulatedFeedServer.Item

    let world = TestWorld()

    private func ids(_ range: ClosedRange<Int>) -> [ItemID] {
        range.reversed().map { ItemID($0) }
    }

    private func feed(
        _ server: SimulatedFeedServer, _ larder: Larder, paging: Paging = .byID(), maxAge: Duration? = nil
    ) -> Feed<Item> {
        larder.common.feed("home", paging: paging, maxAge: maxAge, fetch: server.fetchPage)
    }

    @Test func theTimelineShowsOneMomentWhileAGapIsClosed() async throws {
        let larder = try Larder(.temporary, environment: world.environment)
        for round in 0..<20 {
            let server = try SimulatedFeedServer(.decimal, holding: 1...60)
            let feed = larder.common.feed("home \(round)", paging: .byID, fetch: server.fetchPage)
            try await feed.refresh(limit: 40)
            try server.insert(61...140)
            try await feed.refresh(limit: 40)
            async let closing = feed.page(.older(than: "101"), limit: 40)
            for _ in 0..<40 {
                let rows = try #require(try feed.timeline(limit: 100)).value
                for (upper, lower) in zip(rows, rows.dropFirst()) {
                    if case .item("101", _) = upper, case .item("60", _) = lower {
                        Issue.record("101 and 60 are shown as neighbours")
                    }
                }
            }
            _ = try await closing
        }
    }

    @Test func whatAnotherProcessDeclaresOtherwiseIsNotReadByTheOldDeclaration() async throws {
        let larder = try Larder(.temporary, environment: world.environment)
        let server = try SimulatedFeedServer(.decimal, holding: 1...60)
        let mine = feed(server, larder)
        _ = try await mine.page(limit: 40)
        #expect(try mine.peek(.older(than: "41"))?.value.ids == ids(21...40))

        let other = try LarderCore(folder: larder.folder, environment: world.environment)
        let theirs = Partition(core: other, name: "").feed("home", paging: .afterItem(), fetch: server.fetchPage)
        _ = try await theirs.page(limit: 40)

        #expect(try mine.peek(.older(than: "41")) == nil)
        #expect(try await mine.page(limit: 40).value.ids == ids(21...60))
        other.close()
    }

    @Test func aFullDiskHidesNothingThatIsStored() async throws {
        let larder = try Larder(.temporary, environment: world.environment)
        let server = try SimulatedFeedServer(.decimal, holding: 1...100)
        let feed = feed(server, larder, maxAge: .seconds(600))
        _ = try await feed.page()
        try server.edit("75", text: String(repeating: "x", count: 100_000))
        try await larder.write { db in
            let pages = try db.first("PRAGMA page_count") { try $0.int(0) } ?? 0
            try db.executeScript("PRAGMA max_page_count = \(pages)")
        }

        let longer = try await feed.page(limit: 30)
        #expect(longer.value.ids == ids(81...100))
        #expect(!longer.value.isComplete)
        #expect(longer.source == .cache && longer.reason == .notKept)
        #expect(longer.warnings.contains { if case .notKept(let error) = $0 { error.kind == .full } else { false } })

        let further = try await feed.page(.older(than: "81"))
        #expect(further.value.ids == ids(61...80), "what came is shown, also when it cannot be kept")
        #expect(further.source == .network)
        #expect(further.warnings.contains { if case .notKept = $0 { true } else { false } })
        #expect(try feed.peek()?.value.ids == ids(81...100))
    }

    @Test func aRemovalUnderAClockSetAheadDoesNotLastForEver() async throws {
        let larder = try Larder(.temporary, environment: world.environment)
        let server = try SimulatedFeedServer(.decimal, holding: 1...20)
        let start = world.clock.now()
        _ = try await feed(server, larder).page()
        world.clock.set(wall: start.addingTimeInterval(365 * 86_400))
        try await larder.common.remove(item: "10")
        world.clock.set(wall: start)

        let reopened = try LarderCore(folder: larder.folder, environment: world.environment)
        let again = Partition(core: reopened, name: "").feed("home", paging: .byID, fetch: server.fetchPage)
        #expect(try await again.page(policy: .networkOnly).value.ids == ids(1...20))
        reopened.close()
    }

    @Test(arguments: [Int.max, 0, -3])
    func limitsBeyondReasonAreHeldWithin(limit: Int) async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...20)
        let feed = feed(server, .inMemory(environment: world.environment))
        try await feed.refresh(limit: limit)
        for position: FeedPosition in [.newest, .older(than: "15"), .newer(than: "15")] {
            _ = try feed.peek(position, limit: limit)
            _ = try await feed.page(position, limit: limit)
        }
        #expect(server.requests.allSatisfy { $0.limit >= 1 })
    }

    @Test func aDamagedSegmentCostsWhatItProvedAndIsReplaced() async throws {
        let larder = try Larder(.temporary, environment: world.environment)
        let server = try SimulatedFeedServer(.decimal, holding: 1...60)
        let feed = feed(server, larder)
        _ = try await feed.page()
        _ = try await feed.page(.older(than: "41"))
        try await larder.write { db in
            try db.execute("UPDATE larder_segment SET high = x'33' WHERE low = (SELECT min(low) FROM larder_segment)")
            try db.execute("UPDATE larder_feed_item SET codec = 99 WHERE key = 50")
        }

        let newest = try #require(try feed.peek(limit: 40))
        #expect(newest.value.ids == ids(51...60) + ids(41...49))
        #expect(newest.warnings.count == 1)
        #expect(try await feed.page(.older(than: "41")).value.ids == ids(21...40))
        #expect(try await feed.page(limit: 40, policy: .networkFirst).value.ids == ids(21...60))
    }

    @Test func timesThatCannotBeAreNoTrap() async throws {
        let larder = try Larder(.temporary, environment: world.environment)
        let server = try SimulatedFeedServer(.decimal, holding: 1...20)
        let feed = feed(server, larder, maxAge: .seconds(60))
        _ = try await feed.page()
        try await larder.write { db in try db.execute("UPDATE larder_segment SET at = \(Int64.min + 1)") }
        #expect(try feed.peek() == nil)
        #expect(try await feed.page().value.ids == ids(1...20))
    }

    @Test func aPageOfWhichNothingDecodesAnyMoreIsAskedForAgain() async throws {
        struct Old: Codable, Sendable, Identifiable { var id: String }
        struct New: Codable, Sendable, Identifiable {
            var id: String
            var score: Int
        }
        let larder = Larder.inMemory(environment: world.environment)
        let old = larder.common.feed("list", paging: .byID, maxAge: .seconds(3600)) { _ in Page([Old(id: "1")]) }
        _ = try await old.page(limit: 1)
        let origin = ScriptedFetch<PageRequest, Page<New>>(.answer(Page([New(id: "1", score: 7)])))
        let new: Feed<New> = larder.common.feed("list", paging: .byID, maxAge: .seconds(3600)) { try await origin($0) }

        #expect(try await new.page(limit: 1).value.items.map(\.score) == [7])
    }

    @Test func aLostAnchorDoesNotHideWhatIsStoredBelowIt() async throws {
        let server = try SimulatedFeedServer(.newestOnTop, holding: 1...20)
        let feed = feed(server, .inMemory(environment: world.environment), paging: .afterItem())
        _ = try await feed.page()
        try server.delete("20")

        let reading = try await feed.page(.older(than: "20"), limit: 10)

        #expect(reading.value.ids == ids(10...19))
        #expect(reading.failure?.kind == .gone(status: 404))
        #expect(reading.source == .cache)
    }

    @Test func aDistrustedAnswerIsNotCalledTheNetworks() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...20)
        let feed = feed(server, .inMemory(environment: world.environment))
        _ = try await feed.page()
        server.inject(.empty, times: 2)

        let reading = try await feed.page()
        #expect(reading.source == .cache && reading.reason == .networkFailed)
        #expect(reading.failure?.kind == .wrongAnswer)
    }

    @Test func networkOnlyShowsWhatTheNetworkGave() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...40)
        let feed = feed(server, .inMemory(environment: world.environment))
        _ = try await feed.page()
        server.rules = .init { $0.cap = 5 }
        let reading = try await feed.page(policy: .networkOnly)
        #expect(reading.value.ids == ids(36...40))
        #expect(!reading.value.isComplete)
    }

    @Test func aFeedKnownToBeEmptyHasAnEmptyTimeline() async throws {
        let feed = feed(SimulatedFeedServer(.decimal), .inMemory(environment: world.environment))
        #expect(try feed.timeline() == nil)
        _ = try await feed.page()
        #expect(try feed.timeline()?.value.count == 0)
    }

    @Test func aRefreshTellsTheGapItLeavesAndWhatWasOdd() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...20)
        let feed = feed(server, .inMemory(environment: world.environment))
        #expect(try await feed.refresh().remaining == nil)
        try server.insert(21...80)
        #expect(try await feed.refresh().remaining == Gap(above: "61", below: "20"))
        server.inject(.duplicate)
        #expect(try await feed.refresh().warnings.count == 1)
    }

    @Test func theEndOfAListWhoseIDsDoNotCompareIsFound() async throws {
        let server = try SimulatedFeedServer(.newestOnTop, holding: 1...45)
        let feed = feed(server, .inMemory(environment: world.environment), paging: .afterItem())
        var reading = try await feed.page()
        var shown = reading.value.ids
        var calls = 1
        while !reading.value.isAtEnd, calls < 10 {
            reading = try await feed.page(.older(than: try #require(shown.last)))
            shown += reading.value.ids
            calls += 1
        }
        #expect(shown == ids(1...45))
        #expect(reading.value.isAtEnd && reading.value.isComplete)
        #expect(calls == 5, "three pages, an empty one, and the one that shows its anchor alive")
    }

    @Test func whatCannotBeLookedAtDoesNotHinderAsking() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...9)
        let larder = Larder.inMemory(environment: world.environment)
        try await larder.write { db in try db.executeScript("DROP TABLE larder_gone") }
        let reading = try await feed(server, larder).page(limit: 5)
        #expect(reading.value.ids == ids(5...9))
        #expect(reading.warnings.contains { if case .notKept = $0 { true } else { false } })
    }

    @Test func itemsWithoutAKnownPlaceAreShownAndSaidNotToBeKept() async throws {
        let server = try SimulatedFeedServer(.newestOnTop, holding: 1...100)
        let feed = feed(server, .inMemory(environment: world.environment), paging: .afterItem())
        _ = try await feed.page(limit: 5)
        let reading = try await feed.page(.older(than: "50"), limit: 5)
        #expect(reading.value.ids == ids(45...49))
        #expect(reading.warnings.contains { if case .notPlaced(5) = $0 { true } else { false } })
    }
}

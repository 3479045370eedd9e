import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// What one who watches a feed gets, and when it ends.
@Suite(.timeLimit(.minutes(5))) struct FeedUpdatesTests {
    typealias Item = SimulatedFeedServer.Item
    typealias Gate = LarderTestKit.Gate

    let world = TestWorld()
    let larder: Larder
    let server: SimulatedFeedServer

    init() throws {
        larder = .inMemory(environment: world.environment)
        server = try SimulatedFeedServer(.decimal, holding: 1...20)
    }

    private func feed(maxAge: Duration? = .seconds(60)) -> Feed<Item> {
        larder.common.feed("home", paging: .byID, maxAge: maxAge, fetch: server.fetchPage)
    }

    private func ids(_ snapshot: FeedSnapshot<Item>) -> [ItemID] {
        (snapshot.timeline?.value ?? Timeline()).compactMap(\.itemID)
    }

    private func indices(_ set: RangeSet<Int>) -> [Int] { set.ranges.flatMap(\.self) }

    @Test func theFirstElementIsWhatIsStored() async throws {
        let feed = feed()
        var empty = feed.updates(refresh: .never).makeAsyncIterator()
        let nothing = try #require(try await empty.next())
        #expect(nothing.timeline == nil && nothing.changes.isEmpty && nothing.activity == .idle)

        try await feed.refresh()
        var iterator = feed.updates(refresh: .never).makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(ids(first).count == 20 && indices(first.changes.insertions) == Array(0..<20))
        #expect(server.requests.count == 1)
    }

    @Test func changesAreThoseSinceWhatThisConsumerSaw() async throws {
        let feed = feed()
        try await feed.refresh()
        var early = feed.updates(refresh: .never).makeAsyncIterator()
        _ = try await early.next()
        try server.insert("21")
        try await feed.refresh()
        var late = feed.updates(refresh: .never).makeAsyncIterator()
        _ = try await late.next()

        try server.insert("22")
        try await feed.refresh()

        let both = try #require(try await early.next())
        #expect(indices(both.changes.insertions) == [0, 1], "one element for two changes: the latest state")
        #expect(both.activity == .idle)
        let one = try #require(try await late.next())
        #expect(indices(one.changes.insertions) == [0] && one.changes.removals.isEmpty)
        #expect(ids(both) == ids(one))
    }

    @Test func everyHandleOfAFeedIsHeard() async throws {
        let (watched, other) = (feed(), feed())
        let elsewhere = larder.partition("ann").feed("home", paging: .byID, fetch: server.fetchPage)
        var iterator = watched.updates(refresh: .never).makeAsyncIterator()
        _ = try await iterator.next()

        try await elsewhere.refresh()
        #expect(try watched.timeline() == nil)
        try await other.refresh()
        let seen = try #require(try await iterator.next())
        #expect(ids(seen).count == 20)

        try server.edit("20", text: "edited")
        _ = try await other.page(policy: .networkOnly)
        let edited = try #require(try await iterator.next())
        #expect(indices(edited.changes.updates) == [0])
        #expect(edited.changes.insertions.isEmpty && edited.changes.removals.isEmpty && edited.changes.moves.isEmpty)

        try await larder.common.remove(item: "15")
        let removed = try #require(try await iterator.next())
        #expect(indices(removed.changes.removals) == [5] && removed.changes.insertions.isEmpty)
        #expect(!ids(removed).contains("15"))
    }

    @Test func beginningToWatchAsksOnceWhereThatIsWished() async throws {
        let feed = feed()
        var iterator = feed.updates().makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(first.activity == .loading && first.timeline == nil)
        let second = try await next(&iterator) { $0.activity == .idle && $0.timeline != nil }
        #expect(ids(second).count == 20)
        #expect(server.requests == [PageRequest(limit: 20)])

        var fresh = feed.updates().makeAsyncIterator()
        #expect(try await fresh.next()?.activity == .idle)
        var wished = feed.updates(refresh: .always).makeAsyncIterator()
        #expect(try await wished.next()?.activity == .loading)
        await larder.settle()
        #expect(server.requests.count == 2)

        await world.advance(by: .seconds(61))
        var stale = feed.updates().makeAsyncIterator()
        let old = try #require(try await stale.next())
        #expect(old.activity == .loading && old.timeline?.isStale == true)
        let new = try await next(&stale) { $0.activity == .idle }
        #expect(new.timeline?.isStale == false && new.changes.isEmpty)
    }

    @Test func aFailureEndsNothingAndTakesNothingAway() async throws {
        let gate = Gate()
        let origin = ScriptedFetch<PageRequest, Page<Item>>(
            .answer(Page([Item("2"), Item("1")])), .hold(at: gate, then: .fail(.http(status: 503))),
            .answer(Page([Item("3"), Item("2")])))
        let feed = larder.common.feed("scripted", paging: .byID) { try await origin($0) }
        try await feed.refresh(limit: 2)
        var iterator = feed.updates(refresh: .always).makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(first.activity == .loading && ids(first) == ["2", "1"])

        gate.open()
        let failed = try #require(try await iterator.next())
        #expect(failed.activity == .failed(.http(status: 503)))
        #expect(ids(failed) == ["2", "1"] && failed.changes.isEmpty && failed.error == nil)

        try await feed.refresh(limit: 2)
        let healed = try #require(try await iterator.next())
        #expect(healed.activity == .idle && ids(healed) == ["3", "2", "1"])
        try origin.verify()
    }

    @Test func whoIsCancelledGetsNoMore() async throws {
        let feed = feed()
        let begun = Gate()
        let watching = Task {
            var count = 0
            for await _ in feed.updates(refresh: .never) {
                count += 1
                try? await begun.wait()
            }
            return count
        }
        await begun.reached()
        #expect(larder.core.changes.followerCount == 1)
        watching.cancel()
        #expect(await watching.value == 1)
        #expect(larder.core.changes.followerCount == 0)
    }

    @Test func closingTheLarderEndsAllSequences() async throws {
        let feed = feed()
        let begun = Gate()
        begun.open()
        let watching = Task {
            var count = 0
            for await _ in feed.updates(refresh: .never) {
                count += 1
                try? await begun.wait()
            }
            return count
        }
        await begun.reached()
        larder.close()
        #expect(await watching.value == 1)
        var late = feed.updates().makeAsyncIterator()
        #expect(try await late.next() == nil)
    }

    @Test func aPartitionThatEndsTakesItsSequencesAlong() async throws {
        let (mine, others) = (larder.partition("ann"), larder.partition("bob"))
        var ended = mine.feed("home", paging: .byID, fetch: server.fetchPage).updates(refresh: .never)
            .makeAsyncIterator()
        let feed = others.feed("home", paging: .byID, fetch: server.fetchPage)
        var other = feed.updates(refresh: .never).makeAsyncIterator()
        _ = try await ended.next()
        _ = try await other.next()

        larder.core.changes.end(partition: "ann")

        #expect(try await ended.next() == nil)
        try await feed.refresh()
        #expect(try await other.next()?.timeline?.value.count == 20)
    }

    @Test func aChangeCostsWhatHasChanged() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...2000)
        server.rules.cap = 2000
        let feed = larder.common.feed("long", paging: .byID, fetch: server.fetchPage)
        _ = try await feed.page(limit: 2000)
        var iterator = feed.updates(refresh: .never).makeAsyncIterator()
        _ = try await iterator.next()
        let meter = larder.core.timelineMeter
        #expect(meter.identities == 2000)

        try server.insert("2001")
        try await feed.refresh()
        let snapshot = try #require(try await iterator.next())

        #expect(indices(snapshot.changes.insertions) == [0])
        #expect(meter.identities - 2000 <= 4 && meter.bodies == 0)
    }

    @Test func whatIsForgottenLeavesAGap() async throws {
        let feed = feed()
        try await feed.refresh()
        var iterator = feed.updates(refresh: .never).makeAsyncIterator()
        _ = try await iterator.next()
        try await feed.trim(between: "15", and: "10")
        let trimmed = try #require(try await iterator.next())
        #expect(trimmed.timeline?.value.gaps == [Gap(above: "15", below: "10")])
        #expect(indices(trimmed.changes.removals) == [6, 7, 8, 9] && indices(trimmed.changes.insertions) == [6])
    }

    @Test func anItemThatAnotherFeedShowsInAnotherStateIsUpdatedHere() async throws {
        let options = FeedOptions(sharing: "post")
        let home = larder.common.feed("home", paging: .byID, options: options, fetch: server.fetchPage)
        let mentions = larder.common.feed("mentions", paging: .byID, options: options, fetch: server.fetchPage)
        try await home.refresh()
        var iterator = home.updates(refresh: .never).makeAsyncIterator()
        _ = try await iterator.next()
        try server.edit("20", text: "edited")
        try await mentions.refresh()

        let shared = try #require(try await iterator.next())
        #expect(indices(shared.changes.updates) == [0])
        guard case .item(_, let item) = shared.timeline?.value[0], item.text == "edited" else {
            Issue.record("the row shows what it was")
            return
        }
    }

    @Test func aLimitHoldsThroughChanges() async throws {
        let feed = feed()
        try await feed.refresh()
        var iterator = feed.updates(limit: 5, refresh: .never).makeAsyncIterator()
        #expect(try await iterator.next().map(ids) == ["20", "19", "18", "17", "16"])
        try server.insert("21")
        try await feed.refresh()
        let pushed = try #require(try await iterator.next())
        #expect(ids(pushed) == ["21", "20", "19", "18", "17"])
        #expect(indices(pushed.changes.insertions) == [0] && indices(pushed.changes.removals) == [4])
        try await larder.common.remove(item: "19")
        #expect(try await iterator.next().map(ids) == ["21", "20", "18", "17", "16"])
    }

    @Test func whatCannotBeReadIsSaidBesideWhatWasSeen() async throws {
        let folder = try TestFolder()
        let larder = try Larder(.folder(folder.url), environment: world.environment)
        let feed = larder.common.feed("home", paging: .byID, fetch: server.fetchPage)
        try await feed.refresh()
        var iterator = feed.updates(refresh: .never).makeAsyncIterator()
        _ = try await iterator.next()
        try await larder.write { db in try db.execute("UPDATE larder_feed SET paging = 7") }
        try await larder.write { db in try db.executeScript("ALTER TABLE larder_segment RENAME TO elsewhere") }
        larder.core.changes.post(.feed(feed.key))

        let troubled = try #require(try await iterator.next())
        #expect(troubled.error != nil && ids(troubled).count == 20)
        try await larder.write { db in try db.executeScript("ALTER TABLE elsewhere RENAME TO larder_segment") }
        larder.core.changes.post(.feed(feed.key), touched: [])
        #expect(try await iterator.next()?.error == nil)
        larder.close()
    }

    /// The first element for which `isMeant` holds: how many come before it is a matter of luck.
    private func next<I: AsyncIteratorProtocol>(
        _ iterator: inout I, _ isMeant: (FeedSnapshot<Item>) -> Bool
    ) async throws -> FeedSnapshot<Item> where I.Element == FeedSnapshot<Item> {
        while true {
            let element = try #require(try await iterator.next())
            if isMeant(element) { return element }
        }
    }
}

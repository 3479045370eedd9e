import Foundation
import LarderKit
import LarderTestKit
import Testing

/// What a read of a page asks the server for, and what it gives when the server gives less.
@Suite(.timeLimit(.minutes(5))) struct FeedReadTests {
    typealias Item = SimulatedFeedServer.Item

    let world = TestWorld()

    private func ids(_ range: ClosedRange<Int>) -> [ItemID] {
        range.reversed().map { ItemID($0) }
    }

    private func feed(
        _ server: SimulatedFeedServer, paging: Paging = .byID(), maxAge: Duration? = .seconds(60)
    ) throws -> Feed<Item> {
        Larder.inMemory(environment: world.environment).common
            .feed("home", paging: paging, maxAge: maxAge, fetch: server.fetchPage)
    }

    @Test func aFreshPageIsServedWithoutARequest() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...100)
        let feed = try feed(server)
        let first = try await feed.page()
        #expect(first.source == .network && first.reason == .fetched && !first.isStale)
        await world.advance(by: .seconds(59))

        let second = try await feed.page()

        #expect(second.source == .cache && second.reason == .fresh && !second.isStale)
        #expect(second.age == .seconds(59))
        #expect(second.value.ids == ids(81...100))
        #expect(second.value.isComplete && !second.value.isAtEnd)
        #expect(server.requests.count == 1)
    }

    @Test func aStalePageIsAskedForWholeAndByItsRange() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...100)
        let feed = try feed(server)
        _ = try await feed.page()
        _ = try await feed.page(.older(than: "81"))
        await world.advance(by: .seconds(61))
        server.clearLog()

        let reading = try await feed.page(.older(than: "81"))

        #expect(server.requests == [PageRequest(below: "81", limit: 20)])
        #expect(reading.source == .network && !reading.isStale)
    }

    @Test func theLastPageOfARankedListIsTheLastAgainWhenItIsReadAgain() async throws {
        let feed = Larder.inMemory(environment: world.environment).common
            .feed("search", paging: .cursor(order: .ranked)) { page in
                page.cursor == nil ? Page([Item("a")], next: .cursor("2")) : Page([Item("b")], next: nil)
            }
        _ = try await feed.page(limit: 1)
        for _ in 0..<3 {
            let last = try await feed.page(.older(than: "a"), limit: 2)
            #expect(last.source == .network && last.value.ids == ["b"])
            #expect(last.value.isComplete && last.value.isAtEnd)
        }
    }

    @Test func onlyWhatIsMissingIsAskedFor() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...100)
        let feed = try feed(server)
        _ = try await feed.page(limit: 20)
        server.clearLog()

        let reading = try await feed.page(limit: 30)

        #expect(server.requests == [PageRequest(below: "81", limit: 10)])
        #expect(reading.value.ids == ids(71...100))
        #expect(reading.value.isComplete)
    }

    @Test func aServerThatCapsLowerMakesAShorterPageThatSaysSo() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...100, rules: .init { $0.cap = 8 })
        let feed = try feed(server)
        let first = try await feed.page()
        #expect(first.value.ids == ids(93...100))
        #expect(!first.value.isComplete && !first.value.isAtEnd)

        let second = try await feed.page()
        #expect(second.value.ids == ids(85...100))
        let third = try await feed.page()
        #expect(third.value.ids == ids(81...100))
        #expect(third.value.isComplete)
        #expect(server.requests.map(\.max) == [nil, "93", "85"])
    }

    @Test func readingNeverCrossesAGap() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...40)
        let feed = try feed(server)
        try await feed.refresh()
        try server.insert(41...100)
        try await feed.refresh()

        let newest = try await feed.page(limit: 30, policy: .cacheOnly)
        #expect(newest.value.ids == ids(81...100))
        #expect(!newest.value.isComplete)

        let older = try await feed.page(.older(than: "31"), policy: .cacheOnly)
        #expect(older.value.ids == ids(21...30))
        await #expect(throws: LarderError.self) { try await feed.page(.older(than: "81"), policy: .cacheOnly) }
    }

    @Test func theEndIsKnownWhenAnEmptyAnswerFollowsTheLastItem() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...5)
        let feed = try feed(server)
        let first = try await feed.page()
        #expect(first.value.ids == ids(1...5))
        #expect(!first.value.isComplete, "a short page alone proves nothing")

        let second = try await feed.page()
        #expect(second.value.isComplete && second.value.isAtEnd)
        #expect(server.requests.last?.max == "1")
        #expect(try await feed.page().source == .cache)
    }

    @Test func aShortPageIsTheEndWhereThatIsDeclared() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...25)
        let feed = try feed(server, paging: .byID(shortPages: .proveTheEnd))
        _ = try await feed.page()
        let last = try await feed.page(.older(than: "6"))
        #expect(last.value.ids == ids(1...5))
        #expect(last.value.isAtEnd && last.value.isComplete)
        #expect(server.requests.count == 2)
    }

    @Test func newerItemsAreReadUpwardFromAnItem() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...100)
        let feed = try feed(server, paging: .byID(parameters: [.min, .max]))
        _ = try await feed.page(.older(than: "31"))
        server.clearLog()

        let reading = try await feed.page(.newer(than: "30"), limit: 10)

        #expect(server.requests == [PageRequest(above: "30", countedFrom: .oldest, limit: 10)])
        #expect(reading.value.ids == ids(31...40))
        #expect(try feed.gaps() == [])
    }

    @Test func onAServerThatKnowsOnlySinceTheWayUpIsFoundFromTheTop() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...20)
        let feed = try feed(server, maxAge: nil)
        try await feed.refresh()
        try server.insert(21...70)
        var calls = 0
        var reading: Reading<FeedPage<Item>>
        repeat {
            reading = try await feed.page(.newer(than: "20"), limit: 20)
            calls += 1
        } while !reading.value.isComplete && calls < 10
        #expect(reading.value.ids == ids(21...40))
        #expect(calls == 3)
        #expect(try feed.gaps() == [])
    }

    @Test func offlineTheStoredPageStandsInWithTheFailureBesideIt() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...100)
        let feed = try feed(server)
        _ = try await feed.page()
        await world.advance(by: .seconds(3600))
        server.inject(.status(503))

        let reading = try await feed.page()

        #expect(reading.source == .cache && reading.isStale && reading.reason == .networkFailed)
        #expect(reading.failure?.kind == .server(status: 503))
        #expect(reading.age == .seconds(3600))
        #expect(reading.value.ids == ids(81...100))
    }

    @Test func withNothingStoredAFailureIsThrown() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...100)
        let feed = try feed(server)
        server.inject(.status(503))
        await #expect {
            try await feed.page()
        } throws: { error in
            guard case .fetch(let failure) = error as? LarderError else { return false }
            return failure.kind == .server(status: 503)
        }
        #expect(try feed.peek() == nil)
    }

    @Test func patienceGivesTheStoredPageAndTheLateAnswerIsKept() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...100)
        let gate = Gate()
        let isSlow = Gate()
        let feed = Larder.inMemory(environment: world.environment).common.feed("home", paging: .byID) { page in
            if isSlow.isOpen { try await gate.wait() }
            return try server.page(for: page)
        }
        _ = try await feed.page()
        try server.insert(101...105)
        isSlow.open()

        async let waiting = feed.page()
        await gate.reached()
        await world.clock.sleepers(atLeast: 2)
        await world.advance(by: .seconds(3))
        let reading = try await waiting
        #expect(reading.reason == .patienceRanOut && reading.value.ids == ids(81...100))

        gate.open()
        let late = try await feed.page()
        #expect(late.value.ids.first == "105")
    }

    @Test func tenReadersOfOnePageAreOneRequest() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...100)
        let gate = Gate()
        let larder = Larder.inMemory(environment: world.environment)
        let feed = larder.common.feed("home", paging: .byID) { page in
            try await gate.wait()
            return try server.page(for: page)
        }
        try await withThrowingTaskGroup(of: [ItemID].self) { group in
            for _ in 0..<10 {
                group.addTask { try await feed.page().value.ids }
            }
            await gate.reached()
            // Whoever comes after the answer has landed finds it stored, stale, and asks again: hold it until all wait.
            while larder.waitingReaders < 10, !Task.isCancelled { await Task.yield() }
            gate.open()
            for try await shown in group { #expect(shown == ids(81...100)) }
        }
        #expect(server.requests.count == 1)
    }

    @Test func anEmptyFirstPageOverItemsHasToComeTwice() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...20)
        let feed = try feed(server)
        try await feed.refresh()
        server.inject(.empty, times: 2)

        let first = try await feed.page(policy: .networkFirst)
        #expect(first.value.ids == ids(1...20))
        #expect(first.warnings.contains { if case .emptyAnswerDistrusted = $0 { true } else { false } })
        let second = try await feed.page(policy: .networkFirst)
        #expect(second.value.ids == [])
        #expect(second.value.isComplete && second.value.isAtEnd)
    }

    @Test func aClockSetBackMakesAPageStaleAndOneSetAheadLosesNothing() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...20)
        let feed = try feed(server)
        let start = world.clock.now()
        _ = try await feed.page()

        world.clock.set(wall: start.addingTimeInterval(-2 * 86_400))
        let back = try #require(try feed.peek())
        #expect(back.isStale && back.age == .zero)

        world.clock.set(wall: start.addingTimeInterval(365 * 86_400))
        server.inject(.status(503))
        let ahead = try await feed.page(policy: .networkFirst)
        #expect(ahead.isStale && ahead.value.ids == ids(1...20))
    }

    @Test func aPlaceThatTheServerCannotBeAskedForIsServedFromWhatIsStored() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...40)
        let feed = try feed(server, paging: .byID(parameters: [.since]))
        try await feed.refresh()

        let stored = try await feed.page(.older(than: "30"), limit: 5)
        #expect(stored.value.ids == ids(25...29))
        await #expect {
            try await feed.page(.older(than: "21"))
        } throws: { error in
            guard case .fetch(let failure) = error as? LarderError else { return false }
            return failure.kind == .other
        }
        #expect(server.requests.count == 1)
    }

    @Test func whatIsProvenStaysWhenTheServerIsAskedInAnotherWay() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...40)
        let larder = Larder.inMemory(environment: world.environment)
        let first = larder.common.feed("home", paging: .byID(parameters: [.max]), fetch: server.fetchPage)
        _ = try await first.page()
        let second = larder.common.feed("home", paging: .byID(parameters: [.min, .max]), fetch: server.fetchPage)
        #expect(try second.peek()?.value.ids == ids(21...40))

        let declaredOtherwise = larder.common.feed(
            "home", paging: .byID(parameters: [.max], shortPages: .proveTheEnd), fetch: server.fetchPage)
        #expect(try declaredOtherwise.peek() == nil)
        _ = try await declaredOtherwise.page(.older(than: "5"))
        #expect(try declaredOtherwise.gaps().count > 0, "the items stay, and what was proven of them goes")
    }

    @Test func whatACacheHoldsIsToldWithItsEndsAsFarAsTheyAreKnown() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...100)
        let larder = Larder.inMemory(environment: world.environment)
        let feed = larder.common.feed("home", paging: .byID, fetch: server.fetchPage)
        _ = try await feed.page(.older(than: "50"), limit: 5)
        // That nothing lies above 5000 or below 1 says nothing about the run between 45 and 49.
        _ = try await feed.page(.older(than: "1"), limit: 5)
        server.inject(.empty)
        try await feed.refresh()

        let summary = try #require(try await larder.feeds().first)
        #expect(summary.runs.map(\.newest) == ["49"])
        #expect(summary.runs.map(\.count) == [5])
        #expect(!summary.isFloorProven)
        #expect(summary.headProvenAt == nil)
        #expect(summary.order == .byID(.decimal))

        _ = try await feed.page(limit: 100, policy: .networkOnly)
        _ = try await feed.page(.older(than: "61"), limit: 100)
        _ = try await feed.page(.older(than: "21"), limit: 100)
        let whole = try #require(try await larder.feeds().first)
        #expect(whole.runs.map(\.count) == [100])
        #expect(whole.isFloorProven)
        #expect(whole.headProvenAt == world.clock.now())
    }
}

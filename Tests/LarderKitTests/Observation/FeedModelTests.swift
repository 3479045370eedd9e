import Foundation
import LarderTestKit
import Observation
import Synchronization
import Testing

@testable import LarderKit

/// A feed for a view.
@MainActor @Suite(.timeLimit(.minutes(5))) struct FeedModelTests {
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

    @Test func whatIsStoredIsThereAtOnce() async throws {
        let feed = feed()
        let empty = FeedModel(feed)
        #expect(empty.rows.isEmpty && empty.reading == nil && empty.error == nil && !empty.isLoading && empty.isStale)
        try await feed.refresh()

        let model = FeedModel(feed)

        #expect(model.rows.count == 20 && !model.isStale && !model.isAtEnd && model.canLoadOlder)
        #expect(server.requests.count == 1)
    }

    @Test func itsOwnCallsBringItUpToDateAlsoWhenItDoesNotRun() async throws {
        let model = FeedModel(feed())
        await model.refresh()
        #expect(model.rows.count == 20 && model.lastChange.insertions.ranges.map(\.self) == [0..<20])
        try server.insert("21")
        let change = await model.refresh()
        #expect(change?.inserted == ["21"])
        #expect(model.rows.count == 21 && model.lastChange.insertions.ranges.map(\.self) == [0..<1])
        #expect(model.error == nil && !model.isLoading)
    }

    @Test func itFollowsWhileItsTaskRuns() async throws {
        let feed = feed()
        let model = FeedModel(feed)
        let running = Task { await model.run(refresh: .never) }
        try await feed.refresh()
        await until(model) { $0.rows.count == 20 && !$0.isLoading }
        try await larder.common.remove(item: "10")
        await until(model) { $0.rows.count == 19 }
        #expect(model.lastChange.removals.ranges.map(\.self) == [10..<11])

        running.cancel()
        await running.value
        try await larder.common.remove(item: "11")
        #expect(model.rows.count == 19)
    }

    @Test func whatWentWrongIsOverWhenItHasGoneRightForAnybody() async throws {
        let origin = ScriptedFetch<PageRequest, Page<Item>>(
            .fail(.http(status: 503)), .answer(Page([Item("2"), Item("1")])))
        let feed: Feed<Item> = larder.common.feed("scripted", paging: .byID) { try await origin($0) }
        let model = FeedModel(feed)
        let running = Task { await model.run(refresh: .never) }
        #expect(await model.refresh() == nil)
        #expect(model.error != nil)
        try await feed.refresh()
        await until(model) { $0.rows.count == 2 && $0.error == nil }
        running.cancel()
    }

    @Test func whereReadingOnWasGivenUpThereIsNothingToAskFor() async throws {
        let pages = [([2, 1], nil), ([3, 2], .cursor("more"))] as [([Int], Continuation?)]
        let origin = ScriptedFetch<PageRequest, Page<Item>>(
            pages.map { ids, next in
                var page = Page(ids.map { Item(ItemID($0)) })
                if let next { page.follows = .more(next) }
                return .answer(page)
            })
        let feed: Feed<Item> = larder.common.feed("list", paging: .cursor()) { try await origin($0) }
        let model = FeedModel(feed)
        #expect(model.canLoadOlder && model.stall == nil)
        await model.refresh()
        #expect(!model.canLoadOlder && model.stall == .noContinuation && !model.isAtEnd)
        #expect(FeedModel(feed).stall == .noContinuation)
        await model.refresh()
        #expect(model.canLoadOlder && model.stall == nil)
        #expect(origin.requests.count == 2)
    }

    @Test func runningAsksOnceWhenStale() async throws {
        let model = FeedModel(feed())
        let running = Task { await model.run() }
        await until(model) { $0.rows.count == 20 && !$0.isLoading }
        running.cancel()
        await running.value
        let again = Task { await model.run() }
        again.cancel()
        await again.value
        #expect(server.requests.count == 1)
    }

    @Test func nothingKeepsItAlive() async throws {
        weak var gone: FeedModel<Item>?
        do {
            let model = FeedModel(feed())
            gone = model
            let running = Task { await model.run() }
            await until(model) { $0.rows.count == 20 }
            running.cancel()
            await running.value
            #expect(larder.core.changes.followerCount == 1)
        }
        // The task's own memory may outlive its end by a moment.
        for _ in 0..<1000 where gone != nil { await Task.yield() }
        #expect(gone == nil)
        #expect(larder.core.changes.followerCount == 0)
    }

    @Test func aFailureIsShownBesideTheRowsAndGoesWithSuccess() async throws {
        let origin = ScriptedFetch<PageRequest, Page<Item>>(
            .answer(Page([Item("2"), Item("1")])), .fail(.http(status: 503)), .answer(Page([Item("2")])))
        let model = FeedModel(larder.common.feed("scripted", paging: .byID) { try await origin($0) })
        await model.refresh(limit: 2)
        #expect(await model.refresh(limit: 2) == nil)
        guard case .fetch(let failure) = model.error else {
            Issue.record("the error is \(String(describing: model.error))")
            return
        }
        #expect(failure == .http(status: 503) && model.rows.count == 2)
        await model.refresh(limit: 2)
        #expect(model.error == nil)
    }

    @Test func whatCannotBeReadAtFirstIsAnError() async throws {
        let feed = feed()
        larder.close()
        let model = FeedModel(feed)
        guard case .storage(let error) = model.error, error.kind == .closed else {
            Issue.record("the error is \(String(describing: model.error))")
            return
        }
        await model.run()
    }

    @Test func anotherRequestOfTheFeedShowsAsLoading() async throws {
        let gate = Gate()
        let origin = ScriptedFetch<PageRequest, Page<Item>>(.gated(gate, Page([Item("1")])))
        let feed = larder.common.feed("scripted", paging: .byID) { try await origin($0) }
        let model = FeedModel(feed)
        let running = Task { await model.run(refresh: .never) }
        let other = Task { try await feed.refresh() }
        await until(model) { $0.isLoading }
        #expect(model.rows.isEmpty)
        gate.open()
        _ = try await other.value
        await until(model) { !$0.isLoading && $0.rows.count == 1 }
        running.cancel()
    }

    @Test func whoShowsRowsIsToldOfRowsAlone() async throws {
        let model = FeedModel(feed())
        await model.refresh()
        let isTold = Mutex(false)
        withObservationTracking {
            _ = model.rows
        } onChange: {
            isTold.withLock { $0 = true }
        }
        await model.refresh()
        #expect(!isTold.withLock { $0 }, "nothing new has come")
        try server.insert("21")
        await model.refresh()
        #expect(isTold.withLock { $0 })
    }

    @Test func oneGapIsFilledOnceAtATime() async throws {
        let server = server
        let gate = Gate()
        let answer = ScriptedFetch<PageRequest, Page<Item>>.Step.reply { try server.page(for: $0) }
        let origin = ScriptedFetch(answer, answer, .hold(at: gate, then: answer), answer)
        let model = FeedModel(larder.common.feed("gaps", paging: .byID) { try await origin($0) })
        await model.refresh()
        try server.insert(21...60)
        await model.refresh()
        let gap = Gap(above: "41", below: "20")
        #expect(model.rows.gaps == [gap] && !model.isFilling(gap))

        let filling = Task { await model.fill(gap, limit: 10) }
        await gate.reached()
        #expect(model.isFilling(gap) && model.isLoading)
        #expect(await model.fill(gap) == nil, "it is being filled")
        gate.open()
        #expect(await filling.value?.inserted.count == 10)

        let rest = Gap(above: "31", below: "20")
        #expect(!model.isFilling(gap) && model.rows.gaps == [rest])
        #expect(model.lastChange.removals.ranges.map(\.self) == [20..<21], "the gap that was")
        #expect(model.lastChange.insertions.ranges.map(\.self) == [20..<31], "ten items, and the gap that is left")
        await model.fill(rest)
        #expect(model.rows.gaps.isEmpty && model.rows.count == 60)
        try origin.verify()
    }

    @Test func olderItemsAreLoadedUntilTheEndIsKnown() async throws {
        let model = FeedModel(feed())
        await model.refresh(limit: 15)
        #expect(model.canLoadOlder && !model.isAtEnd)
        await model.loadOlder(limit: 15)
        #expect(model.rows.count == 20)
        while model.canLoadOlder { await model.loadOlder() }
        #expect(model.isAtEnd && model.rows.count == 20 && model.error == nil)
        #expect(await model.loadOlder()?.isAtEnd == true)
    }

    /// Returns when the model is as wished, looking each time a view would.
    private func until(_ model: FeedModel<Item>, _ isMeant: @MainActor (FeedModel<Item>) -> Bool) async {
        while true {
            let change = Gate()
            let isThere = withObservationTracking {
                isMeant(model)
            } onChange: {
                change.open()
            }
            if isThere { return }
            try? await change.wait()
        }
    }
}

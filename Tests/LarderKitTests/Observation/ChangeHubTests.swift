import LarderTestKit
import Testing

@testable import LarderKit

/// Who is told of what, and what is kept of it.
@Suite(.timeLimit(.minutes(5))) struct ChangeHubTests {
    private typealias Gate = LarderTestKit.Gate

    private let hub = ChangeHub()
    private let home = ChangeHub.Topic.feed(StoreKey(partition: "ann", key: "home"))

    private func span(_ number: Int64) -> Span { Span(of: .integer(number)) }

    @Test func onlyWhoFollowsIsTold() async {
        let follower = hub.follow(home)
        hub.post(.feed(StoreKey(partition: "bob", key: "home")), touched: [span(1)])
        hub.post(.resource(StoreKey(partition: "ann", key: "home")))
        #expect(follower.takeNews().touched == [])
        hub.post(home, touched: [span(2)])
        #expect(await follower.changed())
        #expect(follower.takeNews().touched == [span(2)])
    }

    @Test func whatIsPostedAddsUpAndStaysSmall() {
        let follower = hub.follow(home)
        hub.post(home, touched: [span(1)])
        hub.post(home, touched: [span(7)])
        #expect(follower.takeNews().touched == [span(1), span(7)])
        #expect(follower.takeNews().touched == [])

        for _ in 0..<1000 { hub.post(home, touched: [span(1), span(7)]) }
        #expect((follower.takeNews().touched ?? []).count <= ChangeFollower.spanLimit)
        for number in 0..<1000 { hub.post(home, touched: [span(Int64(number) * 2)]) }
        #expect(follower.takeNews().touched == nil, "far too many places: anywhere")

        hub.post(home, touched: nil)
        hub.post(home, touched: [span(1)])
        #expect(follower.takeNews().touched == nil)
        #expect(follower.takeNews().touched == [])
    }

    @Test func whatCouldNotBeLookedAtIsNotForgotten() {
        let follower = hub.follow(home)
        hub.post(home, touched: [span(1)])
        follower.giveBack(follower.takeNews())
        hub.post(home, touched: [span(2)])
        #expect(follower.takeNews().touched == [span(1), span(2)])
    }

    @Test func nothingIsKeptOfWhoIsGone() async {
        do {
            let follower = hub.follow(home)
            #expect(hub.followerCount == 1)
            withExtendedLifetime(follower) {}
        }
        #expect(hub.followerCount == 0)
        hub.post(home)
    }

    @Test func theActivityIsThatOfAllRequests() async {
        let gate = Gate()
        let follower = hub.follow(home)
        #expect(follower.activity == .idle)
        let good = hub.tracking(home) { () async -> Result<Int, FetchFailure> in
            try? await gate.wait()
            return .success(1)
        }
        let bad = hub.tracking(home) { () async -> Result<Int, FetchFailure> in .failure(.http(status: 500)) }
        let first = Task { await good() }
        await gate.reached()
        #expect(follower.activity == .loading)
        _ = await bad()
        #expect(follower.activity == .loading, "another is under way")
        gate.open()
        _ = await first.value
        #expect(follower.activity == .idle, "the last word was good")
        _ = await bad()
        #expect(follower.activity == .failed(.http(status: 500)))

        let given = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await hub.tracking(home) { () async -> Result<Int, FetchFailure> in
                .failure(FetchFailure(.other, "cancelled"))
            }()
        }
        _ = await given.value
        #expect(follower.activity == .failed(.http(status: 500)), "what was given up says nothing")
    }

    @Test func manyWaitersAreAllWoken() async {
        let follower = hub.follow(home)
        let begun = Gate()
        begun.open()
        let waiting = (0..<4).map { _ in
            Task {
                try? await begun.wait()
                return await follower.changed()
            }
        }
        await begun.reached(times: 4)
        hub.post(home)
        for task in waiting { #expect(await task.value) }
    }

    @Test func whoFollowsAfterTheEndIsToldSo() async {
        let early = hub.follow(home)
        hub.close()
        let late = hub.follow(home)
        #expect(early.isEnded && late.isEnded)
        #expect(await !early.changed())
        #expect(hub.followerCount <= 1)
    }
}

import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(5))) struct FeedExplainTests {
    typealias Item = SimulatedFeedServer.Item

    let world = TestWorld()
    let server: SimulatedFeedServer
    let feed: Feed<Item>

    init() throws {
        server = try SimulatedFeedServer(.decimal, holding: 1...100)
        feed = Larder.inMemory(environment: world.environment).common
            .feed("home", paging: .byID(), maxAge: .seconds(60), fetch: server.fetchPage)
    }

    @Test func `nothing stored is asked for whole`() throws {
        let explanation = try feed.explain()
        #expect(explanation.decision == .wait(.nothingStored) && explanation.stored == nil)
        #expect(explanation.page == Explanation.Page(items: 0, isComplete: false, gapsBelow: 0, asked: .wholePage))
        #expect(server.requests.isEmpty)
    }

    @Test func `of a fresh page nothing is asked, of a longer one what is missing, of a stale one all`() async throws {
        _ = try await feed.page()
        let fresh = try feed.explain()
        #expect(fresh.decision == .show(.fresh) && fresh.page?.asked == .nothing && fresh.page?.items == 20)
        #expect(
            fresh.page?.isComplete == true && fresh.stored?.isFresh == true
                && fresh.stored?.codec == .init(name: "json"))
        let longer = try feed.explain(limit: 30)
        #expect(longer.page == Explanation.Page(items: 20, isComplete: false, gapsBelow: 0, asked: .missing))
        #expect(longer.decision.asks && longer.stored?.isFresh == true)
        await world.advance(by: .seconds(61))
        let stale = try feed.explain(limit: 30)
        #expect(stale.page?.asked == .wholePage && stale.stored?.staleFor == .seconds(1))
        #expect(server.requests.count == 1)
    }

    @Test func `gaps are counted from the position downwards`() async throws {
        _ = try await feed.page(limit: 10)
        for position in [FeedPosition.older(than: "50"), .older(than: "20")] {
            _ = try await feed.page(position, limit: 5)
        }
        #expect(try feed.gaps().count == 2)
        #expect(try feed.explain(limit: 5).page?.gapsBelow == 2)
        #expect(try feed.explain(.older(than: "95"), limit: 5).page?.gapsBelow == 2)
        #expect(try feed.explain(.older(than: "48"), limit: 5).page?.gapsBelow == 1)
        #expect(try feed.explain(.newer(than: "17"), limit: 2).page?.gapsBelow == 0)
    }

    @Test func `what the read then does is what was said`() async throws {
        for position in [FeedPosition.newest, .older(than: "81"), .newer(than: "90"), .newest] {
            for policy in [ReadPolicy.cacheFirst, .networkFirst, .cacheOnly, .networkOnly] {
                let explanation = try feed.explain(position, policy: policy)
                let before = server.requests.count
                _ = try? await feed.page(position, policy: policy)
                #expect((server.requests.count > before) == explanation.decision.asks, "\(position) \(policy)")
            }
        }
    }

    @Test func `items of which none decodes are asked for anew`() async throws {
        let larder = Larder.inMemory(environment: world.environment)
        let server = server
        let raw = larder.common.feed("home", paging: .byID(), maxAge: .seconds(60), fetch: server.fetchPage)
        _ = try await raw.page()
        let other = larder.common.feed(
            "home", id: \.self, paging: .byID(), maxAge: .seconds(60), codec: Codec<String>.propertyList
        ) { _ in Page([]) }
        let explanation = try other.explain()
        #expect(explanation.decision == .wait(.undecodable) && explanation.page?.asked == .wholePage)
        #expect(explanation.trouble != nil)
    }

    @Test func `a request under way is told`() async throws {
        let gate = Gate()
        let origin = ScriptedFetch<PageRequest, Page<String>>(.gated(gate, Page(["1"])))
        let feed = Larder.inMemory(environment: world.environment).common
            .feed("home", id: \.self, paging: .byID, options: .init(tags: ["posts"], origin: "api")) {
                try await origin($0)
            }
        async let page = feed.page()
        await gate.reached()
        let explanation = try feed.explain()
        #expect(explanation.network.underWay == .thisProcess && explanation.network.origin == "api")
        #expect(explanation.tags == ["posts"])
        gate.open()
        _ = try await page
    }
}

import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// What a read would do, told before it does it.
@Suite(.timeLimit(.minutes(5))) struct ResourceExplainTests {
    /// Explains, reads, and checks that the read did what was said.
    private func check(_ kit: ScriptedResource, _ resource: Resource<[Int]>, asks: Bool) async throws -> Explanation {
        let explanation = try resource.explain()
        let asked = kit.origin.requests.count
        #expect(explanation.decision.asks == asks)
        _ = try? await resource.read()
        await kit.larder.settle()
        #expect((kit.origin.requests.count > asked) == asks)
        return explanation
    }

    @Test func `nothing stored is waited for`() async throws {
        let kit = try ScriptedResource(.answer(.number(1)))
        let explanation = try await check(kit, kit.resource(), asks: true)
        #expect(explanation.decision == .wait(.nothingStored))
        #expect(explanation.stored == nil && explanation.trouble == nil && explanation.page == nil)
        #expect(explanation.sentence == "asks, and waits for the answer: nothing is stored")
    }

    @Test func `what is fresh is shown, and what is stale asked for`() async throws {
        let kit = try ScriptedResource(
            .answer(.number(1, ["ETag": "\"a\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"])),
            .answer(.number(2)))
        let resource = kit.resource(maxAge: .seconds(60))
        _ = try await resource.read()
        await kit.world.advance(by: .seconds(20))
        let fresh = try await check(kit, resource, asks: false)
        #expect(fresh.decision == .show(.fresh))
        let stored = try #require(fresh.stored)
        #expect(stored.bytes == 3 && stored.codec?.name == "served" && stored.age == .seconds(20))
        #expect(stored.lifetime == .seconds(60) && stored.lifetimeSource == .app && stored.isFresh)
        #expect(stored.validators == ["ETag", "Last-Modified"])
        await kit.world.advance(by: .seconds(50))
        let stale = try await check(kit, resource, asks: true)
        #expect(stale.decision == .ask(patience: .seconds(3), presumedOffline: false))
        #expect(stale.stored?.staleFor == .seconds(10) && stale.stored?.isFresh == false)
    }

    @Test func `the server's lifetime is told from the app's`() async throws {
        let kit = try ScriptedResource(
            .answer(.number(1, ["Cache-Control": "max-age=30, stale-while-revalidate=5, stale-if-error=9"])))
        _ = try await kit.resource().read()
        let stored = try #require(try kit.resource().explain().stored)
        #expect(stored.lifetime == .seconds(30) && stored.lifetimeSource == .server)
        #expect(stored.stale == StaleWindows(whileRevalidate: .seconds(5), ifError: .seconds(9)))
        #expect(try kit.resource(maxAge: .seconds(1)).explain().stored?.lifetimeSource == .app)
    }

    @Test func `a server whose rules are kept to is said to decide`() async throws {
        let kit = try ScriptedResource(
            .answer(.number(1, ["Cache-Control": "max-age=30, stale-while-revalidate=5, stale-if-error=9"])))
        let resource = kit.resource(options: .init(serverRules: .binding))
        _ = try await resource.read()
        await kit.world.advance(by: .seconds(32))
        let explanation = try resource.explain()
        #expect(explanation.policy == .staleWhileRevalidate(within: .seconds(5)))
        #expect(explanation.staleIfError == .seconds(9) && explanation.decision == .showAndAsk)
        await kit.world.advance(by: .seconds(10))
        #expect(try resource.explain().decision == .wait(.tooStale))
    }

    @Test func `policies that never ask, and that show nothing stored, say so`() async throws {
        let kit = try ScriptedResource(.answer(.number(1)))
        #expect(try kit.resource(.cacheOnly).explain().decision == .fail(.nothingStored))
        _ = try await kit.resource().read()
        #expect(try kit.resource(.cacheOnly).explain().decision == .show(.cacheOnly))
        #expect(try kit.resource(.networkOnly).explain().decision == .wait(.policy))
        #expect(try kit.resource().explain(.staleWhileRevalidate).decision == .showAndAsk)
    }

    @Test func `an invalidated value is told, however young`() async throws {
        let kit = try ScriptedResource()
        let resource = kit.larder.common.resource("k", maxAge: .seconds(60)) { [1] }
        try await resource.store([7])
        let stored = try #require(try resource.explain().stored)
        #expect(stored.isInvalidated && !stored.isFresh)
    }

    @Test func `an origin that is left alone is named with its reason`() async throws {
        let kit = try ScriptedResource(
            .answer(.number(1)), .answer(.status(503, ["Retry-After": "120"])), world: TestWorld())
        let resource = kit.resource(options: .init(origin: "api"))
        _ = try await resource.read()
        _ = try await resource.read()
        await kit.world.advance(by: .seconds(20))
        let explanation = try await check(kit, resource, asks: false)
        guard case .heldBack(let remaining, let failure) = explanation.network.standing else {
            Issue.record("\(explanation)")
            return
        }
        #expect(remaining <= .seconds(100) && remaining > .seconds(90) && failure.kind == .server(status: 503))
        guard case .showInstead = explanation.decision else { throw FetchFailure(.other, "\(explanation)") }
        #expect(explanation.network.origin == "api")
        #expect(explanation.sentence.contains("the server is left alone for"))
        #expect(!explanation.description.contains("api:"), "the name is the app's business")
    }

    @Test func `a hint that the network is gone cuts the patience`() async throws {
        let kit = try ScriptedResource(.answer(.number(1)), .answer(.number(2)))
        _ = try await kit.resource().read()
        kit.world.connectivity.set(.offline)
        let explanation = try kit.resource().explain()
        #expect(explanation.decision == .ask(patience: .zero, presumedOffline: true))
        #expect(explanation.network.connectivity == .offline)
    }

    @Test func `a probe that is due is not taken by looking`() async throws {
        let kit = try ScriptedResource(.answer(.number(1)), .answer(.status(503, ["Retry-After": "5"])))
        let resource = kit.resource(options: .init(origin: "api"))
        _ = try await resource.read()
        _ = try await resource.read()
        await kit.world.advance(by: .seconds(3600))
        for _ in 0..<3 {
            guard case .probeDue = try resource.explain().network.standing else {
                throw FetchFailure(.other, "\(try resource.explain())")
            }
        }
        #expect(kit.larder.core.network.claimProbe(of: "api") != nil)
    }

    @Test func `a request under way is told, and joined`() async throws {
        let gate = Gate()
        let kit = try ScriptedResource(.gated(gate, .number(1)))
        let resource = kit.resource()
        async let reading = resource.read()
        await gate.reached()
        let explanation = try resource.explain()
        #expect(explanation.network.underWay == .thisProcess)
        #expect(explanation.sentence.hasSuffix("it joins the request under way"))
        gate.open()
        _ = try await reading
        #expect(try resource.explain().network.underWay == .nobody)
    }

    @Test func `what cannot be read or decoded is said to be there, with the reason`() async throws {
        let store = FailingStore()
        let kit = try ScriptedResource(.answer(.number(1)))
        let options = ResourceOptions(storage: .store(store))
        _ = try await kit.resource(options: options).read()
        let other = kit.larder.common.resource("k", options: options, codec: .json) { "text" }
        let undecodable = try other.explain()
        #expect(undecodable.decision == .wait(.undecodable) && undecodable.stored != nil)
        #expect(undecodable.trouble?.contains("codec") == true)
        #expect(try other.explain(.cacheOnly).decision == .fail(.undecodable))
        store.fail(reading: StorageError(.corrupt, "damaged"))
        let unreadable = try kit.resource(options: options).explain()
        #expect(unreadable.decision == .wait(.unreadable) && unreadable.stored == nil)
        #expect(unreadable.trouble == "damaged")
        #expect(try kit.resource(options: options).explain(.cacheOnly).decision == .fail(.unreadable))
        #expect(try kit.resource(options: options).explain(.networkOnly).decision == .wait(.policy))
    }

    @Test func `what does not decode is asked for by way of what is left alone, unless it was too old anyway`()
        async throws
    {
        let kit = try ScriptedResource(.answer(.number(1)), .answer(.status(503, ["Retry-After": "60"])))
        _ = try await kit.resource(options: .init(origin: "api")).read()
        await kit.world.advance(by: .seconds(1))
        _ = try await kit.resource(options: .init(origin: "api")).read()
        func other(_ staleIfError: Duration?) -> Resource<String> {
            kit.larder.common.resource("k", options: .init(staleIfError: staleIfError, origin: "api"), codec: .json) {
                ""
            }
        }
        #expect(try other(nil).explain().decision == .wait(.undecodable))
        guard case .refuse(let failure) = try other(.zero).explain().decision else {
            throw FetchFailure(.other, "\(try other(.zero).explain())")
        }
        #expect(failure.kind == .server(status: 503))
        await expect(.fetch(.server(status: 503))) { try await other(.zero).read() }
        #expect(try await other(nil).read().value.isEmpty)
    }

    @Test func `to look counts nothing and leaves everything as it was`() async throws {
        let kit = try ScriptedResource(.answer(.number(1)))
        let resource = kit.resource(options: .init(tags: ["b", "a"]))
        _ = try await resource.read()
        let before = kit.larder.metrics
        let mark = kit.larder.core.database.commitMark
        for _ in 0..<3 { #expect(try resource.explain().tags == ["a", "b"]) }
        _ = try resource.peek()
        #expect(kit.larder.metrics == before)
        #expect(kit.larder.core.database.commitMark == mark && kit.origin.requests.count == 1)
    }

    @Test func `there is no telling once the larder is closed or the partition signed out of`() async throws {
        let kit = try ScriptedResource()
        let resource = kit.resource()
        try await kit.larder.common.signOut()
        #expect(throws: LarderError.self) { try resource.explain() }
        let other = kit.resource()
        _ = try other.explain()
        kit.larder.close()
        #expect(throws: LarderError.self) { try other.explain() }
    }
}

import Foundation
import LarderSQLite
import LarderTestKit
import Synchronization
import Testing

@testable import LarderKit

/// What is watched is asked for again when there is reason to, each thing once.
@Suite(.timeLimit(.minutes(5))) struct WatchingAgainTests {
    /// A larder whose resources count their requests and fail while `isDown`.
    private final class Rig: Sendable {
        let world = TestWorld()
        let larder: Larder
        let requests = Mutex<[String: Int]>([:])
        let isDown = Mutex(false)

        init() { larder = .inMemory(environment: world.environment) }

        func resource(
            _ key: String, maxAge: Duration? = .seconds(60), options: ResourceOptions = .init()
        ) -> Resource<Int> {
            larder.common.resource(key, maxAge: maxAge, options: options) { [self] in
                let count = requests.withLock { requests in
                    requests[key, default: 0] += 1
                    return requests[key, default: 0]
                }
                if isDown.withLock(\.self) { throw FetchFailure(.offline, "no network") }
                return count
            }
        }

        func count(_ key: String) -> Int { requests.withLock { $0[key] ?? 0 } }

        func set(down: Bool) { isDown.withLock { $0 = down } }

        /// Lets time pass in small steps, so that what wakes can go on before time moves further.
        func advance(by duration: Duration) async {
            for _ in 0..<Int(duration / .milliseconds(250)) {
                await rest()
                await world.advance(by: .milliseconds(250))
                await rest()
            }
        }

        /// Returns when nothing is under way, and what is to happen later sleeps.
        private func rest() async {
            let core = larder.core
            for _ in 0..<20 { await Task.yield() }
            await larder.settle()
            while !Task.isCancelled {
                let alarms = [core.refresher.alarm, core.network.alarm].compactMap(\.self)
                if alarms.allSatisfy({ $0 > world.clock.elapsed }), world.clock.sleeperCount >= alarms.count { break }
                await Task.yield()
            }
            await larder.settle()
        }

        /// Watches as one consumer until the task is cancelled.
        func watch(_ resource: Resource<Int>, _ policy: RefreshPolicy = .whenStale) async -> Task<Void, Never> {
            let begun = LarderTestKit.Gate()
            let task = Task {
                for await _ in resource.updates(refresh: policy) { begun.open() }
            }
            try? await begun.wait()
            await larder.settle()
            return task
        }
    }

    @Test func `a burst of link events makes one request for each thing that is watched and stale`() async throws {
        let rig = Rig()
        var tasks: [Task<Void, Never>] = []
        for key in ["a", "b", "c", "d", "e"] {
            // Two who watch one thing.
            for _ in 0..<2 { tasks.append(await rig.watch(rig.resource(key))) }
        }
        let fresh = await rig.watch(rig.resource("fresh", maxAge: .seconds(86_400)))
        rig.world.connectivity.set(.offline)
        await rig.advance(by: .seconds(120))
        for (wait, state) in [(0, Connectivity.online), (50, .offline), (50, .online), (100, .online)] {
            await rig.world.advance(by: .milliseconds(wait))
            rig.world.connectivity.set(state)
            await rig.advance(by: .zero)
        }
        await rig.advance(by: .seconds(30))
        for key in ["a", "b", "c", "d", "e"] { #expect(rig.count(key) == 2) }
        #expect(rig.count("fresh") == 1)
        #expect(rig.larder.connectivity == .online)
        for task in tasks + [fresh] { task.cancel() }
    }

    @Test func `the foreground asks for what is stale, at once, and for what is fresh not at all`() async throws {
        let rig = Rig()
        let task = await rig.watch(rig.resource("a"))
        let never = await rig.watch(rig.resource("b"), .whenStale.once)
        await rig.advance(by: .seconds(10))
        rig.larder.enteredForeground()
        await rig.advance(by: .seconds(1))
        #expect(rig.count("a") == 1)
        await rig.advance(by: .seconds(60))
        rig.larder.enteredForeground()
        rig.larder.enteredForeground()
        await rig.advance(by: .seconds(1))
        #expect(rig.count("a") == 2 && rig.count("b") == 1)
        task.cancel()
        never.cancel()
    }

    @Test func `an interval asks as often as it says, however many watch, and ends with them`() async throws {
        let rig = Rig()
        let tasks = [
            await rig.watch(rig.resource("a"), .whenStale.every(.seconds(30))),
            await rig.watch(rig.resource("a"), .whenStale.every(.seconds(30))),
        ]
        await rig.advance(by: .seconds(95))
        #expect(rig.count("a") == 4)
        for task in tasks {
            task.cancel()
            await task.value
        }
        #expect(rig.larder.core.refresher.count == 0)
        await rig.advance(by: .seconds(95))
        #expect(rig.count("a") == 4)
    }

    @Test func `a host that fails is left alone, and asked by one request when it may be back`() async throws {
        let rig = Rig()
        let options = ResourceOptions(origin: "api")
        var tasks: [Task<Void, Never>] = []
        for key in ["a", "b", "c", "d"] {
            tasks.append(await rig.watch(rig.resource(key, maxAge: nil, options: options)))
        }
        rig.set(down: true)
        rig.larder.enteredForeground()
        await rig.advance(by: .seconds(3))
        rig.larder.enteredForeground()
        let before = ["a", "b", "c", "d"].map(rig.count).reduce(0, +)
        await rig.advance(by: .seconds(120))
        let probes = ["a", "b", "c", "d"].map(rig.count).reduce(0, +) - before
        #expect((2...12).contains(probes), "\(probes) requests in two minutes of outage")
        rig.set(down: false)
        await rig.advance(by: .seconds(90))
        let after = ["a", "b", "c", "d"].map(rig.count).reduce(0, +) - before - probes
        #expect((4...6).contains(after), "\(after) requests after the outage")
        for task in tasks { task.cancel() }
    }

    @Test func `what is wanted and not asked for says that it waits`() async throws {
        let rig = Rig()
        let options = ResourceOptions(origin: "api")
        let resource = rig.resource("a", maxAge: nil, options: options)
        _ = try await resource.read()
        rig.set(down: true)
        for _ in 0..<3 { _ = try await resource.read() }
        var iterator = resource.updates().makeAsyncIterator()
        let first = try #require(await iterator.next())
        #expect(first.value == 1)
        guard case .waitingForNetwork(let failure?) = first.activity else {
            Issue.record("\(first.activity)")
            return
        }
        #expect(failure.kind == .offline)
        #expect(try await resource.read().reason == .heldBack)
        #expect(rig.count("a") == 4)
        // Who insists is heard.
        await #expect(throws: LarderError.self) { try await resource.read(.networkOnly) }
        #expect(rig.count("a") == 5)
    }

    @Test func `signing out ends what is watched, and nothing is asked for it any more`() async throws {
        let rig = Rig()
        let me = rig.larder.partition("me")
        let count = Mutex(0)
        let resource: Resource<Int> = me.resource("a", maxAge: .seconds(1)) {
            count.withLock { count in
                count += 1
                return count
            }
        }
        let task = await rig.watch(resource, .whenStale.every(.seconds(5)))
        try await me.signOut()
        await task.value
        await rig.advance(by: .seconds(30))
        #expect(count.withLock(\.self) == 1)
    }

    @Test func `what another process has stored is seen when the app comes to the foreground`() async throws {
        let (folder, world) = (try TestFolder(), TestWorld())
        let here = try LarderCore(folder: folder.url, environment: world.environment)
        let there = try LarderCore(folder: folder.url, environment: world.environment)
        func resource(_ core: LarderCore, _ value: Int) -> Resource<Int> {
            Partition(core: core, name: "").resource("k", maxAge: .seconds(60)) { value }
        }
        var iterator = resource(here, 1).updates().makeAsyncIterator()
        var snapshot = try await iterator.next()
        while snapshot?.value != 1 { snapshot = try await iterator.next() }
        _ = try await resource(there, 2).read(.networkOnly)
        here.enteredForeground()
        while snapshot?.value != 2 { snapshot = try await iterator.next() }
    }

    @Test func `what is stale to one who watches is asked for, though it is fresh to another`() async throws {
        let rig = Rig()
        let tasks = [
            await rig.watch(rig.resource("a", maxAge: .seconds(10))),
            await rig.watch(rig.resource("a", maxAge: .seconds(86_400))),
        ]
        await rig.advance(by: .seconds(20))
        rig.larder.enteredForeground()
        await rig.advance(by: .seconds(1))
        #expect(rig.count("a") == 2)
        for task in tasks { task.cancel() }
    }

    @Test func `a feed that cannot be looked at is asked for all the same`() async throws {
        let larder = Larder.inMemory(environment: TestWorld().environment)
        let server = try SimulatedFeedServer(.decimal, holding: 1...30)
        let origin = ScriptedFetch<PageRequest, RawAnswer>(
            .reply { server.rawAnswer(for: $0) }, .reply { server.rawAnswer(for: $0) })
        let feed: Feed<SimulatedFeedServer.Item> = larder.common.feed(
            "home", json: JSONItems(), paging: .byID, maxAge: .seconds(60)
        ) { page in try await origin(page) }
        _ = try await feed.page()
        try await larder.write { db in try db.executeScript("ALTER TABLE larder_segment RENAME TO moved") }
        #expect(throws: LarderError.self) { try feed.peek() }
        var iterator = feed.updates().makeAsyncIterator()
        #expect(try await iterator.next()?.activity == .loading)
        await origin.requests(atLeast: 2)
        #expect(origin.requests.count == 2)
    }
}

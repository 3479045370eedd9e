import Foundation
import LarderKit
import LarderTestKit
import Testing

/// The five policies, through the public calls.
@Suite(.timeLimit(.minutes(5)))
struct ResourcePolicyTests {
    @Test func `by default what is stored is asked for again, and shown when the network fails`() async throws {
        let it = try ScriptedResource(
            .answer(.number(1)), .answer(.number(2)), .fail(FetchFailure(.offline, "no network")))
        let resource = it.resource()
        let first = try await resource.read()
        #expect(first.value == [1])
        #expect(first.source == .network && first.reason == .fetched && !first.isStale)
        #expect(first.age == .zero && first.storedAt == it.world.clock.now())
        #expect(first.failure == nil && first.warnings.isEmpty)

        await it.world.advance(by: .seconds(10))
        #expect(try await resource.read().value == [2])

        await it.world.advance(by: .seconds(30))
        let third = try await resource.read()
        #expect(third.value == [2])
        #expect(third.source == .cache && third.reason == .networkFailed && third.isStale)
        #expect(third.age == .seconds(30))
        #expect(third.failure?.kind == .offline)
        try it.origin.verify()
    }

    @Test func `cache first asks again only when a value is as old as it may be`() async throws {
        let it = try ScriptedResource(.answer(.number(1)), .answer(.number(2)))
        let resource = it.resource(maxAge: .seconds(60))
        _ = try await resource.read()
        await it.world.advance(by: .milliseconds(59_999))
        let fresh = try await resource.read()
        #expect(fresh.value == [1] && fresh.source == .cache && fresh.reason == .fresh && !fresh.isStale)
        await it.world.advance(by: .milliseconds(1))
        #expect(try await resource.read().value == [2])
        try it.origin.verify()
    }

    @Test func `network first asks each time, and a late answer is stored though it was not waited for`() async throws {
        let gate = Gate()
        let it = try ScriptedResource(
            .answer(.number(1)), .answer(.number(2)), .gated(gate, .number(3)))
        let resource = it.resource(.networkFirst, maxAge: .seconds(3600))
        #expect(try await resource.read().value == [1])
        #expect(try await resource.read().value == [2])

        let slow = Task { try await resource.read() }
        await gate.reached()
        // The request's own limit and the reader's patience.
        await it.world.clock.sleepers(atLeast: 2)
        await it.world.advance(by: .seconds(3))
        let reading = try await slow.value
        #expect(reading.value == [2] && reading.source == .cache && reading.reason == .patienceRanOut)
        #expect(reading.failure == nil)
        #expect(try resource.peek()?.value == [2])

        // Whoever reads now waits for the same request.
        let joined = Task { try await resource.read() }
        gate.open()
        #expect(try await joined.value.value == [3])
        #expect(try resource.peek()?.value == [3])
        try it.origin.verify()
    }

    @Test func `network first has no patience to lose when nothing is stored`() async throws {
        let gate = Gate()
        let it = try ScriptedResource(.gated(gate, .number(1)))
        it.world.connectivity.set(.offline)
        let reader = Task { try await it.resource(.networkFirst(patience: .seconds(1))).read() }
        await gate.reached()
        await it.world.clock.sleepers(atLeast: 1)
        await it.world.advance(by: .seconds(59))
        gate.open()
        #expect(try await reader.value.value == [1])
    }

    @Test(arguments: [Connectivity.suspect, .offline], [ReadPolicy.networkFirst, .cacheFirst])
    func `a hint that the network is gone ends patience, never the request`(
        connectivity: Connectivity, policy: ReadPolicy
    ) async throws {
        let gate = Gate()
        let it = try ScriptedResource(.answer(.number(1)), .gated(gate, .number(2)))
        let resource = it.resource(policy)
        _ = try await resource.read()
        it.world.connectivity.set(connectivity)
        let reading = try await resource.read()
        #expect(reading.value == [1] && reading.reason == .presumedOffline && reading.failure == nil)
        let joined = Task { try await resource.read(.networkOnly) }
        await gate.reached()
        gate.open()
        #expect(try await joined.value.value == [2])
        #expect(try resource.peek()?.value == [2])
    }

    @Test func `stale while revalidate shows what is stored and fetches behind it`() async throws {
        let gate = Gate()
        let it = try ScriptedResource(.answer(.number(1)), .gated(gate, .number(2)))
        let resource = it.resource(.staleWhileRevalidate(within: .seconds(60)), maxAge: .seconds(10))
        _ = try await resource.read()
        await it.world.advance(by: .seconds(9))
        #expect(try await resource.read().reason == .fresh)
        await it.world.advance(by: .seconds(1))
        for _ in 0..<10 {
            let reading = try await resource.read()
            #expect(reading.value == [1] && reading.reason == .staleWhileRevalidate && reading.isStale)
        }
        let joined = Task { try await resource.read(.networkOnly) }
        await gate.reached()
        gate.open()
        #expect(try await joined.value.value == [2])
        #expect(try await resource.read().reason == .fresh)
        try it.origin.verify()
    }

    @Test func `outside its window a stale value is asked for first, and a failed refresh leaves it`() async throws {
        let it = try ScriptedResource(
            .answer(.number(1)), .fail(.http(status: 503)), .fail(.http(status: 503)), .answer(.number(2)))
        let resource = it.resource(.staleWhileRevalidate(within: .seconds(10)), maxAge: .seconds(1))
        _ = try await resource.read()
        await it.world.advance(by: .seconds(5))
        #expect(try await resource.read().reason == .staleWhileRevalidate)
        await it.origin.requests(atLeast: 2)
        await it.world.advance(by: .seconds(7))
        let reading = try await resource.read()
        // The background request may still be the one that is joined.
        #expect(reading.value == [1] && reading.reason == .networkFailed)
        #expect(reading.failure?.kind == .server(status: 503))
    }

    @Test func `cache only never asks`() async throws {
        let it = try ScriptedResource(.answer(.number(1)))
        let resource = it.resource()
        await expect(.notStored) { try await resource.read(.cacheOnly) }
        _ = try await resource.read()
        await it.world.advance(by: .seconds(1_000_000))
        let reading = try await resource.read(.cacheOnly)
        #expect(reading.value == [1] && reading.reason == .cacheOnly && reading.isStale)
        #expect(reading.age == .seconds(1_000_000))
        try it.origin.verify()
    }

    @Test func `network only never shows what is stored, and stores what it gets`() async throws {
        let it = try ScriptedResource(.answer(.number(1)), .fail(.http(status: 500)), .answer(.number(2)))
        let resource = it.resource(.networkOnly, maxAge: .seconds(60))
        _ = try await resource.read()
        await expect(.fetch(.server(status: 500))) { try await resource.read() }
        #expect(try resource.peek()?.value == [1])
        #expect(try await resource.read().value == [2])
        #expect(try resource.peek()?.value == [2])
    }

    @Test func `beyond its ceiling a stale value is no answer to a failure`() async throws {
        let it = try ScriptedResource(
            .answer(.number(1)), .fail(.http(status: 500)), .fail(.http(status: 500)), .answer(.number(2)))
        let resource = it.resource(maxAge: .seconds(10), options: .init(staleIfError: .seconds(20)))
        _ = try await resource.read()
        await it.world.advance(by: .seconds(30))
        #expect(try await resource.read().value == [1])
        await it.world.advance(by: .seconds(1))
        await expect(.fetch(.server(status: 500))) { try await resource.read() }
        #expect(try resource.peek()?.value == [1])
        #expect(try await resource.read().value == [2])
    }

    @Test func `a request that does not end is given up, and the next one is made`() async throws {
        let it = try ScriptedResource(.hold, .answer(.number(1)))
        let resource = it.resource(options: .init(fetchTimeout: .seconds(5)))
        let reader = Task { try await resource.read() }
        await it.world.clock.sleepers(atLeast: 1)
        await it.world.advance(by: .seconds(5))
        await expect(.fetch(.timedOut)) { try await reader.value }
        #expect(try await resource.read().value == [1])
    }

    @Test func `a cancelled reader is told so, and its request is cancelled`() async throws {
        let it = try ScriptedResource(.hold, .answer(.number(1)))
        let resource = it.resource()
        let reader = Task { try await resource.read() }
        await it.origin.requests(atLeast: 1)
        reader.cancel()
        await expect(.cancelled) { try await reader.value }
        #expect(try await resource.read().value == [1])
    }

    @Test func `a peek asks nobody, and nil is not stored`() async throws {
        let it = try ScriptedResource(.answer(.number(1)))
        let resource = it.resource(maxAge: .seconds(10))
        #expect(try resource.peek() == nil)
        _ = try await resource.read()
        let peeked = try #require(try resource.peek())
        #expect(peeked.value == [1] && peeked.reason == .peeked && peeked.source == .cache && !peeked.isStale)
        await it.world.advance(by: .seconds(11))
        #expect(try resource.peek()?.isStale == true)
        #expect(try resource.peek()?.age == .seconds(11))
        try await resource.remove()
        #expect(try resource.peek() == nil)
        try it.origin.verify()
    }
}

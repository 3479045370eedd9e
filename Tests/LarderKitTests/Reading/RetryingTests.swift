import LarderTestKit
import Synchronization
import Testing

@testable import LarderKit

private typealias Gate = LarderTestKit.Gate

@Suite(.timeLimit(.minutes(5)))
struct RetryingTests {
    private struct Odd: Error, Equatable {}

    /// Chance that gives the whole bound each time.
    private struct Most: RandomSource {
        func next() -> UInt64 { .max }
    }

    private final class Retries: Sendable {
        private let noted = Mutex<[Duration]>([])
        var delays: [Duration] { noted.withLock { $0 } }
        func note(_: FetchFailure, _ delay: Duration) { noted.withLock { $0.append(delay) } }
    }

    private let world = TestWorld(random: Most())
    private let retries = Retries()

    private func start(
        _ policy: RetryPolicy, _ operation: @escaping @Sendable () async throws -> Int
    ) -> Task<Int, any Error> {
        let (environment, retries) = (world.environment, retries)
        return Task {
            try await retrying(policy, environment: environment, onRetry: retries.note, operation)
        }
    }

    @Test func `what passes is asked for again, later each time`() async throws {
        let origin = ScriptedFetch<Void, Int>(
            .fail(.http(status: 503)), .fail(FetchFailure(.offline, "")), .answer(7))
        let task = start(.standard) { try await origin() }
        await world.clock.sleepers(atLeast: 1)
        #expect(origin.requests.count == 1)
        await world.advance(by: .milliseconds(500))
        await world.clock.sleepers(atLeast: 1)
        #expect(origin.requests.count == 2)
        await world.advance(by: .seconds(1))
        #expect(try await task.value == 7)
        #expect(retries.delays == [.milliseconds(500), .seconds(1)])
        try origin.verify()
    }

    @Test func `the last failure is thrown as it came`() async throws {
        let origin = ScriptedFetch<Void, Int>(.fail(.http(status: 503)), .fail(.http(status: 504)))
        let task = start(RetryPolicy(attempts: 2, base: .zero)) { try await origin() }
        let failure = await #expect(throws: FetchFailure.self) { try await task.value }
        #expect(failure?.kind == .server(status: 504))
        try origin.verify()

        let other = ScriptedFetch<Void, Int>(.fail(Odd()))
        await #expect(throws: Odd()) { try await start(.standard) { try await other() }.value }
        try other.verify()
        #expect(retries.delays == [.zero])
    }

    @Test func `without a policy nothing is asked for again`() async throws {
        let origin = ScriptedFetch<Void, Int>(.fail(.http(status: 503)))
        await #expect(throws: FetchFailure.self) { try await start(.none) { try await origin() }.value }
        try origin.verify()
    }

    @Test func `the time that requests take is within the budget`() async throws {
        let clock = world.clock
        let origin = ScriptedFetch<Void, Int>(
            .reply {
                try await clock.sleep(for: .seconds(50))
                throw FetchFailure(.timedOut, "")
            },
            .fail(.http(status: 503, retryAfter: .seconds(10))))
        let task = start(RetryPolicy(attempts: 9)) { try await origin() }
        await clock.sleepers(atLeast: 1)
        await world.advance(by: .seconds(50))
        await clock.sleepers(atLeast: 1)
        await world.advance(by: .milliseconds(500))
        // 50.5 seconds have gone by, and ten more would be too many.
        await #expect(throws: FetchFailure.self) { try await task.value }
        #expect(retries.delays == [.milliseconds(500)])
        try origin.verify()
    }

    @Test func `a cancelled task does not wait for its next attempt`() async throws {
        let origin = ScriptedFetch<Void, Int>(.fail(.http(status: 503)))
        let task = start(.standard) { try await origin() }
        await world.clock.sleepers(atLeast: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(world.clock.sleeperCount == 0)
        try origin.verify()
    }

    @Test func `a failure in a cancelled task is no reason to ask again`() async throws {
        let gate = Gate()
        let origin = ScriptedFetch<Void, Int>(
            .reply {
                // As an operation does that ignores its cancellation.
                await Task { try? await gate.wait() }.value
                throw FetchFailure(.offline, "")
            })
        let task = start(RetryPolicy(attempts: 9, base: .zero)) { try await origin() }
        await gate.reached()
        task.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(retries.delays.isEmpty)
        try origin.verify()
    }

    @Test func `a task cancelled before it began asks nobody`() async throws {
        let gate = Gate()
        let origin = ScriptedFetch<Void, Int>([])
        let environment = world.environment
        let task = Task {
            try? await gate.wait()
            return try await retrying(.standard, environment: environment) { try await origin() }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try origin.verify()
    }
}

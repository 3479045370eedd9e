import LarderTestKit
import Synchronization
import Testing

@testable import LarderKit

/// Not the one that the kit itself has inside.
private typealias Gate = LarderTestKit.Gate

@Suite(.timeLimit(.minutes(5)))
struct DeadlineTests {
    private let clock = ManualClock()

    @Test func `what ends in time is the result, and nobody sleeps on`() async throws {
        #expect(try await withDeadline(.seconds(1), clock: clock) { 7 } == 7)
        while clock.sleeperCount > 0, !Task.isCancelled { await Task.yield() }
    }

    @Test func `an error that is thrown in time is the result`() async throws {
        let failure = await #expect(throws: FetchFailure.self) {
            try await withDeadline(.seconds(1), clock: clock) { throw FetchFailure.http(status: 503) }
        }
        #expect(failure?.kind == .server(status: 503))
    }

    @Test func `after the limit the operation is cancelled and the failure says so`() async throws {
        let cancelled = Gate()
        let reader = Task { [clock] in
            try await withDeadline(.seconds(60), clock: clock) {
                do { try await Gate().wait() } catch { cancelled.open() }
            }
        }
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(59))
        #expect(!cancelled.isOpen)
        await clock.advance(by: .seconds(1))
        let failure = await #expect(throws: FetchFailure.self) { try await reader.value }
        #expect(failure?.kind == .timedOut)
        try await cancelled.wait()
    }

    @Test func `an operation that ignores its cancellation is not waited for`() async throws {
        let deaf = Deaf()
        let reader = Task { [clock] in
            try await withDeadline(.seconds(60), clock: clock) { await deaf.run() }
        }
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(60))
        let failure = await #expect(throws: FetchFailure.self) { try await reader.value }
        #expect(failure?.kind == .timedOut)
        deaf.end()
    }

    @Test func `who is cancelled does not wait for an operation that ignores it`() async throws {
        let deaf = Deaf()
        let reader = Task { [clock] in
            try await withDeadline(.seconds(60), clock: clock) { await deaf.run() }
        }
        await clock.sleepers(atLeast: 1)
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        deaf.end()
    }

    @Test func `who is cancelled before it begins leaves at once, and nothing is begun`() async throws {
        let hasBegun = Mutex(false)
        let reader = Task { [clock] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await withDeadline(.seconds(60), clock: clock) { hasBegun.withLock { $0 = true } }
        }
        await #expect(throws: CancellationError.self) { try await reader.value }
        for _ in 0..<200 { await Task.yield() }
        #expect(!hasBegun.withLock { $0 })
        #expect(clock.sleeperCount == 0)
    }

    /// Waits until it is told to end, and hears nothing else.
    private final class Deaf: Sendable {
        private struct State {
            var isOver = false
            var waiting: CheckedContinuation<Void, Never>?
        }

        private let state = Mutex(State())

        func run() async {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.isOver { state.waiting = continuation }
                    return state.isOver
                }
                if isOver { continuation.resume() }
            }
        }

        func end() {
            let waiting = state.withLock { state in
                state.isOver = true
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.resume()
        }
    }
}

public import Foundation
public import LarderKit
import Synchronization

/// A clock that moves only by hand.
///
/// ``advance(by:)`` lets time pass: wall time moves and sleepers wake. ``set(wall:)`` is a user changing the clock: wall
/// time jumps and nobody wakes. No real time is involved anywhere.
///
/// A task that was only just started may not sleep yet when the test goes on: wait for it with ``sleepers(atLeast:)``
/// before advancing.
public final class ManualClock: LarderClock {
    /// All times but the wall's are durations since the clock was made.
    private struct State {
        var elapsed = Duration.zero
        /// The wall time at `wallAnchor`; kept as a pair so that many small steps do not add up rounding errors.
        var wallBase: Date
        var wallAnchor = Duration.zero
        var sleepers = WaitingLine<Duration>()
        /// Those who wait for a number of sleepers.
        var watchers = WaitingLine<Int>()
        /// Those who woke a sleeper and wait until it runs again.
        var wakers: [WaitingLine<Duration>.Ticket: CheckedContinuation<Void, Never>] = [:]

        var wall: Date { wallBase + (elapsed - wallAnchor).timeInterval }
    }

    private let state: Mutex<State>

    /// Noon on 15 January 2026, UTC: where a clock starts unless told otherwise.
    public static let defaultStart = Date(timeIntervalSince1970: 1_768_478_400)

    public init(wall: Date = ManualClock.defaultStart) {
        state = Mutex(State(wallBase: wall))
    }

    public func now() -> Date {
        state.withLock { $0.wall }
    }

    /// How much time has passed, by ``advance(by:)`` alone.
    public var elapsed: Duration {
        state.withLock { $0.elapsed }
    }

    /// How many tasks sleep now.
    public var sleeperCount: Int {
        state.withLock { $0.sleepers.count }
    }

    /// What ``elapsed`` will be when the first of the sleepers wakes; `nil` when nobody sleeps.
    package var nextWake: Duration? {
        state.withLock { $0.sleepers.first?.key }
    }

    /// Jumps wall time, forward or back, without touching sleepers: what a change of the machine's clock does.
    public func set(wall: Date) {
        state.withLock { state in
            state.wallBase = wall
            state.wallAnchor = state.elapsed
        }
    }

    /// Lets `duration` pass; zero or less lets nothing pass.
    ///
    /// Sleepers whose time comes are woken one by one, in the order of their deadlines, and at equal deadlines in the
    /// order they fell asleep. Guaranteed for each of them: the clock stands at its deadline when it is woken; its task
    /// runs again before the next one is woken; and whoever falls asleep again in time is woken again within this call.
    /// Each also gets several turns of the scheduler to go on before time moves further, but how far it comes in them is
    /// not guaranteed: a test that must know waits for an event (``sleepers(atLeast:)``, ``Gate/reached(times:)``).
    public func advance(by duration: Duration) async {
        let target = state.withLock { $0.elapsed + max(duration, .zero) }
        while await wakeOne(upTo: target) {
            for _ in 0..<Self.turns { await Task.yield() }
        }
        state.withLock { $0.elapsed = max($0.elapsed, target) }
    }

    private static let turns = 10

    /// Wakes the first sleeper that is due at `target`, and returns when its task runs. False when nobody is due.
    private func wakeOne(upTo target: Duration) async -> Bool {
        let due = state.withLock { state in
            let due = state.sleepers.takeFirst(upTo: target)
            if let due { state.elapsed = max(state.elapsed, due.key) }
            return due
        }
        guard let due else { return false }
        await withCheckedContinuation { waker in
            state.withLock { $0.wakers[due.ticket] = waker }
            due.continuation.resume()
        }
        return true
    }

    /// Returns once the clock was advanced by `duration`, or throws `CancellationError` as soon as the task is cancelled.
    /// A duration of zero or less returns at once.
    public func sleep(for duration: Duration) async throws {
        try await sleep { $0 + max(duration, .zero) }
    }

    /// The same, until ``elapsed`` is `deadline` or later, however much of that has passed by the time the task sleeps.
    func sleep(until deadline: Duration) async throws {
        try await sleep { _ in deadline }
    }

    private func sleep(until deadline: (_ elapsed: Duration) -> Duration) async throws {
        try Task.checkCancellation()
        let ticket = state.withLock { $0.sleepers.drawTicket() }
        try await WaitingLine<Duration>.wait { continuation in
            let (outcome, satisfied): (Result<Void, any Error>?, [WaitingLine<Int>.Continuation]) = state.withLock {
                state in
                if Task.isCancelled { return (.failure(CancellationError()), []) }
                let deadline = deadline(state.elapsed)
                guard deadline > state.elapsed else { return (.success(()), []) }
                state.sleepers.join(ticket, key: deadline, continuation)
                return (nil, state.watchers.takeAll(upTo: state.sleepers.count))
            }
            for watcher in satisfied { watcher.resume() }
            return outcome
        } leave: {
            state.withLock { $0.sleepers.leave(ticket) }
        }
        state.withLock { $0.wakers.removeValue(forKey: ticket) }?.resume()
    }

    /// Returns when at least `count` tasks sleep at the same time, or when the calling task is cancelled.
    public func sleepers(atLeast count: Int) async {
        let ticket = state.withLock { $0.watchers.drawTicket() }
        try? await WaitingLine<Int>.wait { continuation in
            state.withLock { state in
                if Task.isCancelled { return .failure(CancellationError()) }
                if state.sleepers.count >= count { return .success(()) }
                state.watchers.join(ticket, key: count, continuation)
                return nil
            }
        } leave: {
            state.withLock { $0.watchers.leave(ticket) }
        }
    }
}

extension Duration {
    /// In seconds, as Foundation counts.
    var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
    }
}

public import LarderKit
import Synchronization

/// A network between fetch closures and their servers, as bad as a test wants it, in virtual time.
///
/// ```swift
/// @Test func aSlowNetworkIsNotWaitedForLongerThanThreeSeconds() async throws {
///     let world = TestWorld()
///     let larder = Larder.inMemory(environment: world.environment)
///     let network = SimulatedNetwork(clock: world.clock)
///     let profile = larder.common.resource("profile", decoding: Profile.self, policy: .networkFirst) { request in
///         try await network.answer(to: request) { RawAnswer(body: Data(#"{"name":"Ada"}"#.utf8)) }
///     }
///     _ = try await profile.read()
///
///     network.set(.slow(latency: .seconds(5)))
///     async let reading = profile.read()
///     // What sleeps: the answer on its way, the request's own limit, and the reader's patience.
///     await world.clock.sleepers(atLeast: 3)
///     await world.advance(by: .seconds(3))
///     #expect(try await reading.reason == .patienceRanOut)
/// }
/// ```
///
/// Everything arrives at once until something else is said: ``set(_:)`` from now on, ``script(_:)`` at given times, or
/// ``next(_:)`` for single requests. The server speaks when the request is sent, and what it said is then on its way: an answer
/// that comes late is as old as its request. A request keeps to its end the condition that it was sent under.
public final class SimulatedNetwork: Sendable {
    /// A request that was sent.
    public struct Sent: Sendable, Hashable {
        /// When, by ``ManualClock/elapsed``.
        public let at: Duration
        /// What it asked with whether anything has changed; `nil` for a request without.
        public let validators: Validators?
        /// What has become of it.
        public let condition: NetworkCondition
    }

    private struct State {
        /// What holds from which time on, in the order of time.
        var timeline: [(at: Duration, condition: NetworkCondition)] = []
        var next: [NetworkCondition] = []
        var sent: [Sent] = []
        var underWay = 0
        var watchers = WaitingLine<Int>()

        func condition(at time: Duration) -> NetworkCondition {
            timeline.last { $0.at <= time }?.condition ?? .online
        }
    }

    let clock: ManualClock
    private let state = Mutex(State())

    /// - Parameter clock: The clock of the world that the larder lives in.
    public init(clock: ManualClock) {
        self.clock = clock
    }

    // MARK: What the network is like

    /// How it is from now on, whatever was scripted.
    public func set(_ condition: NetworkCondition) {
        state.withLock { $0.timeline = [(clock.elapsed, condition)] }
    }

    /// How the coming requests fare, one each; the one after them meets again what was set or scripted.
    public func next(_ conditions: NetworkCondition...) {
        state.withLock { $0.next += conditions }
    }

    /// How it will be, at times counted from now:
    /// `network.script([(at: .zero, .online), (at: .seconds(10), .offline)])`. Up to the first of them it is as it was.
    public func script(_ timeline: [(at: Duration, NetworkCondition)]) {
        let now = clock.elapsed
        state.withLock { state in
            let before = (at: now, condition: state.condition(at: now))
            let coming = timeline.map { (at: now + $0.at, condition: $0.1) }
            // A sort that keeps the order of equal times.
            let order = coming.indices.sorted { (coming[$0].at, $0) < (coming[$1].at, $1) }
            state.timeline = [before] + order.map { coming[$0] }
        }
    }

    /// How it is now to a request that ``next(_:)`` says nothing of.
    public var condition: NetworkCondition {
        state.withLock { $0.condition(at: clock.elapsed) }
    }

    // MARK: What was sent

    /// All requests so far, in the order they were sent.
    public var requests: [Sent] { state.withLock { $0.sent } }

    public var requestCount: Int { state.withLock { $0.sent.count } }

    /// How many requests have been sent and neither answered nor given up.
    public var waitingCount: Int { state.withLock { $0.underWay } }

    /// Returns when at least `count` requests have been sent, or when the calling task is cancelled. The answer of each is
    /// then due at its time, however soon the clock is advanced.
    public func requests(atLeast count: Int) async {
        let ticket = state.withLock { $0.watchers.drawTicket() }
        try? await WaitingLine<Int>.wait { continuation in
            state.withLock { state in
                if Task.isCancelled { return .failure(CancellationError()) }
                if state.sent.count >= count { return .success(()) }
                state.watchers.join(ticket, key: count, continuation)
                return nil
            }
        } leave: {
            state.withLock { $0.watchers.leave(ticket) }
        }
    }

    /// Sends a request: `speak` is what comes of its course at the far end, and is handed over when its time has come.
    func carry<Answer: Sendable>(
        _ validators: Validators?, _ speak: @Sendable (NetworkCondition.Course) async throws -> Answer
    ) async throws -> Answer {
        let (sent, satisfied) = state.withLock { state in
            let now = clock.elapsed
            let condition = state.next.isEmpty ? state.condition(at: now) : state.next.removeFirst()
            let sent = Sent(at: now, validators: validators, condition: condition)
            state.sent.append(sent)
            state.underWay += 1
            return (sent, state.watchers.takeAll(upTo: state.sent.count))
        }
        for watcher in satisfied { watcher.resume() }
        defer { state.withLock { $0.underWay -= 1 } }
        let answer: Result<Answer, any Error>
        do { answer = .success(try await speak(sent.condition.course)) } catch { answer = .failure(error) }
        try await clock.sleep(until: sent.at + sent.condition.delay)
        return try answer.get()
    }
}

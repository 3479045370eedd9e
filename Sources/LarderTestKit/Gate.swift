import Synchronization

/// A latch that holds tasks until it is opened, so that a test orders events without sleeping.
///
/// ```swift
/// let gate = Gate()
/// let origin = ScriptedFetch<Void, Int>(.gated(gate, 1))
/// async let value = origin()
/// await gate.reached()      // the request is under way
/// // … what should happen meanwhile …
/// gate.open()
/// ```
///
/// A gate opens once and stays open.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiting = WaitingLine<Int>()
        var watchers = WaitingLine<Int>()

        /// Lets a task pass, or puts it in the line (`nil`).
        mutating func admit(
            _ ticket: WaitingLine<Int>.Ticket, _ continuation: WaitingLine<Int>.Continuation
        ) -> Result<Void, any Error>? {
            if isOpen { return .success(()) }
            if Task.isCancelled { return .failure(CancellationError()) }
            waiting.join(ticket, key: 0, continuation)
            return nil
        }
    }

    private let state = Mutex(State())

    public init() {}

    public var isOpen: Bool {
        state.withLock { $0.isOpen }
    }

    /// How many tasks wait at the gate now.
    public var waitingCount: Int {
        state.withLock { $0.waiting.count }
    }

    /// Lets everyone pass, from now on. They are resumed in the order they came.
    public func open() {
        let released = state.withLock { state in
            state.isOpen = true
            return state.waiting.takeAll(upTo: .max)
        }
        for task in released { task.resume() }
    }

    /// Returns when the gate is open: at once if it is already. Throws `CancellationError` as soon as the task is
    /// cancelled while it waits.
    public func wait() async throws {
        let ticket = state.withLock { $0.waiting.drawTicket() }
        try await WaitingLine<Int>.wait { continuation in
            let (outcome, satisfied) = state.withLock { state in
                state.arrivals += 1
                return (state.admit(ticket, continuation), state.watchers.takeAll(upTo: state.arrivals))
            }
            for watcher in satisfied { watcher.resume() }
            return outcome
        } leave: {
            state.withLock { $0.waiting.leave(ticket) }
        }
    }

    /// Returns when tasks have come to the gate `times` times since it was made, whether they still wait or have passed;
    /// or when the calling task is cancelled.
    public func reached(times: Int = 1) async {
        let ticket = state.withLock { $0.watchers.drawTicket() }
        try? await WaitingLine<Int>.wait { continuation in
            state.withLock { state in
                if Task.isCancelled { return .failure(CancellationError()) }
                if state.arrivals >= times { return .success(()) }
                state.watchers.join(ticket, key: times, continuation)
                return nil
            }
        } leave: {
            state.withLock { $0.watchers.leave(ticket) }
        }
    }
}

import Synchronization

/// One fetch under way, and those who wait for it.
final class Flight: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var nextTicket = 0
        /// Those aboard; a continuation once they wait.
        var waiters: [Int: CheckedContinuation<(any Sendable)?, Never>?] = [:]
        var goesOnAlone = false
        var isCancelled = false
        var landed: (any Sendable)?
    }

    private let state = Mutex(State())

    /// A ticket to wait with, or `nil` when the flight has been given up.
    func join() -> Int? {
        state.withLock { state in
            guard !state.isCancelled else { return nil }
            state.nextTicket += 1
            state.waiters[state.nextTicket] = .some(nil)
            return state.nextTicket
        }
    }

    /// How many are aboard.
    var waiterCount: Int {
        state.withLock { $0.waiters.count }
    }

    /// The task that flies.
    func take(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// The flight goes on even when nobody waits any more.
    func keepFlying() {
        state.withLock { $0.goesOnAlone = true }
    }

    /// The value, or `nil` when the waiter has left.
    func landing(_ ticket: Int) async -> (any Sendable)? {
        await withCheckedContinuation { continuation in
            let answer: (any Sendable)?? = state.withLock { state in
                if let landed = state.landed { return .some(landed) }
                guard state.waiters[ticket] != nil else { return .some(nil) }
                state.waiters[ticket] = .some(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    func land(_ value: any Sendable) {
        let waiting = state.withLock { state in
            state.landed = value
            let waiting = state.waiters.values.compactMap { $0 }
            state.waiters = [:]
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    /// - Returns: Whether the flight was given up, since nobody waits for it any more.
    func leave(_ ticket: Int) -> Bool {
        let (continuation, task) = state.withLock {
            state -> (CheckedContinuation<(any Sendable)?, Never>?, Task<Void, Never>?) in
            guard let waiter = state.waiters.removeValue(forKey: ticket) else { return (nil, nil) }
            guard state.waiters.isEmpty, !state.goesOnAlone, state.landed == nil else { return (waiter, nil) }
            state.isCancelled = true
            return (waiter, state.task)
        }
        continuation?.resume(returning: nil)
        task?.cancel()
        return task != nil
    }
}

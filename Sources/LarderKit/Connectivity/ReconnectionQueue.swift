import Synchronization

/// What one who waits for reconnections has not taken yet: each once, in the order they came.
final class ReconnectionQueue: Sendable {
    private struct State {
        var waiting: [CheckedContinuation<Reconnection?, Never>] = []
        var unread: [Reconnection] = []
        var isEnded = false
    }

    private let state = Mutex(State())

    /// The reconnections from now on. The queue lives as long as the stream does.
    func stream() -> AsyncStream<Reconnection> {
        AsyncStream(unfolding: { await self.next() }, onCancel: { [weak self] in self?.end() })
    }

    func add(_ reconnections: [Reconnection]) {
        let woken = state.withLock { state in
            guard !state.isEnded else { return [] as [Handover] }
            for reconnection in reconnections where !state.unread.contains(reconnection) {
                state.unread.append(reconnection)
            }
            let count = min(state.waiting.count, state.unread.count)
            defer {
                state.waiting.removeFirst(count)
                state.unread.removeFirst(count)
            }
            return zip(state.waiting, state.unread).map { Handover(to: $0, $1) }
        }
        for handover in woken { handover.continuation.resume(returning: handover.reconnection) }
    }

    private struct Handover {
        let continuation: CheckedContinuation<Reconnection?, Never>
        let reconnection: Reconnection

        init(to continuation: CheckedContinuation<Reconnection?, Never>, _ reconnection: Reconnection) {
            self.continuation = continuation
            self.reconnection = reconnection
        }
    }

    /// Nothing more comes. What was not taken yet still can be.
    func end() {
        let waiting = state.withLock { state in
            state.isEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: nil) }
    }

    private func next() async -> Reconnection? {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state -> Reconnection?? in
                if !state.unread.isEmpty { return .some(state.unread.removeFirst()) }
                if state.isEnded { return .some(nil) }
                state.waiting.append(continuation)
                return nil
            }
            if let result { continuation.resume(returning: result) }
        }
    }
}

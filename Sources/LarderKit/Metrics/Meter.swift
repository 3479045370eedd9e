import Synchronization

/// Counts what happens in a larder, and hands it to the log.
final class Meter: Sendable {
    private struct State {
        var metrics = Metrics()
        /// What of it has been taken to be saved.
        var taken = Metrics()
        var listeners: [UInt64: AsyncStream<Metrics>.Continuation] = [:]
        var nextListener: UInt64 = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let log: any LarderLog
    private let isLogging: Bool

    init(log: any LarderLog = NoLog()) {
        self.log = log
        isLogging = !(log is NoLog)
    }

    deinit { close() }

    /// Counts the event and logs it. Where nobody logs or listens it costs one lock.
    func note(_ event: LarderEvent) {
        state.withLock { state in
            state.metrics.count(event)
            // Under the lock, so that the last state a listener hears is the last there is.
            for listener in state.listeners.values { listener.yield(state.metrics) }
        }
        if isLogging { log.note(event) }
    }

    /// What the events of `key` are told to concern. Where nobody logs, no number is made.
    func subject(_ kind: LarderEvent.Subject.Kind, _ key: StoreKey) -> LarderEvent.Subject {
        isLogging ? LarderEvent.Subject(kind, key) : LarderEvent.Subject(kind, number: 0)
    }

    /// What has been counted in this process.
    var snapshot: Metrics { state.withLock { $0.metrics } }

    /// The counters now, then after each change; to a consumer that is slow, the latest. Ends when the larder is closed.
    func updates() -> some AsyncSequence<Metrics, Never> & Sendable {
        let (stream, listener) = AsyncStream.makeStream(of: Metrics.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> UInt64? in
            listener.yield(state.metrics)
            guard !state.isClosed else { return nil }
            defer { state.nextListener += 1 }
            state.listeners[state.nextListener] = listener
            return state.nextListener
        }
        guard let number else {
            listener.finish()
            return stream
        }
        listener.onTermination = { [weak self] _ in
            self?.forget(number)
        }
        return stream
    }

    /// How many listen.
    var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Ends all updates, now and later. Counting goes on.
    func close() {
        let listeners = state.withLock { state in
            state.isClosed = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    /// Taken out of the lock before it is let go: it may be the last to hold its stream.
    private func forget(_ number: UInt64) {
        _ = state.withLock { $0.listeners.removeValue(forKey: number) }
    }
}

extension Meter {
    /// What was counted since this was last asked, to be added to what is stored. Two who ask never get the same.
    func takeUnsaved() -> Metrics {
        state.withLock { state in
            defer { state.taken = state.metrics }
            return state.metrics - state.taken
        }
    }

    /// What was counted and has not been taken.
    var unsaved: Metrics { state.withLock { $0.metrics - $0.taken } }

    /// Says that what was taken could not be saved after all: the next to take gets it too.
    func giveBack(_ unsaved: Metrics) {
        state.withLock { $0.taken -= unsaved }
    }
}

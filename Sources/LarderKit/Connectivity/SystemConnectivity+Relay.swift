import Synchronization

/// Remembers one ``Connectivity`` and tells every listener of its changes.
package final class ConnectivityRelay: ConnectivitySource {
    private struct State {
        var current: Connectivity
        var listeners: [UInt64: AsyncStream<Connectivity>.Continuation] = [:]
        var nextListener: UInt64 = 0
    }

    private let state: Mutex<State>

    package init(_ initial: Connectivity) {
        state = Mutex(State(current: initial))
    }

    deinit { finish() }

    /// Ends all streams there are.
    package func finish() {
        for listener in state.withLock({ $0.listeners.values.map(\.self) }) { listener.finish() }
    }

    package var current: Connectivity {
        state.withLock { $0.current }
    }

    /// Changes the state. Listeners hear of transitions only: the same state again says nothing.
    package func publish(_ new: Connectivity) {
        state.withLock { state in
            guard new != state.current else { return }
            state.current = new
            // Under the lock, so that all listeners hear two concurrent changes in the one order they happened. The
            // stream calls nothing of ours while it takes a value.
            for listener in state.listeners.values { listener.yield(new) }
        }
    }

    package func states() -> AsyncStream<Connectivity> {
        let (stream, listener) = AsyncStream.makeStream(of: Connectivity.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            let number = state.nextListener
            state.nextListener += 1
            state.listeners[number] = listener
            listener.yield(state.current)
            return number
        }
        listener.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[number] = nil }
        }
        return stream
    }

    /// How many streams are being listened to.
    package var listenerCount: Int {
        state.withLock { $0.listeners.count }
    }
}

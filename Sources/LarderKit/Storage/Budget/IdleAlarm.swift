import Synchronization

/// Has something done once, when some time has passed; asked again meanwhile, it is done once all the same.
final class IdleAlarm: Sendable {
    /// Long enough for a program to be past its start, and for a burst of work to have ended.
    static let delay = Duration.seconds(15)

    private struct State {
        var task: Task<Void, Never>?
        var isClosed = false
    }

    private let clock: any LarderClock
    private let state = Mutex(State())

    init(clock: any LarderClock) {
        self.clock = clock
    }

    deinit { close() }

    func set(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard state.task == nil, !state.isClosed else { return }
            state.task = Task.detached(priority: .background) { [weak self, clock] in
                do { try await clock.sleep(for: Self.delay) } catch { return }
                self?.state.withLock { $0.task = nil }
                await work()
            }
        }
    }

    var isSet: Bool { state.withLock { $0.task != nil } }

    func close() {
        let task = state.withLock { state in
            state.isClosed = true
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
    }
}

import Synchronization

/// Asks again for what is watched, when the ``RefreshSchedule`` says so.
///
/// One task sleeps until something is due, and another listens for the network to come back; both only while something is
/// watched by a policy that wants them.
final class Refresher: Sendable {
    /// Asks the server: whatever the age of what is stored, or only when that is stale. Says whether it is being asked.
    typealias Ask = @Sendable (_ isUnconditional: Bool) -> Bool

    private struct State {
        var schedule = RefreshSchedule()
        var asks: [Int: Ask] = [:]
        var nextWatcher = 0
        var alarm = Alarm()
        var listener: Task<Void, Never>?
        var isClosed = false
    }

    private let environment: LarderEnvironment
    private let network: NetworkWatch
    private let activity: @Sendable (ChangeHub.Topic) -> Activity
    private let state = Mutex(State())

    /// - Parameter activity: What the network does for something that is watched.
    init(
        environment: LarderEnvironment, network: NetworkWatch,
        activity: @escaping @Sendable (ChangeHub.Topic) -> Activity
    ) {
        self.environment = environment
        self.network = network
        self.activity = activity
    }

    deinit { close() }

    /// Somebody who watches; until it is let go.
    final class Watcher: Sendable {
        private let refresher: Refresher
        fileprivate let number: Int
        private let topic: ChangeHub.Topic

        fileprivate init(_ refresher: Refresher, _ number: Int, _ topic: ChangeHub.Topic) {
            self.refresher = refresher
            self.number = number
            self.topic = topic
        }

        deinit { refresher.forget(number, topic) }
    }

    /// - Parameter ask: Called when it is time; holds nothing that watches.
    func watch(
        _ topic: ChangeHub.Topic, origin: String, _ policy: RefreshPolicy, _ ask: @escaping Ask
    ) -> Watcher {
        let number = state.withLock { state in
            state.nextWatcher += 1
            guard !state.isClosed else { return state.nextWatcher }
            state.schedule.add(state.nextWatcher, topic, origin: origin, policy, at: environment.clock.elapsed)
            state.asks[state.nextWatcher] = ask
            update(&state)
            return state.nextWatcher
        }
        return Watcher(self, number, topic)
    }

    private func forget(_ watcher: Int, _ topic: ChangeHub.Topic) {
        let ask = state.withLock { state in
            state.schedule.remove(watcher, topic)
            defer { update(&state) }
            return state.asks.removeValue(forKey: watcher)
        }
        withExtendedLifetime(ask) {}
    }

    func happened(_ event: RefreshSchedule.Event) {
        state.withLock { state in
            state.schedule.plan(event, at: environment.clock.elapsed, random: environment.random) { topic in
                switch activity(topic) {
                case .idle, .loading: false
                case .failed, .waitingForNetwork: true
                }
            }
        }
        // What is due now is not made to wait for a task.
        ring(nil)
    }

    /// Asks for nothing any more.
    func close() {
        let asks = state.withLock { state in
            state.isClosed = true
            state.schedule = RefreshSchedule()
            update(&state)
            defer { state.asks = [:] }
            return state.asks
        }
        withExtendedLifetime(asks) {}
    }

    /// How many things are watched.
    var count: Int { state.withLock { $0.schedule.count } }

    /// When the task that sleeps wakes.
    var alarm: Duration? { state.withLock { $0.alarm.time } }

    // MARK: Keeping time

    /// Sees to the tasks that the schedule needs.
    private func update(_ state: inout State) {
        if state.schedule.count == 0 {
            state.listener?.cancel()
            state.listener = nil
        } else if state.listener == nil {
            state.listener = listening()
        }
        state.alarm.set(state.schedule.next, by: environment.clock) { [weak self] time in self?.ring(time) }
    }

    private func listening() -> Task<Void, Never> {
        let reconnections = network.reconnections()
        return Task { [weak self] in
            for await reconnection in reconnections {
                switch reconnection {
                case .network: self?.happened(.network)
                case .origin(let origin): self?.happened(.origin(origin))
                }
            }
        }
    }

    private func ring(_ time: Duration?) {
        let due = state.withLock { state -> [(RefreshSchedule.Due, [Ask])] in
            if let time { state.alarm.hasRung(time) }
            let due = state.schedule.take(at: environment.clock.elapsed)
            update(&state)
            return due.map { due in (due, due.watchers.compactMap { state.asks[$0] }) }
        }
        for (due, asks) in due {
            // To one of them it may be fresh, and to another stale.
            guard asks.contains(where: { $0(due.isUnconditional) }) else { continue }
            state.withLock { $0.schedule.asked(for: due.topic, at: environment.clock.elapsed) }
        }
    }
}

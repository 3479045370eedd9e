import Synchronization

/// What one larder knows about the network: hints of the link, and how its requests ended.
///
/// Costs nothing before it is used. Nothing is listened to and no task waits unless somebody takes ``states()`` or
/// ``reconnections()``; the rest is worked out when asked.
final class NetworkWatch: Sendable {
    private struct Weak {
        weak var queue: ReconnectionQueue?
    }

    private struct State {
        var evidence = NetworkEvidence()
        var queues: [Weak] = []
        /// Hears what the link says.
        var listener: Task<Void, Never>?
        /// Sleeps until the evidence has something to do.
        var alarm = Alarm()
        var isClosed = false
    }

    private let environment: LarderEnvironment
    private let relay = ConnectivityRelay(.unknown)
    private let state = Mutex(State())

    init(environment: LarderEnvironment) {
        self.environment = environment
    }

    deinit { close() }

    // MARK: Asking

    /// What is known now. Asks the source, from memory.
    var current: Connectivity {
        update()
        return relay.current
    }

    /// Whether waiting for an answer is likely to be in vain.
    var isDead: Bool {
        var isDead = false
        update { evidence, _ in
            isDead = evidence.isDead
            return []
        }
        return isDead
    }

    /// Whether an origin should be asked now.
    func standing(of origin: String) -> OriginStanding {
        var standing = OriginStanding.open
        update { evidence, now in
            standing = evidence.standing(of: origin, at: now)
            return []
        }
        return standing
    }

    /// The permission to make the one request that finds out whether an origin is back, if that is due and nobody else has
    /// it. To be handed in with the request's outcome; after a minute without one it is void.
    func claimProbe(of origin: String) -> Probe? {
        var probe: Probe?
        update { evidence, now in
            probe = evidence.claimProbe(of: origin, at: now)
            return []
        }
        return probe
    }

    /// Takes a probe back that nothing was asked with.
    func giveBack(_ probe: Probe, of origin: String) {
        update { evidence, _ in evidence.giveBack(probe, of: origin) }
    }

    /// When the task that sleeps wakes.
    var alarm: Duration? { state.withLock { $0.alarm.time } }

    // MARK: Telling

    /// Takes in how a request ended; with the probe, if it was made with one.
    func note(_ outcome: RequestOutcome, of origin: String, probe: Probe? = nil) {
        update { [random = environment.random] evidence, now in
            evidence.note(outcome, of: origin, probe: probe, at: now, random: random)
        }
    }

    // MARK: Listening

    /// The state now, then every change of it; the latest only for a slow reader.
    func states() -> AsyncStream<Connectivity> {
        // What is found now was not seen to change, and counts at once.
        update()
        let stream = relay.states()
        listen()
        return stream
    }

    /// What makes it worth asking again, from now on; each once until it is taken.
    func reconnections() -> AsyncStream<Reconnection> {
        update()
        let queue = ReconnectionQueue()
        state.withLock { state in
            state.queues.removeAll { $0.queue == nil }
            state.queues.append(Weak(queue: queue))
        }
        listen()
        return queue.stream()
    }

    /// Ends all streams. What is known can still be asked for.
    func close() {
        let queues = state.withLock { state in
            state.isClosed = true
            rest(&state)
            defer { state.queues = [] }
            return state.queues
        }
        for queue in queues { queue.queue?.end() }
        relay.finish()
    }

    /// Starts to hear the link, and to wake by itself; ends at once what was taken of a closed watch.
    private func listen() {
        update()
        let isClosed = state.withLock { state in
            if !state.isClosed, state.listener == nil { state.listener = hearing() }
            return state.isClosed
        }
        if isClosed { close() }
    }

    private func hearing() -> Task<Void, Never> {
        Task { [weak self, source = environment.connectivity] in
            // What comes is a reason to look: by now it may be another state.
            for await _ in source.states() {
                guard let self else { return }
                self.update()
            }
        }
    }
}

// MARK: Keeping up

extension NetworkWatch {
    /// Takes in what the link and the clock say, then lets `change` happen, and tells those who listen.
    private func update(_ change: (inout NetworkEvidence, Duration) -> [Reconnection] = { _, _ in [] }) {
        let (queues, news) = state.withLock { state in
            let isHeard = isHeard(state)
            let now = environment.clock.elapsed
            // Under the lock, so that a state which is no longer the newest is never taken in last.
            let hint = environment.connectivity.current
            var news = state.evidence.note(link: hint, at: now, isFlapping: isHeard)
            news += change(&state.evidence, now)
            relay.publish(state.evidence.connectivity)
            if isHeard { setAlarm(&state) } else { rest(&state) }
            return (news.isEmpty ? [] : state.queues.compactMap(\.queue), news)
        }
        for queue in queues { queue.add(news) }
    }

    private func isHeard(_ state: borrowing State) -> Bool {
        !state.isClosed && (relay.listenerCount > 0 || state.queues.contains { $0.queue != nil })
    }

    private func setAlarm(_ state: inout State) {
        state.alarm.set(state.evidence.nextEvent, by: environment.clock) { [weak self] time in self?.ring(time) }
    }

    private func ring(_ time: Duration) {
        state.withLock { $0.alarm.hasRung(time) }
        update()
    }

    private func rest(_ state: inout State) {
        state.listener?.cancel()
        state.listener = nil
        state.alarm.cancel()
    }
}

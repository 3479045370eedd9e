/// What the planner is told of the network.
struct NetworkFacts: Sendable, Hashable {
    /// Whether waiting for an answer is likely to be in vain: there is no network, or requests get no answer.
    var isDead = false
    /// Whether the host to be asked is worth asking.
    var standing: OriginStanding = .open
    /// How long a read waits for the network when something is stored.
    var patience: Duration = .seconds(3)
}

/// What a read does.
enum Plan: Sendable, Hashable {
    /// Serve what is stored. The failure is why the network is not asked, if that was to be done.
    case serve(ReadingReason, FetchFailure? = nil)
    /// Serve what is stored, and fetch in the background.
    case serveAndFetch
    /// Ask the network; serve what is stored when it fails (if that is allowed) or, for the reason `impatience`, when it
    /// has not answered after the patience.
    case fetch(patience: Duration?, fallback: Fallback, impatience: ReadingReason = .patienceRanOut)
    /// Nothing can be served, and the server asked to be left alone.
    case refuse(FetchFailure)
    /// Nothing can be served.
    case notStored

    enum Fallback: Sendable, Hashable {
        case none
        case stored
    }
}

/// Decides what a read does, from values alone.
struct Planner: Sendable {
    let policy: ReadPolicy
    /// For how long a stored value that is stale stands in for a failed request; `nil` for ever.
    let staleIfError: Duration?

    /// - Parameter network: Looked at only where the network may be asked.
    func plan(stored: StoredFacts?, network: @autoclosure () -> NetworkFacts) -> Plan {
        switch policy.kind {
        case .cacheOnly:
            return stored == nil ? .notStored : .serve(.cacheOnly)
        case .networkOnly:
            // Who asks for the network alone is heard, whatever is believed of it.
            return .fetch(patience: nil, fallback: .none)
        case .networkFirst:
            return fetch(stored, network())
        case .cacheFirst:
            guard let stored, stored.isFresh else { return fetch(stored, network()) }
            return .serve(.fresh)
        case .staleWhileRevalidate(let window):
            guard let stored else { return fetch(nil, network()) }
            if stored.isFresh { return .serve(.fresh) }
            let network = network()
            guard stored.mayBeShownStale(within: window) else { return fetch(stored, network) }
            if case .heldBack(let remaining, let failure) = network.standing {
                return .serve(.heldBack, failure.whenHeldBack(for: remaining))
            }
            return .serveAndFetch
        }
    }

    /// Asks the network, as long as patience lasts when something is stored. A hint that the network is gone cuts the
    /// patience to nothing, and never the request; what became of earlier requests may.
    private func fetch(_ stored: StoredFacts?, _ network: NetworkFacts) -> Plan {
        guard let stored, mayStandIn(stored) else {
            // With nothing to show only the server's own word keeps a request from being sent.
            if case .heldBack(let remaining, let failure) = network.standing, failure.retryAfter != nil {
                return .refuse(failure.waiting(remaining))
            }
            return .fetch(patience: nil, fallback: .none)
        }
        switch network.standing {
        case .heldBack(let remaining, let failure):
            return .serve(.heldBack, failure.whenHeldBack(for: remaining))
        case .probeDue(let failure) where failure.tookLong:
            return .fetch(patience: .zero, fallback: .stored, impatience: .presumedOffline)
        case .probeDue, .open:
            return network.isDead
                ? .fetch(patience: .zero, fallback: .stored, impatience: .presumedOffline)
                : .fetch(patience: network.patience, fallback: .stored)
        }
    }

    private func mayStandIn(_ stored: StoredFacts) -> Bool {
        staleIfError.map { stored.isFresh || stored.staleFor <= $0 } ?? true
    }
}

extension FetchFailure {
    /// The same failure, with what is left of the time that the server asked for.
    fileprivate func whenHeldBack(for remaining: Duration) -> FetchFailure {
        retryAfter == nil ? self : waiting(remaining)
    }
}

import Foundation

/// What the planner is told of what is stored.
struct StoredFacts: Sendable, Hashable {
    /// How old it is; negative when the clock says that it was stored in the future.
    let age: Duration
    let isFresh: Bool
    /// For how long it has been stale.
    let staleFor: Duration
    /// The whole of what was asked for is there.
    let isComplete: Bool

    init(age: Duration, lifetime: Duration, isComplete: Bool = true) {
        self.age = age
        self.isComplete = isComplete
        // Stored in the future: the clock was set back, and how old the value is cannot be told. It is stale at once.
        isFresh = isComplete && age >= .zero && age < lifetime
        staleFor = max(.zero, age - lifetime)
    }

    /// What is stored of a page: several answers, each of its own age and lifetime.
    init(_ stretch: Stretch, maxAge: Duration?, now: Date) {
        let overdue = stretch.stamps.map { $0.overdue(maxAge: maxAge, now: now) }
        age = .milliseconds(now.millisecondsSince1970 - (stretch.storedAt ?? now.millisecondsSince1970))
        isComplete = stretch.isComplete
        isFresh = stretch.isFresh(maxAge: maxAge, now: now)
        staleFor = .milliseconds(max(0, overdue.max() ?? 0))
    }
}

/// What a read does.
enum Plan: Sendable, Hashable {
    /// Serve what is stored.
    case serve(ReadingReason)
    /// Serve what is stored, and fetch in the background.
    case serveAndFetch
    /// Ask the network; serve what is stored when it fails (if that is allowed) or, for the reason `impatience`, when it
    /// has not answered after the patience.
    case fetch(patience: Duration?, fallback: Fallback, impatience: ReadingReason = .patienceRanOut)
    /// Nothing can be served.
    case notStored

    enum Fallback: Sendable, Hashable {
        case none
        case stored
    }
}

/// Decides what a read does, from values alone.
struct Planner: Sendable {
    /// How long a read waits for the network by default when something is stored.
    static let defaultPatience: Duration = .seconds(3)

    let policy: ReadPolicy
    /// Up to which age a stored value stands in for a failed request; `nil` for any age.
    let staleIfError: Duration?

    func plan(stored: StoredFacts?, connectivity: Connectivity) -> Plan {
        switch policy.kind {
        case .cacheOnly:
            stored == nil ? .notStored : .serve(.cacheOnly)
        case .networkOnly:
            .fetch(patience: nil, fallback: .none)
        case .networkFirst(let patience):
            fetch(stored, patience: patience, connectivity)
        case .cacheFirst:
            stored?.isFresh == true ? .serve(.fresh) : fetch(stored, patience: nil, connectivity)
        case .staleWhileRevalidate(let window):
            if let stored, stored.isFresh {
                .serve(.fresh)
            } else if let stored, stored.isComplete, window.map({ stored.staleFor <= $0 }) ?? true {
                .serveAndFetch
            } else {
                fetch(stored, patience: nil, connectivity)
            }
        }
    }

    /// Asks the network, as long as patience lasts when something is stored. A hint that the network is gone cuts the
    /// patience to nothing, and never the request.
    private func fetch(_ stored: StoredFacts?, patience: Duration?, _ connectivity: Connectivity) -> Plan {
        guard let stored, mayStandIn(stored) else { return .fetch(patience: nil, fallback: .none) }
        return switch connectivity {
        case .online, .unknown: .fetch(patience: patience ?? Self.defaultPatience, fallback: .stored)
        case .suspect, .offline: .fetch(patience: .zero, fallback: .stored, impatience: .presumedOffline)
        }
    }

    private func mayStandIn(_ stored: StoredFacts) -> Bool {
        staleIfError.map { stored.isFresh || stored.staleFor <= $0 } ?? true
    }
}

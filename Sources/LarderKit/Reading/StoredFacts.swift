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
    /// The app has said that it has changed since.
    let isInvalidated: Bool

    init(age: Duration, lifetime: Duration, isComplete: Bool = true, isInvalidated: Bool = false) {
        self.age = age
        self.isComplete = isComplete
        self.isInvalidated = isInvalidated
        // Stored in the future: the clock was set back, and how old the value is cannot be told. It is stale at once.
        isFresh = isComplete && !isInvalidated && age >= .zero && age < lifetime
        // In whole milliseconds, which hold any two ages.
        staleFor = .milliseconds(max(0, age.milliseconds - max(.zero, lifetime).milliseconds))
    }

    /// What is stored of a page: several answers, each of its own age and lifetime.
    init(_ stretch: Stretch, maxAge: Duration?, now: Date) {
        let overdue = stretch.stamps.map { $0.overdue(maxAge: maxAge, now: now) }
        age = .milliseconds(now.millisecondsSince1970 - (stretch.storedAt ?? now.millisecondsSince1970))
        isComplete = stretch.isComplete
        isInvalidated = stretch.stamps.contains { $0.isInvalidated }
        isFresh = stretch.isFresh(maxAge: maxAge, now: now)
        staleFor = .milliseconds(max(0, overdue.max() ?? 0))
    }

    /// Whether it may be shown while it is asked for again. Not what the app has said to have changed: that would show the
    /// old state right after the change.
    func mayBeShownStale(within window: Duration?) -> Bool {
        isComplete && !isInvalidated && (window.map { staleFor <= $0 } ?? true)
    }
}

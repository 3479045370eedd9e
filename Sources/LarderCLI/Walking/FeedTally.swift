import LarderKit

/// What the steps of a walk have changed together.
struct FeedTally: Sendable {
    private(set) var inserted: [ItemID] = []
    private(set) var updated: [ItemID] = []
    private(set) var removed: [ItemID] = []
    private(set) var moved: [ItemID] = []
    /// Each remark once.
    private(set) var warnings: [ReadingWarning] = []
    /// The gap that the latest step has left.
    private(set) var remaining: Gap?

    mutating func add(_ change: FeedChange) {
        inserted += change.inserted
        updated += change.updated
        removed += change.removed
        moved += change.moved
        remaining = change.remaining
        for warning in change.warnings where !warnings.contains(where: { $0.description == warning.description }) {
            if case .stalled = warning { continue }
            warnings.append(warning)
        }
    }
}

extension FeedChange {
    /// Why there is nothing to go on with, if there is not.
    var stall: StallReason? {
        for case .stalled(let reason) in warnings { return reason }
        return nil
    }
}

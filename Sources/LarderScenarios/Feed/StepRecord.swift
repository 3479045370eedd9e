import LarderKit

/// What came of a step, or of a whole case.
struct StepRecord: Sendable {
    var before = FeedFacts()
    var after = FeedFacts()
    var requests: [AskedRequest] = []
    /// The last failure that the step's operations told of.
    var failure: FetchFailure?
    var anchor: ItemID?
    /// How many items of the step's answers had no id.
    private(set) var withoutID = 0
    private var changes: [Expectation.Change: [ItemID]] = [:]

    init(before: FeedFacts = FeedFacts(), anchor: ItemID? = nil) {
        self.before = before
        self.anchor = anchor
    }

    /// The ids that all operations of the step reported.
    func ids(_ change: Expectation.Change) -> [ItemID] { changes[change] ?? [] }

    mutating func add(_ change: FeedChange) {
        changes[.inserted, default: []] += change.inserted
        changes[.removed, default: []] += change.removed
        changes[.updated, default: []] += change.updated
        changes[.moved, default: []] += change.moved
        add(change.warnings)
    }

    mutating func add(_ warnings: [ReadingWarning]) {
        for case .itemsWithoutID(let count) in warnings { withoutID += count }
    }

    /// Takes in what a later step reported.
    mutating func add(_ step: StepRecord) {
        changes.merge(step.changes) { $0 + $1 }
        withoutID += step.withoutID
        failure = step.failure ?? failure
    }

    /// What a call without a change report has changed, by what was to be seen before and after.
    mutating func addDifference() {
        let (before, after) = (Set(before.ids), Set(after.ids))
        changes[.inserted] = self.after.ids.filter { !before.contains($0) }
        changes[.removed] = self.before.ids.filter { !after.contains($0) }
    }
}

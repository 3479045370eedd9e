/// Decides when the write-ahead log is moved into the file, and when it is too large, without touching either.
///
/// In bytes. What failed is not tried again before the log has grown: a checkpoint that a reader blocks costs the more the
/// larger the log is.
struct LogKeeping {
    enum Step: Equatable {
        case none
        /// Move what can be moved, without waiting.
        case move
        /// Empty the log, and wait this long for readers.
        case empty(patience: Duration)
    }

    let threshold: Int
    let limit: LogLimit
    /// The log as it was after the latest commit.
    private(set) var size = 0
    /// The size at which something is tried next, and at which readers are waited for.
    private var nextTry: Int
    private var nextWait: Int
    private var nextWarning: Int
    /// A write was refused since the log was last emptied: others are at once.
    var hasRefused = false

    init(_ configuration: Configuration) {
        threshold = configuration.checkpointThreshold * configuration.pageSize
        limit = configuration.logLimit
        nextTry = threshold
        nextWait = limit.soft
        nextWarning = limit.soft
    }

    var isFull: Bool { size > limit.hard }

    /// What to do after a commit that leaves the log this large.
    mutating func committed(_ size: Int) -> Step {
        // Where it is smaller, it was begun anew, by whomever.
        found(size)
        guard size >= min(nextTry, nextWait) else { return .none }
        return size < limit.soft ? .move : .empty(patience: size >= nextWait ? patience : .zero)
    }

    private var patience: Duration { size < limit.soft + limit.soft / 4 ? limit.patience : limit.lastPatience }

    /// The log is this large, as a look at it has shown.
    mutating func found(_ size: Int) {
        if size < self.size { wasEmptied() }
        self.size = size
    }

    /// What was to be done could not be completed.
    ///
    /// - Returns: Whether to warn of it.
    mutating func failed(_ step: Step) -> Bool {
        nextTry = size + threshold / 4
        guard size >= limit.soft else { return false }
        nextTry = size + limit.soft / 40
        if step != .empty(patience: .zero) {
            nextWait = size + limit.soft / 8
        }
        guard size >= nextWarning else { return false }
        nextWarning = 2 * size
        return true
    }

    /// All of it lies in the file now, and the next commit begins it anew if no reader is in the way.
    mutating func wasMoved() { nextTry = size + threshold / 4 }

    mutating func wasEmptied() {
        size = 0
        nextTry = threshold
        nextWait = limit.soft
        nextWarning = limit.soft
        hasRefused = false
    }
}

import Synchronization

/// Knows, without looking each time, whether a cache keeps to its budget: what it measured last, and what this process has
/// written since.
///
/// What other processes write is seen when the cache is measured again, which happens after each thirty-second part of the
/// budget. So a cache is at most that much over for each process that writes, and only until one of them writes again.
final class BudgetKeeper: Sendable {
    /// What was found when the cache was measured.
    struct Measurement: Sendable, Hashable {
        var usage: StorageUsage
        /// What no trimming takes away: the empty database. Zero where nothing was measured yet, since the cache is new.
        var fixed = 0
        /// Where accounts have a limit of their own.
        var partitions: [StoreKey: Int] = [:]
    }

    /// What is to be done after a write.
    enum Verdict: Sendable, Hashable {
        case enough
        /// The cache is to be measured, and trimmed if need be. Nobody waits for that.
        case look
        /// It is over its budget: who wrote waits for the trimming, so that a burst of writes does not run ahead of it.
        case over
    }

    let budget: StorageBudget

    private struct State {
        var latest: Measurement?
        /// Written since that began.
        var written = 0
        var partitions: [StoreKey: Int] = [:]
        /// Trimming has left this much, since nothing more may go. Below it, or not far above, there is no use in trying again.
        var stuckAt: Int?
        var run: Task<Void, Never>?
        var isClosed = false
    }

    private let state = Mutex(State())

    init(_ budget: StorageBudget) {
        self.budget = budget
    }

    deinit { close() }

    var isLimited: Bool { budget.bytes != nil || budget.bytesPerPartition != nil }

    /// After so many bytes the cache is measured again. Trimming goes as far below the budget, so that it is not done at each
    /// write.
    static func step(_ budget: Int) -> Int { budget / 32 }

    /// What trimming leaves of a limit.
    static func target(_ limit: Int) -> Int { limit - step(limit) }

    /// The cache was just made: there is nothing to measure.
    func noteEmpty() {
        var usage = StorageUsage()
        usage.budget = budget
        noteMeasured(Measurement(usage: usage), since: 0)
    }

    /// Whether anything is known of what the cache takes.
    var isKnown: Bool { latest != nil }

    /// Takes note of a write.
    func note(_ bytes: Int, in partition: String) -> Verdict {
        guard isLimited else { return .enough }
        return state.withLock { state in
            state.written += bytes
            if budget.bytesPerPartition != nil {
                state.partitions[StoreKey(partition: partition, key: ""), default: 0] += bytes
            }
            return verdict(state)
        }
    }

    /// Whether the cache is over its budget, and something can be done about it.
    var isOver: Bool { state.withLock { verdict($0) == .over } }

    private func verdict(_ state: borrowing State) -> Verdict {
        let limit = budget.bytes ?? .max
        let step = Self.step(min(limit, budget.bytesPerPartition ?? .max))
        guard let latest = state.latest else { return state.written > step ? .over : .look }
        if let most = budget.bytesPerPartition, state.partitions.values.contains(where: { $0 > most }) { return .over }
        let total = latest.usage.total + state.written
        if let stuck = state.stuckAt, total <= stuck + step { return state.written > step ? .look : .enough }
        if total > limit { return .over }
        return state.written > step || total > limit - step / 2 ? .look : .enough
    }

    /// What has been written up to now, to be handed to ``noteMeasured(_:since:)``.
    var written: Int { state.withLock { $0.written } }

    /// Takes a measurement for what is stored.
    ///
    /// - Parameter start: What was ``written`` before it began.
    func noteMeasured(_ measurement: Measurement, since start: Int, isStuck: Bool = false) {
        state.withLock { state in
            state.latest = measurement
            state.written = max(0, state.written - start)
            state.partitions = measurement.partitions
            state.stuckAt = isStuck ? measurement.usage.total : nil
        }
    }

    /// What is exempt from trimming has changed.
    func forget() {
        state.withLock { state in
            state.latest = nil
            state.stuckAt = nil
        }
    }

    var latest: Measurement? { state.withLock { $0.latest } }

    /// Starts to trim, unless that is being done.
    @discardableResult
    func start(_ run: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        state.withLock { state in
            if let run = state.run { return run }
            let task = Task.detached(priority: .utility) { [weak self] in
                await run()
                self?.state.withLock { $0.run = nil }
            }
            if !state.isClosed { state.run = task }
            return task
        }
    }

    /// Waits until nothing is being trimmed.
    func settle() async {
        while let run = state.withLock({ $0.run }) { await run.value }
    }

    func close() {
        let run = state.withLock { state in
            state.isClosed = true
            defer { state.run = nil }
            return state.run
        }
        run?.cancel()
    }
}

import LarderSQLite

extension Larder {
    /// What this process has done since the cache was opened. What only looks, as ``Resource/peek()`` and
    /// ``Resource/explain(_:)`` do, is not counted.
    public var metrics: Metrics { core.meter.snapshot }

    /// ``metrics`` now, then after each change; to a consumer that is slow, the latest. Ends when the larder is closed.
    public func metricsUpdates() -> some AsyncSequence<Metrics, Never> & Sendable { core.meter.updates() }

    /// What all processes on this cache have done since it was made; of those that run now, without the last seconds, and
    /// of one that was killed, what it had saved.
    public func totals() async throws(StorageError) -> Metrics {
        guard !core.isClosed else { throw .closed }
        await core.counters.save(to: core.database)
        let saved = try storing { try core.database.withReader { db in try CounterTable.totals(in: db) } }
        return saved + core.meter.unsaved
    }
}

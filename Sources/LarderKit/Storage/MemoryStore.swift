import Foundation
import LarderSQLite
import Synchronization

/// A ``Store`` in memory, gone with the process, and bounded: where there is no room for a value, those go that were not used for
/// the longest time. A value larger than the bound is refused (``StorageError/Kind/overBudget``), and what it would have replaced
/// stays.
public final class MemoryStore: Store {
    /// What all values may take, in bytes of their stored form.
    public let limit: Int

    /// What a value takes besides its bytes, about.
    private static let overhead = 256

    private struct Entry {
        var entry: StoredEntry
        /// The number of its latest use.
        var use: UInt64

        var cost: Int { MemoryStore.cost(entry) }
    }

    private struct State {
        var entries: [StoreKey: Entry] = [:]
        var cost = 0
        var uses: UInt64 = 0
    }

    private let state = Mutex(State())

    /// - Parameter limit: What all values may take, in bytes of their stored form: 32 MB, unless said otherwise.
    public init(limit: Int = 32 << 20) {
        self.limit = max(0, limit)
    }

    public func entry(for key: StoreKey) -> StoredEntry? {
        state.withLock { state in
            guard let place = state.entries.index(forKey: key) else { return nil }
            state.uses += 1
            state.entries.values[place].use = state.uses
            return state.entries.values[place].entry
        }
    }

    @discardableResult
    public func put(_ entry: StoredEntry, for key: StoreKey) async throws(StorageError) -> Bool {
        try lockedPut(entry, for: key) { .admitted } == .stored
    }

    /// Stores a value unless `verdict` forbids it, which is asked with nobody else writing.
    func lockedPut(
        _ entry: StoredEntry, for key: StoreKey, verdict: () throws(StorageError) -> Admission.Verdict
    ) throws(StorageError) -> PutOutcome {
        guard Self.cost(entry) <= limit else { throw .overBudget(entry.body.count, budget: limit) }
        let result = state.withLock { state -> Result<(PutOutcome, [StoredEntry]), StorageError> in
            Result { () throws(StorageError) in
                if let refusal = PutOutcome(try verdict()) { return (refusal, []) }
                if let stored = state.entries[key]?.entry, stored.metadata.stamp > entry.metadata.stamp {
                    return (.superseded, [])
                }
                return (.stored, Self.put(entry, for: key, in: &state, limit: limit))
            }
        }
        // What went is let go when the lock is open.
        return try result.get().0
    }

    /// - Returns: What went.
    private static func put(
        _ entry: StoredEntry, for key: StoreKey, in state: inout State, limit: Int
    ) -> [StoredEntry] {
        state.uses += 1
        var gone = [state.entries.updateValue(Entry(entry: entry, use: state.uses), forKey: key)].compactMap { $0 }
        state.cost += cost(entry) - gone.reduce(0) { $0 + $1.cost }
        guard state.cost > limit else { return gone.map(\.entry) }
        // To an eighth below, so that not each value has to look for those that go.
        for (old, _) in state.entries.sorted(by: { $0.value.use < $1.value.use }) where old != key {
            guard state.cost > limit - limit / 8, let entry = state.entries.removeValue(forKey: old) else { break }
            state.cost -= entry.cost
            gone.append(entry)
        }
        return gone.map(\.entry)
    }

    private static func cost(_ entry: StoredEntry) -> Int { entry.body.count + overhead }

    public func remove(_ key: StoreKey) async { lockedRemove(key, askedForUpTo: .max) }

    func lockedRemove(_ key: StoreKey, askedForUpTo stamp: Int64) {
        state.withLock { state in
            guard let stored = state.entries[key], stored.entry.metadata.stamp <= stamp else { return }
            state.entries[key] = nil
            state.cost -= stored.cost
        }
    }

    public func removeAll(in partition: String) async { forgetAll(in: partition) }

    func forgetAll(in partition: String) {
        state.withLock { state in
            state.entries = state.entries.filter { key, _ in !key.partition.hasSameBytes(as: partition) }
            state.cost = state.entries.values.reduce(0) { $0 + $1.cost }
        }
    }

    public func summaries() async -> [EntrySummary] {
        state.withLock { state in
            state.entries.map { key, value in
                EntrySummary(key: key, size: value.entry.body.count, metadata: value.entry.metadata)
            }
        }
    }
}

import Foundation
import Synchronization

/// A ``Store`` in memory, gone with the process.
public final class MemoryStore: Store {
    private let entries = Mutex<[StoreKey: StoredEntry]>([:])

    public init() {}

    public func entry(for key: StoreKey) -> StoredEntry? {
        entries.withLock { $0[key] }
    }

    @discardableResult
    public func put(_ entry: StoredEntry, for key: StoreKey) async -> Bool {
        entries.withLock { entries in Self.put(entry, for: key, in: &entries) }
    }

    /// Stores a value unless `verdict` forbids it, which is asked with nobody else writing.
    func lockedPut(
        _ entry: StoredEntry, for key: StoreKey, verdict: () throws(StorageError) -> Admission.Verdict
    ) throws(StorageError) -> PutOutcome {
        try entries.withLock { entries throws(StorageError) in
            if let refusal = PutOutcome(try verdict()) { return refusal }
            return Self.put(entry, for: key, in: &entries) ? .stored : .superseded
        }
    }

    private static func put(
        _ entry: StoredEntry, for key: StoreKey, in entries: inout [StoreKey: StoredEntry]
    ) -> Bool {
        if let stored = entries[key], stored.metadata.stamp > entry.metadata.stamp { return false }
        entries[key] = entry
        return true
    }

    public func remove(_ key: StoreKey) async { lockedRemove(key, askedForUpTo: .max) }

    func lockedRemove(_ key: StoreKey, askedForUpTo stamp: Int64) {
        entries.withLock { entries in
            if let stored = entries[key], stored.metadata.stamp <= stamp { entries[key] = nil }
        }
    }

    public func removeAll(in partition: String) async { forgetAll(in: partition) }

    func forgetAll(in partition: String) {
        entries.withLock { entries in
            entries = entries.filter { key, _ in !key.partition.utf8.elementsEqual(partition.utf8) }
        }
    }

    public func summaries() async -> [EntrySummary] {
        entries.withLock { entries in
            entries.map { EntrySummary(key: $0.key, size: $0.value.body.count, metadata: $0.value.metadata) }
        }
    }
}

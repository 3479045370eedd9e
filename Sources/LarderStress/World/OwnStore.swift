import LarderKit
import Synchronization

/// A store of an app's own, which takes its time, keeps to the order of stamps, and fails now and then.
final class OwnStore: Store {
    private let entries = Mutex<[StoreKey: StoredEntry]>([:])
    private let random: any RandomSource

    static let failure = StorageError(.other, "the app's own store failed")

    init(random: any RandomSource) {
        self.random = random
    }

    func entry(for key: StoreKey) -> StoredEntry? { entries.withLock { $0[key] } }

    func put(_ entry: StoredEntry, for key: StoreKey) async throws(StorageError) -> Bool {
        try await pass()
        let isStored = entries.withLock { entries in
            if let stored = entries[key], stored.metadata.stamp > entry.metadata.stamp { return false }
            entries[key] = entry
            return true
        }
        await Task.yield()
        return isStored
    }

    func remove(_ key: StoreKey) async throws(StorageError) {
        try await pass()
        entries.withLock { _ = $0.removeValue(forKey: key) }
    }

    func removeAll(in partition: String) async throws(StorageError) {
        try await pass()
        entries.withLock { entries in entries = entries.filter { $0.key.partition != partition } }
    }

    func summaries() async -> [EntrySummary] {
        entries.withLock { entries in
            entries.map { EntrySummary(key: $0.key, size: $0.value.body.count, metadata: $0.value.metadata) }
        }
    }

    /// Everything in it.
    var all: [(key: StoreKey, entry: StoredEntry)] { entries.withLock { $0.map { ($0.key, $0.value) } } }

    /// Takes a while, whether or not the task is cancelled, and fails now and then.
    private func pass() async throws(StorageError) {
        let time: UInt64
        switch random.next() % 100 {
        case 0..<2: throw Self.failure
        case 2..<6: time = random.next() % 1000
        case 6..<50: time = random.next() % 30
        default: return await Task.yield()
        }
        await Task.detached { try? await Task.sleep(for: .milliseconds(time)) }.value
    }
}

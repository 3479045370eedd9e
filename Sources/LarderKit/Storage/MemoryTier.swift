import LarderSQLite
import Synchronization

/// Values that were lately read, decoded, so that reading one again costs neither its store nor its decoder.
///
/// Bounded by what the values cost; the least recently used go first. A value comes with the mark of the database at which it
/// was last known to be what the store holds: whoever finds the same mark may serve it at once; at another mark, the store's
/// metadata alone tells (``confirm(_:_:at:)``).
///
/// All state is in one lock, which is held for a look at a dictionary and a few assignments. What goes is let go after it:
/// an app's own `deinit` may come back here.
final class MemoryTier: Sendable {
    /// Whose value, where it is kept, and as what it was decoded. Making one hashes the place, so that looking it up does not.
    struct Key: Sendable {
        let place: StoreKey
        let storage: String
        let codec: CodecID
        let type: ObjectIdentifier
        let hash: Int

        init(place: StoreKey, storage: String, codec: CodecID, type: any Sendable.Type) {
            self.place = place
            self.storage = storage
            self.codec = codec
            self.type = ObjectIdentifier(type)
            // The rest hardly ever tells two apart.
            hash = place.hashValue
        }
    }

    /// A value and what its store says of it. Never changes.
    final class Kept<Value: Sendable>: Sendable {
        let value: Value
        let metadata: EntryMetadata
        /// Bytes of its stored form.
        let size: Int

        init(value: Value, metadata: EntryMetadata, size: Int) {
            self.value = value
            self.metadata = metadata
            self.size = size
        }
    }

    enum Hit<Value: Sendable>: Sendable {
        /// Nothing has been committed since it was known to be what the store holds.
        case fresh(Kept<Value>)
        /// Something has been: whether it still is what the store holds is to be asked.
        case unverified(Kept<Value>)
    }

    /// What the tier has done and holds.
    struct Counters: Sendable, Hashable {
        /// How often a value was there under the mark that was given.
        var hits = 0
        /// How many values are held, and what they cost.
        var count = 0
        var cost = 0
    }

    /// What a value costs at least: there is more to it than its bytes.
    static let overhead = 256
    static let standardLimit = 8 << 20

    private let contents: Mutex<MemoryTierContents>

    /// - Parameter limit: What all values may cost, in bytes of their stored form.
    init(limit: Int = MemoryTier.standardLimit) {
        contents = Mutex(MemoryTierContents(limit: limit))
    }

    /// The value, now the most recently used. `mark` is to be taken before.
    ///
    /// - Complexity: O(1), without an allocation.
    func value<Value: Sendable>(for key: Key, as _: Value.Type = Value.self, mark: CommitMark) -> Hit<Value>? {
        guard key.type == ObjectIdentifier(Value.self), let found = contents.withLock({ $0.use(key, at: mark) }) else {
            return nil
        }
        // It is of this type, as its key says: no other is let in. A cast that asks costs a fifth of all this.
        let kept = unsafeDowncast(found.kept, to: Kept<Value>.self)
        return found.isFresh ? .fresh(kept) : .unverified(kept)
    }

    /// Whether a value that was just read is worth keeping: when it was read before, not long ago.
    func isFamiliar(_ key: Key) -> Bool { contents.withLock { $0.isFamiliar(key) } }

    /// Keeps a value as the most recently used one. A value that costs more than a quarter of the limit is not kept, nor what
    /// was there before.
    ///
    /// - Parameters:
    ///   - size: Bytes of its stored form.
    ///   - mark: Taken before the value was read.
    ///   - isWanted: Asked once it cannot be removed from outside any more: whoever sets first what this looks at, and then
    ///     calls ``removeAll(in:)``, leaves nothing behind.
    /// - Complexity: O(1), and O(1) for each value that has to go.
    func insert<Value: Sendable>(
        _ value: Value, _ metadata: EntryMetadata, size: Int, for key: Key, mark: CommitMark,
        isWanted: () -> Bool = { true }
    ) {
        guard key.type == ObjectIdentifier(Value.self) else { return }
        let kept = Kept(value: value, metadata: metadata, size: size)
        let cost = max(0, size) + Self.overhead
        let gone = contents.withLock { contents in
            guard isWanted() else { return [MemoryTierContents.Held]() }
            return contents.insert(kept, metadata, cost: cost, for: key, at: mark)
        }
        withExtendedLifetime(gone) {}
    }

    /// Takes up what the store said of the value under `key`: `metadata`, read after `mark` was taken; `nil` when the store has
    /// none. A value of other metadata goes.
    ///
    /// - Returns: Whether the value is what the store holds.
    @discardableResult
    func confirm(_ key: Key, _ metadata: EntryMetadata?, at mark: CommitMark) -> Bool {
        let (isConfirmed, gone) = contents.withLock { $0.confirm(key, metadata, at: mark) }
        withExtendedLifetime(gone) {}
        return isConfirmed
    }

    func remove(_ key: Key) {
        let gone = contents.withLock { $0.remove(key) }
        withExtendedLifetime(gone) {}
    }

    /// - Complexity: O(number of values).
    func removeAll(in partition: String) {
        let gone = contents.withLock { contents in
            contents.removeAll { $0.place.partition.hasSameBytes(as: partition) }
        }
        withExtendedLifetime(gone) {}
    }

    func removeAll() {
        let gone = contents.withLock { $0.removeAll { _ in true } }
        withExtendedLifetime(gone) {}
    }

    /// What all values may cost. Lowering it lets go what is too much.
    func setLimit(_ limit: Int) {
        let gone = contents.withLock { $0.setLimit(limit) }
        withExtendedLifetime(gone) {}
    }

    /// What was used since this was last asked: values of the database, whose rows do not know of it.
    ///
    /// - Complexity: O(number of values).
    func takeUsed() -> [StoreKey] { contents.withLock { $0.takeUsed() } }

    var counters: Counters {
        contents.withLock { $0.counters }
    }
}

extension MemoryTier.Key: Hashable {
    static func == (left: Self, right: Self) -> Bool {
        left.hash == right.hash && left.type == right.type && left.place == right.place && left.codec == right.codec
            && left.storage.hasSameBytes(as: right.storage)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}

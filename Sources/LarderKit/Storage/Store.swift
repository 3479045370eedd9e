public import Foundation
import LarderSQLite

/// What a value is stored under: the partition it belongs to, and its key there. Compared byte by byte.
public struct StoreKey: Sendable {
    public let partition: String
    public let key: String

    public init(partition: String = "", key: String) {
        self.partition = partition
        self.key = key
    }
}

extension StoreKey: Hashable {
    public static func == (left: StoreKey, right: StoreKey) -> Bool {
        left.key.hasSameBytes(as: right.key) && left.partition.hasSameBytes(as: right.partition)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(exactly: partition)
        hasher.combine(exactly: key)
    }
}

/// What is known of a stored value besides its bytes.
public struct EntryMetadata: Sendable, Hashable {
    public var codec: CodecID
    /// The order of the request that brought the value: a value never replaces one with a greater stamp.
    public var stamp: Int64
    /// When the value was true at the server: when it was asked for, less the age the server gave it.
    public var storedAt: Date
    /// How long the server itself called it fresh, if it said. Below zero, the app has said that the value has changed
    /// (``Partition/invalidate(_:)``): it is then stale whatever the app calls its maximal age.
    public var lifetime: Duration?
    public var validators: Validators
    /// For how long the server itself allows it to be served when stale.
    public var stale: StaleWindows

    public init(
        codec: CodecID, stamp: Int64 = 0, storedAt: Date, lifetime: Duration? = nil, validators: Validators = .init(),
        stale: StaleWindows = .init()
    ) {
        self.stale = stale
        self.codec = codec
        self.stamp = stamp
        self.storedAt = storedAt
        self.lifetime = lifetime
        self.validators = validators
    }
}

extension EntryMetadata {
    /// The app has said that the value has changed since.
    public var isInvalidated: Bool { lifetime.map { $0 < .zero } ?? false }

    /// The ``lifetime`` of what has been invalidated.
    static let invalidated = Duration.milliseconds(-1)
}

/// For how long, beyond its lifetime, a server allows a value to be served (RFC 5861); `nil` where it does not say.
public struct StaleWindows: Sendable, Hashable {
    /// While it is asked for again (section 3).
    public var whileRevalidate: Duration?
    /// When asking for it failed (section 4).
    public var ifError: Duration?

    public init(whileRevalidate: Duration? = nil, ifError: Duration? = nil) {
        self.whileRevalidate = whileRevalidate
        self.ifError = ifError
    }
}

/// A value as stored.
public struct StoredEntry: Sendable, Hashable {
    public var body: Data
    public var metadata: EntryMetadata

    public init(body: Data, metadata: EntryMetadata) {
        self.body = body
        self.metadata = metadata
    }
}

/// A stored value without its bytes.
public struct EntrySummary: Sendable, Hashable {
    public let key: StoreKey
    public let size: Int
    public let metadata: EntryMetadata
    /// When it was last used, to the hour or so; `nil` where that is not known.
    public var usedAt: Date?
    /// Whether it is exempt from trimming.
    public var isPinned = false
    /// Where its bytes lie.
    public var place: Place?

    public enum Place: String, Sendable, Hashable {
        /// In its row of the cache file.
        case database
        /// In a file of its own that the row names, since it is large.
        case blob
        /// In a file of the app's choice (``ResourceOptions/Storage/files``).
        case file
    }

    public init(key: StoreKey, size: Int, metadata: EntryMetadata) {
        self.key = key
        self.size = size
        self.metadata = metadata
    }
}

/// Bytes by key, with metadata. Any key and any bytes, empty ones included, come back as they were put.
///
/// ``entry(for:)`` runs on the caller's thread and is short; what writes is `async` and leaves it. `nil` means not stored
/// and nothing else: a value that is there and cannot be read throws.
public protocol Store: Sendable {
    func entry(for key: StoreKey) throws(StorageError) -> StoredEntry?

    /// Stores a value over an earlier one, all or nothing, unless what is stored has a greater stamp.
    ///
    /// Returns when a crash of the process cannot undo it.
    /// - Returns: Whether the value was stored.
    @discardableResult
    func put(_ entry: StoredEntry, for key: StoreKey) async throws(StorageError) -> Bool

    /// Removes the value of `key`; no error when there is none.
    func remove(_ key: StoreKey) async throws(StorageError)

    /// Removes all values of a partition.
    func removeAll(in partition: String) async throws(StorageError)

    /// Everything stored, in no particular order.
    ///
    /// - Complexity: O(number of values), without their bytes.
    func summaries() async throws(StorageError) -> [EntrySummary]
}

/// How much a cache keeps on disk.
public struct StorageBudget: Sendable, Hashable {
    /// The bytes of the cache: what is in use of its database, and its other files. `nil` sets no limit.
    public var bytes: Int?
    /// What was not used for this long goes, however much room there is; `nil` keeps it.
    public var unusedFor: Duration?
    /// The bytes of any one account, so that none crowds out the others; `nil` sets no limit.
    public var bytesPerPartition: Int?

    public init(bytes: Int?, unusedFor: Duration? = nil, bytesPerPartition: Int? = nil) {
        self.bytes = bytes.map { max(0, $0) }
        self.unusedFor = unusedFor
        self.bytesPerPartition = bytesPerPartition.map { max(0, $0) }
    }

    /// Whether the reserve for a full disk is a small part of it.
    var hasRoomForReserve: Bool { bytes.map { $0 >= 64 * Reserve.size } ?? true }

    /// 256 MiB.
    public static let standard = StorageBudget(bytes: 256 << 20)
    /// Everything is kept until it is removed.
    public static let unlimited = StorageBudget(bytes: nil)
}

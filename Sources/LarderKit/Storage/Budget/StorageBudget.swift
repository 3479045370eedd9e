/// How much a cache keeps on disk. What counts, and what goes first, is told in <doc:OnDisk>.
public struct StorageBudget: Sendable, Hashable {
    /// The bytes of the cache: what is in use of its database, and its other files (``StorageUsage/total``). `nil` sets no limit.
    public var bytes: Int?
    /// What was not used for this long goes, however much room there is, when the cache is tidied up (``Larder/tidy(isThorough:)``);
    /// `nil` keeps it.
    public var unusedFor: Duration?
    /// The bytes of the values and items of any one account, so that none crowds out the others; `nil` sets no limit. To keep
    /// to it costs a look at all there is, once for each thirty-second part of it that is written.
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

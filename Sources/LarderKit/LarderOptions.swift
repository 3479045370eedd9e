/// How a cache is kept on disk.
///
/// A folder that is opened twice in a process is one cache, kept as the first one to open it said.
public struct LarderOptions: Sendable, Hashable {
    /// How much is kept.
    public var budget: StorageBudget
    public var durability: Durability
    public var newerFormat: NewerFormat
    public var damage: DamageResponse
    /// How long a write waits for another process's before it is given up with ``StorageError/Kind/busy``. Reads wait for
    /// nobody.
    public var busyLimit: Duration

    public init(
        budget: StorageBudget = .standard, durability: Durability = .processCrash, newerFormat: NewerFormat = .refuse,
        damage: DamageResponse = .repair, busyLimit: Duration = .seconds(5)
    ) {
        self.budget = budget
        self.durability = durability
        self.newerFormat = newerFormat
        self.damage = damage
        self.busyLimit = busyLimit
    }
}

/// What a write that has returned survives. Neither leaves a cache that is not sound, or serves half of a value.
public enum Durability: String, Sendable, Hashable {
    /// The end of the process, however it comes. When the power is cut or the system crashes, the last writes may be undone
    /// (SQLite's `synchronous = NORMAL` with a write-ahead log): what a cache lacks it asks for again.
    case processCrash
    /// Also a power cut: every write waits for the disk, which takes milliseconds.
    case powerLoss
}

/// What happens when the cache in a folder was written by a newer version of Larder, whose format is not known.
public enum NewerFormat: String, Sendable, Hashable {
    /// Opening throws ``StorageError/Kind/newerFormat``.
    case refuse
    /// Another cache is kept beside it, in a folder of its own within that folder. The newer one is left as it is.
    case freshBeside
}

/// What happens when a cache turns out to be damaged.
public enum DamageResponse: String, Sendable, Hashable {
    /// What is readable is kept, what is not is forgotten, and the damaged file is set aside.
    case repair
    /// Nothing but that reads and writes report it.
    case refuse
}

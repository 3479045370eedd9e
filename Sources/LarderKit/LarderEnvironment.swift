/// What a larder takes from the world around it: time, chance, what is known about the network, the disk, and a log.
///
/// The one seam for tests: production code never mentions it.
public struct LarderEnvironment: Sendable {
    public var clock: any LarderClock
    public var connectivity: any ConnectivitySource
    public var random: any RandomSource
    /// Told of what happens, with nothing private in it.
    public var log: any LarderLog
    public var disk: any DiskAccess

    public init(
        clock: any LarderClock = SystemClock(), connectivity: any ConnectivitySource = SystemConnectivity.shared,
        random: any RandomSource = SystemRandom(), log: any LarderLog = NoLog(), disk: any DiskAccess = SystemDisk()
    ) {
        self.log = log
        self.disk = disk
        self.clock = clock
        self.connectivity = connectivity
        self.random = random
    }

    /// The machine's own clock, chance and network.
    public static var live: LarderEnvironment { LarderEnvironment() }
}

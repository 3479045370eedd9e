public import LarderKit

/// A world for a larder under test, where time and the network move only by hand, and chance is the same each time.
///
/// ```swift
/// let world = TestWorld()
/// let larder = try Larder(.temporary, environment: world.environment)
/// await world.advance(by: .seconds(61))
/// world.connectivity.set(.offline)
/// ```
public final class TestWorld: Sendable {
    public let clock: ManualClock
    public let connectivity: ManualConnectivity
    public let random: any RandomSource
    public let disk: any DiskAccess

    public init(
        clock: ManualClock = ManualClock(), connectivity: ManualConnectivity = ManualConnectivity(),
        random: any RandomSource = SeededRandom(), disk: any DiskAccess = SystemDisk()
    ) {
        self.disk = disk
        self.clock = clock
        self.connectivity = connectivity
        self.random = random
    }

    /// What a larder is opened with, to live in this world.
    public var environment: LarderEnvironment {
        LarderEnvironment(clock: clock, connectivity: connectivity, random: random, disk: disk)
    }

    /// Lets time pass: ``ManualClock/advance(by:)``.
    public func advance(by duration: Duration) async {
        await clock.advance(by: duration)
    }
}

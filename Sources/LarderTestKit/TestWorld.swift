public import LarderKit

/// A world for a larder under test, where time and the network move only by hand.
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

    public init(clock: ManualClock = ManualClock(), connectivity: ManualConnectivity = ManualConnectivity()) {
        self.clock = clock
        self.connectivity = connectivity
    }

    /// What a larder is opened with, to live in this world.
    public var environment: LarderEnvironment {
        LarderEnvironment(clock: clock, connectivity: connectivity)
    }

    /// Lets time pass: ``ManualClock/advance(by:)``.
    public func advance(by duration: Duration) async {
        await clock.advance(by: duration)
    }
}

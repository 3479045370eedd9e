/// What a larder takes from the world around it: time, and what is known about the network.
///
/// The one seam for tests: production code never mentions it.
public struct LarderEnvironment: Sendable {
    public var clock: any LarderClock
    public var connectivity: any ConnectivitySource

    public init(
        clock: any LarderClock = SystemClock(), connectivity: any ConnectivitySource = SystemConnectivity.shared
    ) {
        self.clock = clock
        self.connectivity = connectivity
    }

    /// The machine's own clock and network.
    public static var live: LarderEnvironment { LarderEnvironment() }
}

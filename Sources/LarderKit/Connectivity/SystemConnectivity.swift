/// What the system says about the network.
///
/// Nothing is watched before the first question. On Apple platforms the system reports changes by itself; until its
/// first report the state is ``Connectivity/unknown``. On Linux the state is looked up when somebody asks, at most once
/// every few seconds, so that ``states()`` learns of a change when ``current`` is next asked; it never says
/// ``Connectivity/offline`` there.
public final class SystemConnectivity: ConnectivitySource {
    public static let shared = SystemConnectivity()

    private let relay = ConnectivityRelay(.unknown)
    private let probe: SystemProbe

    init(probe: SystemProbe = SystemProbe()) {
        self.probe = probe
    }

    public var current: Connectivity {
        probe.update(relay)
        return relay.current
    }

    public func states() -> AsyncStream<Connectivity> {
        probe.update(relay)
        return relay.states()
    }
}

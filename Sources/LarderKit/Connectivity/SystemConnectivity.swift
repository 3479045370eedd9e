/// What the system says about the network.
///
/// Nothing is watched before the first question; from then on the system reports changes by itself. On Apple platforms the
/// state is ``Connectivity/unknown`` until its first report. On Linux it is ``Connectivity/offline`` when no interface but
/// loopback is up and has its link, ``Connectivity/suspect`` when no route leads beyond the link, and
/// ``Connectivity/online`` otherwise. Where a sandbox keeps a process from watching the kernel, interfaces are looked at
/// when somebody asks, at most once every few seconds, and the state is never ``Connectivity/offline``.
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

import LarderKit

/// For servers on this machine, which are there whatever the state of the network.
struct LoopbackConnectivity: ConnectivitySource {
    var current: Connectivity { .unknown }

    func states() -> AsyncStream<Connectivity> {
        AsyncStream { continuation in
            continuation.yield(.unknown)
            continuation.finish()
        }
    }
}

extension LarderEnvironment {
    /// The machine's own, as far as it matters for an endpoint.
    static func live(for endpoint: Endpoint?) -> LarderEnvironment {
        endpoint?.isLoopback == true ? LarderEnvironment(connectivity: LoopbackConnectivity()) : .live
    }
}

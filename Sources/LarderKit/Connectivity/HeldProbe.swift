/// A probe as it is passed on to the request it is for. Where none is made (the read joins one that is under way, or its
/// flight is given up before it starts), it is handed back when it is let go, so that the next to ask has it.
final class HeldProbe: Sendable {
    let probe: Probe
    private let origin: String
    private let network: NetworkWatch

    init(_ probe: Probe, of origin: String, _ network: NetworkWatch) {
        self.probe = probe
        self.origin = origin
        self.network = network
    }

    /// Says nothing of a probe whose request has ended.
    deinit { network.giveBack(probe, of: origin) }
}

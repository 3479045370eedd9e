/// What is known about the network. A hint: it shortens waits, and never forbids a request.
public enum Connectivity: String, Sendable, Hashable, CaseIterable {
    /// Nothing has been heard yet, or nothing that tells.
    case unknown
    /// A network is there.
    case online
    /// The link is up, and requests fail or no route leads beyond it.
    case suspect
    /// No network is there.
    case offline
}

/// A source of ``Connectivity``: the system's, a test's, or an app's own.
public protocol ConnectivitySource: Sendable {
    /// The state now, from memory: asking costs nothing and never blocks.
    var current: Connectivity { get }

    /// The state now, then every change of it. Each caller gets a stream of its own, which keeps the latest state only.
    func states() -> AsyncStream<Connectivity>
}

public import LarderKit

/// What is known about the network, as the test says.
public final class ManualConnectivity: ConnectivitySource {
    private let relay: ConnectivityRelay

    public init(_ initial: Connectivity = .online) {
        relay = ConnectivityRelay(initial)
    }

    public var current: Connectivity { relay.current }

    /// The state now, then each transition. Every caller has a stream of its own, which keeps the latest state only; it
    /// ends when this object goes.
    public func states() -> AsyncStream<Connectivity> { relay.states() }

    /// Changes the state. The same state again is no transition, and nobody hears of it.
    public func set(_ state: Connectivity) { relay.publish(state) }

    /// How many streams are being listened to.
    public var listenerCount: Int { relay.listenerCount }
}

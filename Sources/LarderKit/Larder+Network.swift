extension Larder {
    /// What is known of the network, by what the system says and by what became of requests, which have the last word.
    ///
    /// A hint: nothing that somebody asks for is refused by it.
    public var connectivity: Connectivity { core.network.current }

    /// What is known of the network now, then each change of it. Each caller has a stream of its own, which keeps the latest
    /// state only and ends when the larder is closed.
    public func connectivityStates() -> AsyncStream<Connectivity> { core.network.states() }

    /// To be called when the app comes to the foreground: what is watched is looked at again, since another process may have
    /// stored something meanwhile, and asked for again where it is stale.
    ///
    /// ```swift
    /// .onChange(of: scenePhase) { if scenePhase == .active { larder.enteredForeground() } }
    /// ```
    public func enteredForeground() { core.enteredForeground() }
}

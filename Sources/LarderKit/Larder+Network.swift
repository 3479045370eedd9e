extension Larder {
    /// What is known of the network, by what the system says and by what became of requests, which have the last word.
    ///
    /// A hint: nothing that somebody asks for is refused by it.
    public var connectivity: Connectivity { core.network.current }

    /// What is known of the network now, then each change of it. Each caller has a stream of its own, which keeps the latest
    /// state only and ends when the larder is closed.
    public func connectivityStates() -> AsyncStream<Connectivity> { core.network.states() }

    /// To be called when the app comes to the foreground: what is watched and stale is asked for again.
    ///
    /// ```swift
    /// .onChange(of: scenePhase) { if scenePhase == .active { larder.enteredForeground() } }
    /// ```
    public func enteredForeground() { core.refresher.happened(.foreground) }
}

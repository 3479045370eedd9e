#if os(Linux)
    import Synchronization

    /// The kernel's view of links and routes, as it changes; where it may not be watched, a look now and then.
    final class SystemProbe: Sendable {
        private enum Way {
            case undecided
            case watching(NetlinkMonitor)
            case glancing
        }

        private let way = Mutex(Way.undecided)
        private let watch: @Sendable (ConnectivityRelay) -> NetlinkMonitor?
        private let glance: InterfaceGlance

        init(
            watch: @escaping @Sendable (ConnectivityRelay) -> NetlinkMonitor? = { NetlinkMonitor($0) },
            glance: InterfaceGlance = InterfaceGlance()
        ) {
            self.watch = watch
            self.glance = glance
        }

        /// Starts to watch the first time. Everyone who asks has the state of that first look.
        func update(_ relay: ConnectivityRelay) {
            let isGlancing = way.withLock { way in
                if case .undecided = way { way = watch(relay).map { .watching($0) } ?? .glancing }
                if case .glancing = way { return true }
                return false
            }
            if isGlancing { glance.update(relay) }
        }
    }
#endif

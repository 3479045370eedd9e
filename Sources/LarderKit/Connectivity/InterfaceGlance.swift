#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif
    import Synchronization

    /// A look at the network interfaces (getifaddrs(3)), repeated at most once every few seconds and only when asked: for
    /// sandboxes that do not let a process listen to the kernel.
    ///
    /// An interface that is up says that a network is probably there. None says nothing: what such a sandbox shows need
    /// not be what there is.
    final class InterfaceGlance: Sendable {
        static let interval = Duration.seconds(5)

        private let lastLook = Mutex<ContinuousClock.Instant?>(nil)
        private let now: @Sendable () -> ContinuousClock.Instant
        private let look: @Sendable () -> Connectivity

        init(
            now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
            look: @escaping @Sendable () -> Connectivity = InterfaceGlance.lookAtInterfaces
        ) {
            self.now = now
            self.look = look
        }

        func update(_ relay: ConnectivityRelay) {
            let now = now()
            let isDue = lastLook.withLock { last in
                if let last, last.duration(to: now) < Self.interval { return false }
                last = now
                return true
            }
            if isDue { relay.publish(look()) }
        }

        static func lookAtInterfaces() -> Connectivity {
            var first: UnsafeMutablePointer<ifaddrs>?
            guard getifaddrs(&first) == 0 else { return .unknown }
            defer { freeifaddrs(first) }
            var next = first
            while let entry = next {
                if LinuxNetwork.carriesTraffic(flags: entry.pointee.ifa_flags) { return .online }
                next = entry.pointee.ifa_next
            }
            return .unknown
        }
    }
#endif

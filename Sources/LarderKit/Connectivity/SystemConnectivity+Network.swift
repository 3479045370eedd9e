#if canImport(Network)
    import Dispatch
    import Network
    import Synchronization

    /// Network.framework's view of the default path. All that is used here exists since iOS 12, macOS 10.14, tvOS 12,
    /// watchOS 5 and visionOS 1.
    final class SystemProbe: Sendable {
        private let monitor = Mutex<NWPathMonitor?>(nil)

        deinit {
            monitor.withLock { $0?.cancel() }
        }

        /// Starts the monitor the first time. It calls back on a queue of its own; `currentPath` is not used, since it claims
        /// to be unsatisfied before the first report.
        func update(_ relay: ConnectivityRelay) {
            monitor.withLock { running in
                guard running == nil else { return }
                let monitor = NWPathMonitor()
                monitor.pathUpdateHandler = { [weak relay] path in
                    relay?.publish(Self.connectivity(path.status))
                }
                monitor.start(queue: DispatchQueue(label: "larder.connectivity", qos: .utility))
                running = monitor
            }
        }

        /// A connection that is only made when somebody asks for it (`requiresConnection`) may be there or not.
        private static func connectivity(_ status: NWPath.Status) -> Connectivity {
            switch status {
            case .satisfied: .online
            case .unsatisfied: .offline
            default: .unknown
            }
        }
    }
#endif

#if canImport(Darwin)
    import Dispatch

    /// Hears from the system that memory is scarce.
    final class MemoryPressure: Sendable {
        private let source: any DispatchSourceMemoryPressure

        /// - Parameter release: Called on a queue of its own.
        init(_ release: @escaping @Sendable () -> Void) {
            source = DispatchSource.makeMemoryPressureSource(
                eventMask: [.warning, .critical], queue: DispatchQueue(label: "larder.memory"))
            source.setEventHandler(handler: release)
            source.activate()
        }

        deinit { source.cancel() }
    }
#endif

#if canImport(Darwin)
    import Foundation

    /// The thread that a protocol was started on: there alone its client may be told anything.
    ///
    /// Unchecked, since what it holds is used on that thread only: its run loop hands the protocol over.
    final class ClientThread: @unchecked Sendable {
        private weak var urlProtocol: LarderURLProtocol?
        private let loop: CFRunLoop
        private let modes: CFArray

        /// For the thread that calls this.
        init(_ urlProtocol: LarderURLProtocol) {
            self.urlProtocol = urlProtocol
            loop = CFRunLoopGetCurrent()
            var names = [CFRunLoopMode.defaultMode.rawValue]
            if let mode = CFRunLoopCopyCurrentMode(loop)?.rawValue, mode != names[0] { names.append(mode) }
            modes = names as CFArray
        }

        func perform(_ body: @escaping @Sendable (LarderURLProtocol) -> Void) {
            CFRunLoopPerformBlock(loop, modes) { [self] in
                if let urlProtocol { body(urlProtocol) }
            }
            CFRunLoopWakeUp(loop)
        }
    }
#endif

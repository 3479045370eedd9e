#if os(Linux)
    import Dispatch
    import Foundation
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif
    import Synchronization

    /// What inotify(7) says of a folder.
    final class FolderSource: Sendable {
        private let source: Mutex<any DispatchSourceRead>

        init?(_ folder: URL, _ queue: DispatchQueue, _ happened: @escaping @Sendable () -> Void) {
            guard let events = FolderEvents(folder) else { return nil }
            let source = DispatchSource.makeReadSource(fileDescriptor: events.descriptor, queue: queue)
            // The descriptor is closed with the last of these.
            source.setCancelHandler { withExtendedLifetime(events) {} }
            self.source = Mutex(source)
            self.source.withLock { source in
                source.setEventHandler { [weak self] in
                    guard let self, events.drain() else { return }
                    // One that is suspended must not be let go: `self` is held until it is resumed.
                    self.source.withLock { $0.suspend() }
                    queue.asyncAfter(deadline: .now() + FolderWatch.rest) {
                        // What has come meanwhile is said along with it, what comes from here on anew.
                        _ = events.drain()
                        if !self.isCancelled { happened() }
                        self.source.withLock { $0.resume() }
                    }
                }
                source.activate()
            }
        }

        func cancel() { source.withLock { $0.cancel() } }

        private var isCancelled: Bool { source.withLock { $0.isCancelled } }
    }

    /// The events of one folder, as far as they concern the database. Closed with the object.
    private final class FolderEvents: Sendable {
        let descriptor: Int32

        init?(_ folder: URL) {
            let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard descriptor >= 0 else { return nil }
            let events = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)
            guard inotify_add_watch(descriptor, folder.path, events) >= 0 else {
                close(descriptor)
                return nil
            }
            self.descriptor = descriptor
        }

        deinit { close(descriptor) }

        /// Takes what has come, and says whether any of it may be a commit.
        func drain() -> Bool {
            withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
                var isMeant = false
                while true {
                    let count = read(descriptor, buffer.baseAddress, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { return isMeant }
                    if !isMeant { isMeant = Self.concernDatabase(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                }
            }
        }

        private static func concernDatabase(_ events: UnsafeRawBufferPointer) -> Bool {
            let head = MemoryLayout<inotify_event>.size
            var offset = 0
            while offset + head <= events.count {
                let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let end = offset + head + Int(event.len)
                guard end <= events.count else { return true }
                // Where the kernel had more to say than there was room for, anything may have been written.
                if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
                let name = events[(offset + head)..<end].prefix { $0 != 0 }
                if name.elementsEqual(FolderWatch.databaseName.utf8) || name.suffix(4).elementsEqual("-wal".utf8) {
                    return true
                }
                offset = end
            }
            return false
        }
    }
#endif

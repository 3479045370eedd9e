#if canImport(Darwin)
    import Darwin
    import Dispatch
    import Foundation
    import Synchronization

    /// What kqueue(2) says of the log of a database, and of its folder: when the log is replaced, the new one is watched.
    ///
    /// Neither file is one that SQLite locks, so that closing the descriptors drops no lock of this process.
    final class FolderSource: Sendable {
        private struct State {
            var folder: (any DispatchSourceFileSystemObject)?
            var log: (any DispatchSourceFileSystemObject)?
            var isDue = false
            var isCancelled = false
        }

        private let state = Mutex(State())
        private let log: String
        private let queue: DispatchQueue
        private let happened: @Sendable () -> Void

        init?(_ folder: URL, _ queue: DispatchQueue, _ happened: @escaping @Sendable () -> Void) {
            log = folder.appendingPathComponent(FolderWatch.databaseName + "-wal").path
            self.queue = queue
            self.happened = happened
            let source = watch(folder.path, .write) { [weak self] _ in
                self?.watchLog()
                self?.wake()
            }
            guard let source else { return nil }
            state.withLock { $0.folder = source }
            watchLog()
        }

        func cancel() {
            state.withLock { state in
                state.isCancelled = true
                state.folder?.cancel()
                state.log?.cancel()
                (state.folder, state.log) = (nil, nil)
            }
        }

        private func watch(
            _ path: String, _ events: DispatchSource.FileSystemEvent,
            _ body: @escaping @Sendable (DispatchSource.FileSystemEvent) -> Void
        ) -> (any DispatchSourceFileSystemObject)? {
            let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor, eventMask: events, queue: queue)
            source.setEventHandler { [weak source] in
                if let source { body(source.data) }
            }
            source.setCancelHandler { close(descriptor) }
            source.activate()
            return source
        }

        /// Watches the log that is there now, unless one is watched.
        private func watchLog() {
            state.withLock { state in
                guard state.log == nil, !state.isCancelled else { return }
                state.log = watch(log, [.write, .extend, .delete, .rename]) { [weak self] events in
                    guard let self else { return }
                    if !events.isDisjoint(with: [.delete, .rename]) {
                        self.state.withLock { state in
                            state.log?.cancel()
                            state.log = nil
                        }
                        self.watchLog()
                    }
                    self.wake()
                }
            }
        }

        private func wake() {
            let isDue = state.withLock { state in
                defer { state.isDue = true }
                return state.isDue
            }
            guard !isDue else { return }
            queue.asyncAfter(deadline: .now() + FolderWatch.rest) { [weak self] in
                guard let self else { return }
                let isCancelled = self.state.withLock { state in
                    state.isDue = false
                    return state.isCancelled
                }
                if !isCancelled { self.happened() }
            }
        }
    }
#endif

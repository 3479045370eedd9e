import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if canImport(Darwin)
    /// What happens when more of a body comes than is taken: the task is suspended.
    ///
    /// What had come before that is still delivered, and waits in memory.
    struct Overflow {
        private var waiting: [Data] = []
        private var isSuspended = false

        var holdsBytes: Bool { !waiting.isEmpty }

        mutating func begin(_ task: URLSessionTask) {
            guard !isSuspended else { return }
            isSuspended = true
            task.suspend()
        }

        mutating func take(_ data: Data, _ task: URLSessionTask) -> Bool {
            waiting.append(data)
            return true
        }

        mutating func next() throws -> Data? { waiting.isEmpty ? nil : waiting.removeFirst() }

        /// There is room again.
        mutating func end(_ task: URLSessionTask) {
            guard isSuspended else { return }
            isSuspended = false
            task.resume()
        }
    }
#else
    /// What happens when more of a body comes than is taken: it waits in a file.
    struct Overflow {
        private var file: SpillFile?

        var holdsBytes: Bool { file.map { !$0.isEmpty } ?? false }

        mutating func begin(_ task: URLSessionTask) {}

        /// - Returns: Whether it could be written.
        mutating func take(_ data: Data, _ task: URLSessionTask) -> Bool {
            do {
                var spill = try file ?? SpillFile()
                try spill.append(data)
                file = spill
                return true
            } catch {
                return false
            }
        }

        mutating func next() throws -> Data? { try file?.next(upTo: 64 << 10) }

        mutating func end(_ task: URLSessionTask) {}
    }
#endif

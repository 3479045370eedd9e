import Synchronization

/// Which stored bodies are being read: one that is replaced meanwhile stays until the last who reads it has ended.
final class BodiesInUse: Sendable {
    private struct Use {
        var readers = 0
        /// What is to be removed then.
        var leftovers: [String] = []
    }

    private let uses = Mutex<[String: Use]>([:])

    func begin(_ id: String) { uses.withLock { $0[id, default: Use()].readers += 1 } }

    /// - Returns: What is to be removed now.
    func end(_ id: String) -> [String] {
        uses.withLock { uses in
            guard var use = uses[id] else { return [] }
            use.readers -= 1
            uses[id] = use.readers > 0 ? use : nil
            return use.readers > 0 ? [] : use.leftovers
        }
    }

    /// Whether somebody reads it, who will have it removed.
    func isLeftToReaders(_ id: String, _ names: [String]) -> Bool {
        uses.withLock { uses in
            guard uses[id] != nil else { return false }
            uses[id]?.leftovers = names
            return true
        }
    }
}

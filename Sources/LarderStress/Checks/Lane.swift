import Synchronization

/// Fetch closures of which a number run at a time, those besides whose flights were given up: of one feed one, of one
/// host a few.
///
/// That a flight is given up may become known to its closure when the next one has begun. So a crowd is judged when the
/// last of it ends: one of them has to have been given up.
final class Lane: Sendable {
    private struct State {
        var running: Set<Int> = []
        var crowds: [Set<Int>] = []
        var most = 0
    }

    let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    func begin(_ serial: Int, isGivenUp: Bool) {
        guard !isGivenUp else { return }
        state.withLock { state in
            state.running.insert(serial)
            if state.running.count > limit {
                state.crowds.append(state.running)
            } else {
                state.most = max(state.most, state.running.count)
            }
        }
    }

    func giveUp(_ serial: Int) {
        state.withLock { state in
            state.running.remove(serial)
            state.crowds.removeAll { $0.contains(serial) }
        }
    }

    /// - Returns: Whether there was room for it.
    func end(_ serial: Int) -> Bool {
        state.withLock { state in
            guard state.running.remove(serial) != nil else { return true }
            for index in state.crowds.indices { state.crowds[index].remove(serial) }
            defer { state.crowds.removeAll(where: \.isEmpty) }
            return !state.crowds.contains(where: \.isEmpty)
        }
    }

    /// The most that ran at a time.
    var most: Int { state.withLock { $0.most } }
}

import LarderSQLite
import Synchronization

/// Empties the write-ahead log when nothing has been written for a while: its bytes are then in the file, and its place is given
/// back.
///
/// A log that is small is left alone. While a reader is in the way, it is tried again at growing distances.
final class IdleCheckpoint: Sendable {
    private struct State {
        weak var database: Database?
        var alarm = Alarm()
        /// When something was last written.
        var latest = Duration.zero
        var patience = IdleCheckpoint.rest
        var isClosed = false
    }

    /// For how long nothing has to have been written.
    static let rest = Duration.seconds(5)
    static let longestRest = Duration.seconds(640)
    /// So many bytes are worth the trouble.
    static let worthwhile = 1 << 20

    private let clock: any LarderClock
    private let state = Mutex(State())

    init(clock: any LarderClock) { self.clock = clock }

    deinit { close() }

    func begin(_ database: Database) { state.withLock { $0.database = database } }

    /// Something was written, and so many bytes are in the log.
    func noteWrite(_ bytes: Int) {
        state.withLock { state in
            state.latest = clock.elapsed
            state.patience = Self.rest
            if bytes >= Self.worthwhile { set(&state, state.latest + Self.rest) }
        }
    }

    /// When the task that sleeps wakes.
    var alarm: Duration? { state.withLock { $0.alarm.time } }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.alarm.cancel()
        }
    }

    private func set(_ state: inout State, _ time: Duration) {
        guard !state.isClosed else { return }
        state.alarm.set(time, by: clock) { [weak self] time in await self?.ring(time) }
    }

    /// What the task that sleeps does when it wakes. Nothing, if something was written since it fell asleep.
    func ring(_ time: Duration) async {
        let database = state.withLock { state -> Database? in
            state.alarm.hasRung(time)
            let due = state.latest + Self.rest
            guard due <= clock.elapsed else {
                set(&state, due)
                return nil
            }
            return state.database
        }
        guard let database else { return }
        do {
            try await database.checkpoint(.truncate, isPatient: false)
        } catch let error as SQLiteError where error.code.primary == .busy {
            state.withLock { state in
                state.patience = min(state.patience * 2, Self.longestRest)
                set(&state, clock.elapsed + state.patience)
            }
        } catch {
            // With the next write it is tried again.
        }
    }
}

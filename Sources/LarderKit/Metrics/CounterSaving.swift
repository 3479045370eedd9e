import LarderSQLite
import Synchronization

/// When what was counted is added to the cache file: along with something that is written anyway, and not each time.
final class CounterSaving: Sendable {
    /// What was counted within this time is saved together.
    static let interval = Duration.seconds(5)

    private let meter: Meter
    private let clock: any LarderClock
    /// Where there is no file, nothing is saved.
    private let isSaving: Bool
    private let latest = Mutex<Duration?>(nil)

    init(meter: Meter, clock: any LarderClock, isSaving: Bool) {
        self.meter = meter
        self.clock = clock
        self.isSaving = isSaving
    }

    /// Lets `write` save what was counted, if that is due, and takes it for unsaved when `write` throws.
    nonisolated(nonsending) func along<R>(_ write: (Metrics) async throws -> R) async throws -> R {
        let unsaved = isDue() ? meter.takeUnsaved() : Metrics()
        do { return try await write(unsaved) } catch {
            meter.giveBack(unsaved)
            throw error
        }
    }

    private func isDue() -> Bool {
        guard isSaving else { return false }
        let now = clock.elapsed
        return latest.withLock { latest in
            if let latest, now - latest < Self.interval { return false }
            latest = now
            return true
        }
    }

    /// Saves what was counted now. What cannot be saved stays to be saved later.
    nonisolated(nonsending) func save(to database: Database) async {
        await saving { unsaved in try await database.write { db in try CounterTable.add(unsaved, in: db) } }
    }

    /// The same for a database that is about to be closed. Waits for no other process.
    func saveLast(to database: Database) {
        guard let unsaved = takeUnsaved() else { return }
        do { try database.lastWriteSync { db in try CounterTable.add(unsaved, in: db) } } catch {
            meter.giveBack(unsaved)
        }
    }

    private nonisolated(nonsending) func saving(_ write: (Metrics) async throws -> Void) async {
        guard let unsaved = takeUnsaved() else { return }
        do { try await write(unsaved) } catch { meter.giveBack(unsaved) }
    }

    private func takeUnsaved() -> Metrics? {
        guard isSaving else { return nil }
        let unsaved = meter.takeUnsaved()
        return unsaved.isEmpty ? nil : unsaved
    }
}

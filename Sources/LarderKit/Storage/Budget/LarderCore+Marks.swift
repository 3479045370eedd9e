import Foundation
import LarderSQLite

/// What is saved along with a write that happens anyway.
struct SavedAlong: Sendable {
    var counted = Metrics()
    var marks = AccessMarks.Times()

    func save(in db: borrowing Connection) throws {
        try CounterTable.add(counted, in: db)
        try AccessMarkTable.save(marks, in: db)
    }
}

extension LarderCore {
    /// Lets `write` save what has to be saved at some time, and takes it for unsaved when `write` throws.
    nonisolated(nonsending) func along<R>(_ write: (SavedAlong) async throws -> R) async throws -> R {
        collectUses()
        let taken = marks.takeAlong()
        do {
            return try await counters.along { counted in try await write(SavedAlong(counted: counted, marks: taken)) }
        } catch {
            marks.giveBack(taken)
            throw error
        }
    }

    /// Notes what was used without a look at its store.
    private func collectUses() {
        let now = environment.clock.now().millisecondsSince1970
        guard marks.isLookDue(at: now) else { return }
        for place in tier.takeUsed() { marks.note(.value(place), at: now) }
    }

    /// Saves all there is to be saved of uses.
    ///
    /// - Parameter isTrimming: What is to be trimmed is about to be decided by them: uses in the future are brought to the present.
    func saveMarks(isTrimming: Bool = false) async throws(StorageError) {
        collectUses()
        let taken = marks.takeAll()
        (fileStore as? FileStore)?.touch(taken)
        let rows = taken.filter { !$0.key.isFile }
        do throws(StorageError) {
            let now = environment.clock.now().millisecondsSince1970
            var isMore = isTrimming
            if !rows.isEmpty || isMore {
                repeat {
                    isMore = try await storing {
                        try await database.write { [isMore] db in
                            try AccessMarkTable.save(rows, in: db)
                            return try isMore && AccessMarkTable.settleFuture(now, in: db)
                        }
                    }
                } while isMore
            }
        } catch {
            marks.giveBack(rows)
            throw error
        }
    }

    /// The same when the database is about to be closed. Waits for no other process, and tries nothing a second time.
    func saveLastMarks() {
        let taken = marks.takeAll()
        guard !taken.isEmpty else { return }
        (fileStore as? FileStore)?.touch(taken)
        let rows = taken.filter { !$0.key.isFile }
        guard !rows.isEmpty else { return }
        try? database.lastWriteSync { db in try AccessMarkTable.save(rows, in: db) }
    }
}

import LarderSQLite
import Synchronization

/// Looks whether another process has committed anything, and tells those who follow.
///
/// SQLite itself tells the commits of this process apart: it counts those of other connections than the one that asks.
final class ProcessLook: Sendable {
    private struct Seen {
        /// The count of other processes' commits.
        var version: Int64?
        /// What was stored then, as long as somebody wants to know what has changed.
        var stored: StoredState?
    }

    private let database: Database
    private let changes: ChangeHub
    /// The file to begin with. Cheap to have, unlike the count, for which the writes under way are waited for.
    private let beginning: CommitMark
    private let seen = Mutex(Seen())

    init(_ database: Database, _ changes: ChangeHub) {
        self.database = database
        self.changes = changes
        beginning = database.commitMark
    }

    /// By one at a time, since that is how it is called; what follows is told out of the lock.
    func look() {
        var seen = seen.withLock { $0 }
        var isForeign: Bool
        do { isForeign = try hasNews(&seen) } catch {
            // A database that is closed has no more to tell. Of any other what cannot be looked at may have changed.
            guard StorageError.wrapping(error).kind != .closed else { return }
            isForeign = true
        }
        // What was read before another process committed is compared with what there is after.
        if !isForeign { isForeign = !keepUp(&seen) }
        if isForeign { tell(&seen) }
        self.seen.withLock { [seen] in $0 = seen }
    }

    private func hasNews(_ seen: inout Seen) throws -> Bool {
        let version = try database.dataVersion()
        defer { seen.version = version }
        // The first look tells nothing of what was committed before it, by whomever: better once too often.
        guard let last = seen.version else { return database.commitMark != beginning }
        return version != last
    }

    /// Takes in what this process has done itself, so that it is not laid at another's door.
    ///
    /// - Returns: Whether nobody else has committed meanwhile.
    private func keepUp(_ seen: inout Seen) -> Bool {
        guard changes.journal.isHeard else {
            seen.stored = nil
            return true
        }
        let own = changes.journal.takeOwn()
        if seen.stored != nil, let own, own.isEmpty { return true }
        let renewed = try? database.read { db in
            guard let own, let stored = seen.stored else { return try StoredState(db) }
            return try stored.renewed(own, in: db)
        }
        guard let renewed, (try? database.dataVersion()) == seen.version else { return false }
        seen.stored = renewed
        return true
    }

    private func tell(_ seen: inout Seen) {
        // Each looks at what it follows, which is less than to find out who need not.
        for topic in changes.topics { changes.post(elsewhere: topic) }
        guard changes.journal.isHeard else { return }
        let past = seen.stored
        _ = changes.journal.takeOwn()
        seen.stored = try? database.read { db in try StoredState(db, after: past) }
        if let past, let stored = seen.stored {
            changes.journal.note(stored.changes(since: past), by: .otherProcess)
        } else {
            changes.journal.note([.everything], by: .otherProcess)
        }
    }
}

import LarderSQLite
import Synchronization

/// What was used lately and is not yet written down as used: saved along with something that is written anyway, so that no
/// read ever writes.
///
/// It is known to the hour, which is enough to tell what nobody needs, and makes marks rare. Bounded: where too many wait to be
/// saved, further ones are not taken, and are noted again at the next use.
final class AccessMarks: Sendable {
    /// What is used.
    enum Used: Hashable, Sendable {
        case value(StoreKey)
        case file(StoreKey)
        case feed(StoreKey)
    }

    /// When things were used, in milliseconds since 1970.
    typealias Times = [Used: Int64]

    /// What was used within this time counts as used at the same time, in milliseconds.
    static let granularity: Int64 = 3_600_000
    static let limit = 1024
    /// How many are saved along with another write at most.
    static let along = 32

    private struct State {
        /// What need not be noted again for a while.
        var noted: Times = [:]
        var waiting: Times = [:]
        var latestLook: Int64?
    }

    private let state = Mutex(State())

    /// Notes a use.
    ///
    /// - Parameters:
    ///   - now: In milliseconds since 1970.
    ///   - isNew: Whether it was just stored, so that what was known of its use is void.
    func note(_ used: Used, at now: Int64, isNew: Bool = false) {
        state.withLock { state in
            if !isNew, let noted = state.noted[used], abs(now - noted) < Self.granularity { return }
            guard state.waiting.count < Self.limit || state.waiting[used] != nil else { return }
            if state.noted.count >= 4 * Self.limit { state.noted = [:] }
            state.noted[used] = now
            state.waiting[used] = now
        }
    }

    /// Whether it is time to ask the memory tier what was used of it: not more often than uses are told apart.
    func isLookDue(at now: Int64) -> Bool {
        state.withLock { state in
            guard let latest = state.latestLook, abs(now - latest) < Self.granularity else {
                defer { state.latestLook = now }
                return state.latestLook != nil
            }
            return false
        }
    }

    /// What is to be saved along with a write: rows, and not many of them.
    func takeAlong() -> Times {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return [:] }
            var taken: Times = [:]
            for (used, time) in state.waiting where !used.isFile {
                taken[used] = time
                if taken.count == Self.along { break }
            }
            for used in taken.keys { state.waiting[used] = nil }
            return taken
        }
    }

    func takeAll() -> Times {
        state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting
        }
    }

    /// Takes back what could not be saved.
    func giveBack(_ times: Times) {
        state.withLock { state in
            for (used, time) in times where state.waiting.count < Self.limit {
                state.waiting[used] = max(time, state.waiting[used] ?? time)
            }
        }
    }

    /// How many wait to be saved.
    var count: Int { state.withLock { $0.waiting.count } }
}

extension AccessMarks.Used {
    var isFile: Bool { if case .file = self { true } else { false } }
}

/// When values and feeds were used, in their rows.
enum AccessMarkTable {
    static func save(_ times: AccessMarks.Times, in db: borrowing Connection) throws {
        for (used, time) in times {
            let (sql, key) =
                switch used {
                case .value(let key): (values, key)
                case .feed(let key): (feeds, key)
                case .file: ("", StoreKey(key: ""))
                }
            guard !sql.isEmpty else { continue }
            try db.withStatement(sql) { statement in
                try statement.bind(key.partition, at: 1)
                try statement.bind(key.key, at: 2)
                try statement.bind(time, at: 3)
                try statement.bind(AccessMarks.granularity, at: 4)
                try statement.run()
            }
        }
    }

    // A row that says nearly the same is not written over.
    private static let values =
        "UPDATE larder_entry SET used_at = ?3 WHERE partition = ?1 AND key = ?2 AND abs(used_at - ?3) >= ?4"
    private static let feeds =
        "UPDATE larder_feed SET used_at = ?3 WHERE partition = ?1 AND name = ?2 AND abs(used_at - ?3) >= ?4"

    /// Brings uses that seem to lie in the future to the present: the clock was ahead, and they would be kept for ever.
    ///
    /// - Returns: Whether there may be more.
    static func settleFuture(_ now: Int64, in db: borrowing Connection) throws -> Bool {
        let sql = """
            UPDATE larder_entry SET used_at = ?1
            WHERE rowid IN (SELECT rowid FROM larder_entry WHERE used_at > ?1 ORDER BY used_at LIMIT 500)
            """
        for sql in ["UPDATE larder_feed SET used_at = ?1 WHERE used_at > ?1", sql] {
            try db.withStatement(sql) { statement in
                try statement.bind(now, at: 1)
                try statement.run()
            }
        }
        return db.changes == 500
    }
}

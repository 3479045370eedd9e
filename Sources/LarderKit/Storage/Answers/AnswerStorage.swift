import Foundation
import LarderSQLite

/// Where the HTTP cache of a partition keeps what it stores: rows of the cache file beside those of resources, so that they share
/// budget, checks, repair and signing out with the rest.
///
/// Several answers may be stored for one thing, under names that begin with its own: `name`, and `name`, a line feed and more.
package struct AnswerStorage: Sendable {
    private let core: LarderCore
    private let partition: PartitionState

    package init(_ partition: Partition) {
        core = partition.core
        self.partition = partition.state
    }

    /// Nothing can be had from it any more: the partition was signed out of in this process, or the cache is closed.
    package var isOver: Bool { core.isClosed || partition.isSignedOut }

    /// Whether both are of one sign-in to one partition.
    package func isSame(as other: AnswerStorage) -> Bool { core === other.core && partition === other.partition }

    package var clock: any LarderClock { core.environment.clock }

    /// The same as long as nothing was committed to the cache file by anybody, and cheap to look at.
    package var mark: AnswerMark { AnswerMark(commit: core.database.commitMark) }

    /// Throws when the partition was signed out of, here or in another process.
    package func check() throws(LarderError) {
        do { try partition.check(after: core.database) } catch { throw .signedOut }
    }

    /// A stamp later than that of everything asked for before, and than what was said of the partition.
    package func stamp(after latest: Int64 = 0) -> Int64 {
        let fence = try? core.database.withReader { db in try FenceTable(partition: partition.name).latest(in: db) }
        return core.stamps.next(at: clock.now(), after: max(latest, fence ?? 0)).order
    }

    /// The value under exactly this name.
    package func entry(_ name: String) throws(LarderError) -> StoredEntry? {
        do {
            let entry = try core.sqliteStore.entry(for: key(name))
            try partition.check(after: core.database)
            return entry
        } catch {
            throw core.noticing(error, in: partition)
        }
    }

    /// All values under this name and under those that it begins, a line feed between. What is damaged counts as not stored, since
    /// it can be fetched again; its damage is noted.
    package func entries(_ name: String) throws(LarderError) -> [(name: String, entry: StoredEntry)] {
        do {
            var found: [(name: String, entry: StoredEntry)] = []
            for name in try states(name).keys.sorted() {
                do throws(StorageError) {
                    if let entry = try core.sqliteStore.entry(for: key(name)) { found.append((name, entry)) }
                } catch {
                    guard error.kind == .corrupt else { throw error }
                }
            }
            try partition.check(after: core.database)
            return found
        } catch {
            throw core.noticing(error, in: partition)
        }
    }

    /// What tells two states of a stored value apart, without its bytes.
    package struct State: Sendable, Hashable {
        package let stamp: Int64
        package let isInvalidated: Bool

        package init(stamp: Int64, isInvalidated: Bool) {
            self.stamp = stamp
            self.isInvalidated = isInvalidated
        }
    }

    /// The states of all values under this name, and those that it begins.
    ///
    /// - Complexity: O(log n) and O(number of these values).
    package func states(_ name: String) throws(LarderError) -> [String: State] {
        let sql = """
            SELECT key, stamp, lifetime FROM larder_entry
            WHERE partition = ?1 AND (key = ?2 OR key > ?3 AND key < ?4)
            """
        do {
            return try core.database.withReader { db in
                try db.withStatement(sql) { statement in
                    try statement.bind(partition.name, at: 1)
                    try statement.bind(name, at: 2)
                    try statement.bind(name + "\n", at: 3)
                    try statement.bind(name + "\u{0B}", at: 4)
                    var states: [String: State] = [:]
                    while try statement.step() {
                        guard let key = try statement.row.readableText(0),
                            let stamp = try statement.row.readableInt64(1)
                        else { continue }
                        let lifetime = try statement.row.readableInt64(2)
                        states[key] = State(stamp: stamp, isInvalidated: lifetime.map { $0 < 0 } ?? false)
                    }
                    return states
                }
            }
        } catch {
            throw core.noticing(error, in: partition)
        }
    }

    /// Stores a value, unless something later is stored or was said, or the partition was signed out of.
    ///
    /// - Returns: Whether it was stored.
    /// - Throws: Where there is no room for it, or the disk does not take it.
    @discardableResult
    package func put(_ entry: StoredEntry, as name: String) async throws(LarderError) -> Bool {
        let admission = Admission(
            partition: partition, name: name, tags: [], storage: .database, stamp: entry.metadata.stamp)
        do {
            try partition.check()
            return try await core.put(entry, for: key(name), in: .database, admission: admission) == .stored
        } catch {
            throw core.noticing(error, in: partition)
        }
    }

    /// Says that what is stored under this name, and the names that it begins, has changed: it is stale from now on, and what was
    /// asked for before is not stored any more.
    package func invalidate(_ name: String) async throws(LarderError) {
        let partition = Partition(core: core, state: partition)
        try await partition.invalidate(.key(name))
        try await partition.invalidate(.prefix(name + "\n"))
    }

    /// Removes values. What cannot be removed is left to the budget, and told.
    ///
    /// - Parameter stamp: What was asked for later stays.
    package func remove(_ names: [String], upTo stamp: Int64 = .max) async throws(LarderError) {
        let keys = names.map { key($0) }
        do {
            let blobs = try await core.database.write { [partition] db in
                try partition.check(in: db)
                return try keys.flatMap { key in
                    try EntryTable.remove(where: "partition = ?1 AND key = ?2 AND stamp <= ?3", in: db) { statement in
                        try statement.bind(key.partition, at: 1)
                        try statement.bind(key.key, at: 2)
                        try statement.bind(stamp, at: 3)
                    }
                }
            }
            core.sqliteStore.blobs?.remove(blobs)
        } catch {
            throw core.noticing(error, in: partition)
        }
    }

    /// Exempts values from trimming, or no longer.
    package func pin(_ names: [String], _ isPinned: Bool) async throws(LarderError) {
        let keys = names.map { key($0) }
        do {
            try await core.database.write { [partition] db in
                try partition.check(in: db)
                for key in keys { try PinTable.set(key, isPinned, in: db) }
            }
            core.keeper.forget()
        } catch {
            throw core.noticing(error, in: partition)
        }
    }

    package func isPinned(_ name: String) throws(LarderError) -> Bool {
        do {
            return try core.database.withReader { db in try PinTable.contains(key(name), in: db) }
        } catch {
            throw core.noticing(error, in: partition)
        }
    }

    /// Notes that values are used, though they are not read here.
    package func noteUse(_ names: [String]) {
        let now = clock.now().millisecondsSince1970
        for name in names { core.marks.note(.value(key(name)), at: now) }
    }

    /// How large a value may be at most, in bytes; `nil` where the cache has no budget.
    package var budget: Int? { core.options.budget.bytes }

    private func key(_ name: String) -> StoreKey { StoreKey(partition: partition.name, key: name) }
}

/// A state of the cache file.
package struct AnswerMark: Sendable, Hashable {
    fileprivate let commit: CommitMark
}

import Foundation
import LarderSQLite
import Synchronization

/// One partition as this process knows it, shared by all handles of it until it is signed out of.
///
/// The generation counts how often that has happened, in the cache file, so that all processes agree: what was asked for
/// under an earlier one is not stored any more, and what comes later begins with nothing.
final class PartitionState: Sendable {
    let name: String
    let generation: Int64
    private let hasEnded = Atomic(false)
    /// The cache file as it was when this was last seen to be its generation there.
    private let seen = Mutex<CommitMark?>(nil)
    /// Signing out has begun to remove what lies outside of the database, and has not ended.
    let isBeingEmptied = Atomic(false)

    init(name: String, generation: Int64) {
        self.name = name
        self.generation = generation
    }

    /// Whether this process knows that the partition was signed out of.
    var isSignedOut: Bool { hasEnded.load(ordering: .acquiring) }

    /// - Returns: Whether it was signed in until now.
    @discardableResult
    func end() -> Bool { !hasEnded.exchange(true, ordering: .acquiringAndReleasing) }

    func check() throws(SignedOut) {
        if isSignedOut { throw SignedOut() }
    }

    /// The same for what has just been read: that no other process had signed out by then. Looks into the cache file if anything
    /// was committed there since the last time.
    func check(after database: Database) throws(SignedOut) {
        try check()
        let mark = database.commitMark
        if seen.withLock({ $0 == mark }) { return }
        // Where it cannot be read, it says nothing against what else there is.
        guard let present = try? database.withReader({ try PartitionTable.generation(of: name, in: $0) }) else {
            return
        }
        guard present == generation else { throw SignedOut() }
        seen.withLock { $0 = mark }
    }

    /// The same, with the last word of the cache file: for what is about to be written there.
    func check(in db: borrowing Connection) throws {
        try check()
        guard try PartitionTable.generation(of: name, in: db) == generation else { throw SignedOut() }
    }
}

/// The partition was signed out of since the handle was made.
struct SignedOut: Error {}

/// Which partitions were signed out of, and how often.
enum PartitionTable {
    static func generation(of name: String, in db: borrowing Connection) throws -> Int64 {
        // Texts come before blobs.
        let sql = "SELECT generation FROM larder_partition WHERE name IN (?1, x'') ORDER BY name LIMIT 1"
        return try db.withStatement(sql) { statement in
            try statement.bind(name, at: 1)
            return try statement.step() ? try statement.row.int64(0) : 0
        }
    }

    /// Begins a generation that no partition has had, for all of them, without removing anything: which ones were signed out
    /// of is not known any more. It stands under a name that is none, for those that have no row of their own.
    static func endAll(in db: borrowing Connection) throws {
        let sql: SQL = "SELECT coalesce(max(generation), 0) FROM larder_partition WHERE typeof(generation) = 'integer'"
        let greatest = min(try db.first(sql) { try $0.int64(0) } ?? 0, 1 << 50)
        // Nobody signs out once a second.
        let next = max(greatest, Date().millisecondsSince1970 / 1000) + 1
        try db.execute("DELETE FROM larder_partition")
        try db.execute("INSERT INTO larder_partition (name, generation) VALUES (x'', \(next))")
    }

    /// Begins the next generation and removes all rows of the one that ends.
    ///
    /// What is removed is overwritten, as far as the file itself goes (<https://www.sqlite.org/pragma.html#pragma_secure_delete>);
    /// the log has to be emptied besides.
    ///
    /// - Returns: The files that held bodies, to be removed once this is committed.
    @discardableResult
    static func end(_ name: String, in db: borrowing Connection) throws -> [String] {
        try db.executeScript("PRAGMA secure_delete = ON")
        let blobs = try EntryTable.remove(where: "partition = ?1", in: db) { statement in
            try statement.bind(name, at: 1)
        }
        for sql in removals {
            try db.withStatement(sql) { statement in
                try statement.bind(name, at: 1)
                try statement.run()
            }
        }
        return blobs
    }

    private static let removals =
        ["segment", "edge", "envelope", "feed_item"].map {
            "DELETE FROM larder_\($0) WHERE feed IN (SELECT id FROM larder_feed WHERE partition = ?1)"
        } + ["feed", "gone", "fence", "tag", "lease", "pin"].map { "DELETE FROM larder_\($0) WHERE partition = ?1" }
        + [
            """
            INSERT INTO larder_partition (name, generation)
            VALUES (?1, 1 + coalesce((SELECT generation FROM larder_partition WHERE name = x''), 0))
            ON CONFLICT (name) DO UPDATE SET generation = generation + 1
            """
        ]
}

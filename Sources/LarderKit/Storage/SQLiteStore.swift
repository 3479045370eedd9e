import Foundation
import LarderSQLite

/// A ``Store`` in the cache file, table `larder_entry`.
struct SQLiteStore: Store {
    let database: Database
    let codecs = KnownCodecs()

    func entry(for key: StoreKey) throws(StorageError) -> StoredEntry? {
        try storing { try database.withReader { db in try load(key, in: db) } }
    }

    /// What is known of a value besides its bytes, which are not read; `nil` is not stored.
    func metadata(for key: StoreKey) throws(StorageError) -> EntryMetadata? {
        try storing { try database.withReader { db in try loadMetadata(key, in: db) } }
    }

    @discardableResult
    func put(_ entry: StoredEntry, for key: StoreKey) async throws(StorageError) -> Bool {
        try await storing { try await database.write { db in try Self.save(entry, for: key, in: db) } }
    }

    /// - Parameter counted: What is saved along with it.
    func put(
        _ entry: StoredEntry, for key: StoreKey, admission: Admission, counted: Metrics
    ) async throws(StorageError) -> PutOutcome {
        try await storing {
            let outcome: PutOutcome = try await database.write { db in
                try admission.lease?.release(in: db)
                try CounterTable.add(counted, in: db)
                if let refusal = PutOutcome(try admission.verdict(in: db)) { return refusal }
                guard try Self.save(entry, for: key, in: db) else { return .superseded }
                try TagTable.save(admission, in: db)
                return .stored
            }
            admission.lease?.settle()
            return outcome
        }
    }

    func remove(_ key: StoreKey) async throws(StorageError) {
        try await lockedRemove(key, askedForUpTo: .max)
    }

    func lockedRemove(_ key: StoreKey, askedForUpTo stamp: Int64) async throws(StorageError) {
        let sql = "DELETE FROM larder_entry WHERE partition = ?1 AND key = ?2 AND stamp <= ?3"
        try await storing {
            try await database.write { db in
                try db.withStatement(sql) { statement in
                    try statement.bind(key.partition, at: 1)
                    try statement.bind(key.key, at: 2)
                    try statement.bind(stamp, at: 3)
                    try statement.run()
                }
            }
        }
    }

    func removeAll(in partition: String) async throws(StorageError) {
        try await storing {
            try await database.write { db in
                try db.withStatement("DELETE FROM larder_entry WHERE partition = ?1") { statement in
                    try statement.bind(partition, at: 1)
                    try statement.run()
                }
            }
        }
    }

    func summaries() async throws(StorageError) -> [EntrySummary] {
        try await storing {
            try await database.scan { db in
                let sql = """
                    SELECT \(Self.metadataColumns), partition, key, length(body)
                    FROM larder_entry
                    """
                return try db.withStatement(sql) { statement in
                    try statement.collect { row in
                        EntrySummary(
                            key: StoreKey(partition: try row.text(8), key: try row.text(9)), size: try row.int(10),
                            metadata: try metadata(row, in: db))
                    }
                }
            }
        }
    }

    private func load(_ key: StoreKey, in db: borrowing Connection) throws -> StoredEntry? {
        let sql = """
            SELECT \(Self.metadataColumns), body FROM larder_entry
            WHERE partition = ?1 AND key = ?2
            """
        return try db.withStatement(sql) { statement in
            try statement.bind(key.partition, at: 1)
            try statement.bind(key.key, at: 2)
            guard try statement.step() else { return nil }
            return StoredEntry(body: try statement.row.data(8), metadata: try metadata(statement.row, in: db))
        }
    }

    private func loadMetadata(_ key: StoreKey, in db: borrowing Connection) throws -> EntryMetadata? {
        let sql = "SELECT \(Self.metadataColumns) FROM larder_entry WHERE partition = ?1 AND key = ?2"
        return try db.withStatement(sql) { statement in
            try statement.bind(key.partition, at: 1)
            try statement.bind(key.key, at: 2)
            return try statement.step() ? try metadata(statement.row, in: db) : nil
        }
    }

    private static let metadataColumns =
        "codec, stamp, stored_at, lifetime, etag, last_modified, while_revalidate, if_error"

    /// What these columns say, at the beginning of a row. The codec is no join: it is nearly always known already.
    private func metadata(_ row: borrowing Row, in db: borrowing Connection) throws -> EntryMetadata {
        EntryMetadata(
            codec: try codecs.codec(row.int64(0), in: db), stamp: try row.int64(1),
            storedAt: Date(millisecondsSince1970: try row.int64(2)),
            lifetime: try row.optionalInt64(3).map { .milliseconds($0) },
            validators: Validators(etag: try row.optionalText(4), lastModified: try row.optionalText(5)),
            stale: StaleWindows(
                whileRevalidate: try row.optionalInt64(6).map { .milliseconds($0) },
                ifError: try row.optionalInt64(7).map { .milliseconds($0) }))
    }

    private static func save(_ entry: StoredEntry, for key: StoreKey, in db: borrowing Connection) throws -> Bool {
        let metadata = entry.metadata
        let codec = try CodecTable.number(of: metadata.codec, in: db)
        let sql = """
            INSERT INTO larder_entry
                (partition, key, body, codec, stamp, stored_at, lifetime, etag, last_modified, while_revalidate, if_error)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            ON CONFLICT (partition, key) DO UPDATE
            SET body = excluded.body, codec = excluded.codec, stamp = excluded.stamp, stored_at = excluded.stored_at,
                lifetime = excluded.lifetime, etag = excluded.etag, last_modified = excluded.last_modified,
                while_revalidate = excluded.while_revalidate, if_error = excluded.if_error
            WHERE stamp <= excluded.stamp
            """
        return try db.withStatement(sql) { statement in
            try statement.bind(key.partition, at: 1)
            try statement.bind(key.key, at: 2)
            try statement.bind(codec, at: 4)
            try statement.bind(metadata.stamp, at: 5)
            try statement.bind(metadata.storedAt.millisecondsSince1970, at: 6)
            try statement.bind(metadata.lifetime?.milliseconds, at: 7)
            try statement.bind(metadata.validators.etag, at: 8)
            try statement.bind(metadata.validators.lastModified, at: 9)
            try statement.bind(metadata.stale.whileRevalidate?.milliseconds, at: 10)
            try statement.bind(metadata.stale.ifError?.milliseconds, at: 11)
            try entry.body.withUnsafeBytes { body in
                try statement.bind(body, at: 3)
                try statement.run()
            }
            return db.changes > 0
        }
    }
}

/// Runs what touches the disk, and makes storage errors of whatever it throws.
func storing<R>(_ body: () throws -> R) throws(StorageError) -> R {
    do { return try body() } catch { throw StorageError.wrapping(error) }
}

func storing<R>(_ body: () async throws -> R) async throws(StorageError) -> R {
    do { return try await body() } catch { throw StorageError.wrapping(error) }
}

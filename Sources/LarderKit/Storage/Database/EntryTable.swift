import Foundation
import LarderSQLite

/// The values of a cache file, as rows of `larder_entry`.
struct EntryTable: Sendable {
    let codecs: KnownCodecs

    /// A row without its body.
    struct Record: Sendable {
        let metadata: EntryMetadata
        let size: Int
        /// The file that holds the body, if it is not in the row.
        let blob: String?
        let bodyChecksum: Int64

        func isSound(_ body: Data) -> Bool {
            body.count == size && body.withUnsafeBytes(RowChecksum.ofBody) == bodyChecksum
        }
    }

    /// - Returns: `nil` when there is none; the body is empty where it is in a file. `usedAt` is in milliseconds since 1970.
    func load(
        _ key: StoreKey, in db: borrowing Connection
    ) throws -> (record: Record, body: Data, usedAt: Int64?)? {
        let sql = "SELECT \(Self.columns), used_at, body FROM larder_entry WHERE partition = ?1 AND key = ?2"
        return try db.withStatement(sql) { statement in
            try statement.bind(key.partition, at: 1)
            try statement.bind(key.key, at: 2)
            guard try statement.step() else { return nil }
            let record = try record(of: key, statement.row, in: db)
            let usedAt = try statement.row.readableInt64(Self.columnCount)
            if record.blob != nil { return (record, Data(), usedAt) }
            let body = try statement.row.data(Self.columnCount + 1)
            guard record.isSound(body) else { throw Self.damaged }
            return (record, body, usedAt)
        }
    }

    /// The row of a value without its body, which is not read; `nil` is not stored.
    func record(of key: StoreKey, in db: borrowing Connection) throws -> Record? {
        let sql = "SELECT \(Self.columns) FROM larder_entry WHERE partition = ?1 AND key = ?2"
        return try db.withStatement(sql) { statement in
            try statement.bind(key.partition, at: 1)
            try statement.bind(key.key, at: 2)
            return try statement.step() ? try record(of: key, statement.row, in: db) : nil
        }
    }

    static let columns = """
        codec, stamp, stored_at, lifetime, etag, last_modified, while_revalidate, if_error, size, blob, body_checksum, checksum
        """
    static let columnCount: Int32 = 12

    static var damaged: StorageError { .corrupt("the row of a stored value is damaged") }

    /// What the columns say, at the beginning of a row. The codec is no join: it is nearly always known already.
    func record(of key: StoreKey, _ row: borrowing Row, in db: borrowing Connection) throws -> Record {
        let fields: Fields
        do { fields = try Fields(row) } catch { throw Self.damaged }
        guard fields.checksum(of: key) == (try row.readableInt64(11)) else { throw Self.damaged }
        let metadata = EntryMetadata(
            codec: try codecs.codec(fields.codec, in: db), stamp: fields.stamp,
            storedAt: Date(millisecondsSince1970: fields.storedAt),
            lifetime: fields.lifetime.map { .milliseconds($0) },
            validators: Validators(etag: fields.etag, lastModified: fields.lastModified),
            stale: StaleWindows(
                whileRevalidate: fields.whileRevalidate.map { .milliseconds($0) },
                ifError: fields.ifError.map { .milliseconds($0) }))
        return Record(
            metadata: metadata, size: Int(clamping: fields.size), blob: fields.blob, bodyChecksum: fields.bodyChecksum)
    }

    /// Stores a value in the place of what is there.
    ///
    /// - Parameters:
    ///   - blob: The file that holds the body already, if it is not to be in the row.
    ///   - usedAt: Milliseconds since 1970.
    func save(
        _ entry: StoredEntry, for key: StoreKey, blob: String?, usedAt: Int64, in db: borrowing Connection
    ) throws {
        let fields = Fields(
            entry, codec: try CodecTable.number(of: entry.metadata.codec, in: db), blob: blob,
            bodyChecksum: entry.body.withUnsafeBytes(RowChecksum.ofBody))
        try db.withStatement(Self.upsert) { statement in
            try statement.bind(key.partition, at: 1)
            try statement.bind(key.key, at: 2)
            try fields.bind(to: statement, from: 3)
            try statement.bind(fields.checksum(of: key), at: 14)
            try statement.bind(usedAt, at: 15)
            try (blob == nil ? entry.body : Data()).withUnsafeBytes { body in
                try statement.bind(body, at: 16)
                try statement.run()
            }
        }
    }

    private static let upsert = """
        INSERT INTO larder_entry (partition, key, \(columns), used_at, body)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
        ON CONFLICT (partition, key) DO UPDATE
        SET body = excluded.body, codec = excluded.codec, stamp = excluded.stamp, stored_at = excluded.stored_at,
            lifetime = excluded.lifetime, etag = excluded.etag, last_modified = excluded.last_modified,
            while_revalidate = excluded.while_revalidate, if_error = excluded.if_error, size = excluded.size,
            blob = excluded.blob, body_checksum = excluded.body_checksum, checksum = excluded.checksum,
            used_at = excluded.used_at
        """

    /// Makes a value stale, whatever its age.
    static let invalidation = """
        UPDATE larder_entry
        SET lifetime = -1,
            checksum = larder_checksum('entry', partition, key, codec, stamp, stored_at, -1, etag, last_modified,
                while_revalidate, if_error, size, blob, body_checksum)
        WHERE partition = ?1 AND key = ?2
        """

    /// Removes the rows that a condition names.
    ///
    /// - Returns: The files that held bodies, to be removed once this is committed.
    static func remove(
        where condition: String, in db: borrowing Connection, _ bind: (borrowing Statement) throws -> Void
    ) throws -> [String] {
        try db.withStatement("DELETE FROM larder_entry WHERE \(condition) RETURNING blob") { statement in
            try bind(statement)
            // A damaged name is one that nobody looks for: the file is swept.
            return try statement.collect { row in try row.readableText(0) }.compactMap { $0 }
        }
    }
}

extension EntryTable {
    /// The columns of a row, as they are stored.
    private struct Fields {
        let codec: Int64
        let stamp: Int64
        let storedAt: Int64
        let lifetime: Int64?
        let etag: String?
        let lastModified: String?
        let whileRevalidate: Int64?
        let ifError: Int64?
        let size: Int64
        let blob: String?
        let bodyChecksum: Int64

        init(_ row: borrowing Row) throws {
            codec = try row.int64(0)
            stamp = try row.int64(1)
            storedAt = try row.int64(2)
            lifetime = try row.optionalInt64(3)
            etag = try row.optionalText(4)
            lastModified = try row.optionalText(5)
            whileRevalidate = try row.optionalInt64(6)
            ifError = try row.optionalInt64(7)
            size = try row.int64(8)
            blob = try row.optionalText(9)
            bodyChecksum = try row.int64(10)
        }

        init(_ entry: StoredEntry, codec: Int64, blob: String?, bodyChecksum: Int64) {
            let metadata = entry.metadata
            self.codec = codec
            stamp = metadata.stamp
            storedAt = metadata.storedAt.millisecondsSince1970
            lifetime = metadata.lifetime?.milliseconds
            etag = metadata.validators.etag
            lastModified = metadata.validators.lastModified
            whileRevalidate = metadata.stale.whileRevalidate?.milliseconds
            ifError = metadata.stale.ifError?.milliseconds
            size = Int64(entry.body.count)
            self.blob = blob
            self.bodyChecksum = bodyChecksum
        }

        func bind(to statement: borrowing Statement, from index: Int32) throws {
            try statement.bind(codec, at: index)
            try statement.bind(stamp, at: index + 1)
            try statement.bind(storedAt, at: index + 2)
            try statement.bind(lifetime, at: index + 3)
            try statement.bind(etag, at: index + 4)
            try statement.bind(lastModified, at: index + 5)
            try statement.bind(whileRevalidate, at: index + 6)
            try statement.bind(ifError, at: index + 7)
            try statement.bind(size, at: index + 8)
            try statement.bind(blob, at: index + 9)
            try statement.bind(bodyChecksum, at: index + 10)
        }

        func checksum(of key: StoreKey) -> Int64 {
            var sum = RowChecksum(.entry)
            sum.add(key.partition)
            sum.add(key.key)
            sum.add(codec)
            sum.add(stamp)
            sum.add(storedAt)
            sum.add(lifetime)
            sum.add(etag)
            sum.add(lastModified)
            sum.add(whileRevalidate)
            sum.add(ifError)
            sum.add(size)
            sum.add(blob)
            sum.add(bodyChecksum)
            return sum.value
        }
    }
}

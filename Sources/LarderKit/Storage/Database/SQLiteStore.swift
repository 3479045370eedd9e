import Foundation
import LarderSQLite

/// A ``Store`` in the cache file, table `larder_entry`, with the bodies of large values in files beside it.
struct SQLiteStore: Store {
    let database: Database
    /// `nil` in memory, where all bodies lie in rows.
    let blobs: BlobFolder?
    let room: RoomMaker?
    let clock: any LarderClock
    let marks: AccessMarks?
    let table = EntryTable(codecs: KnownCodecs())

    init(
        database: Database, blobs: BlobFolder? = nil, room: RoomMaker? = nil, clock: any LarderClock = SystemClock(),
        marks: AccessMarks? = nil
    ) {
        self.room = room
        self.marks = marks
        self.database = database
        self.blobs = blobs
        self.clock = clock
    }

    var codecs: KnownCodecs { table.codecs }

    func entry(for key: StoreKey) throws(StorageError) -> StoredEntry? {
        var missing: String?
        while true {
            let found = try storing { try database.withReader { db in try table.load(key, in: db) } }
            guard let (record, body, usedAt) = found else { return nil }
            note(use: key, after: usedAt)
            guard let blob = record.blob else { return StoredEntry(body: body, metadata: record.metadata) }
            if let body = try blobs?.read(blob) {
                // Given up to make room.
                if body.isEmpty, record.size > 0 { return nil }
                guard record.isSound(body) else { throw damaged("the file of a stored value is damaged") }
                return StoredEntry(body: body, metadata: record.metadata)
            }
            // It was replaced or removed since its row was read. The row says so when it is read again.
            guard blob != missing else { throw damaged("the file of a stored value is missing") }
            missing = blob
        }
    }

    /// Damage outside of the database, which is told to whoever hears of that inside.
    private func damaged(_ explanation: String) -> StorageError {
        let error = StorageError.corrupt(explanation)
        database.configuration.onFailure?(error)
        return error
    }

    /// Notes that a value is used, unless its row says so already, nearly.
    private func note(use key: StoreKey, after usedAt: Int64?) {
        guard let marks else { return }
        let now = clock.now().millisecondsSince1970
        // Not in the checksum: it may be any number.
        let (distance, isOverflow) = now.subtractingReportingOverflow(usedAt ?? .min)
        if !isOverflow, distance.magnitude < UInt64(AccessMarks.granularity) { return }
        marks.note(.value(key), at: now)
    }

    /// What is known of a value besides its bytes, which are not read; `nil` is not stored.
    func metadata(for key: StoreKey) throws(StorageError) -> EntryMetadata? {
        try storing { try database.withReader { db in try table.record(of: key, in: db)?.metadata } }
    }

    @discardableResult
    func put(_ entry: StoredEntry, for key: StoreKey) async throws(StorageError) -> Bool {
        try await put(entry, for: key) { _ in nil } == .stored
    }

    /// - Parameter along: What is saved along with it.
    func put(
        _ entry: StoredEntry, for key: StoreKey, admission: Admission, along: SavedAlong
    ) async throws(StorageError) -> PutOutcome {
        let outcome = try await put(entry, for: key) { db in
            try admission.lease?.release(in: db)
            try along.save(in: db)
            if let refusal = PutOutcome(try admission.verdict(in: db)) { return refusal }
            try TagTable.save(admission, in: db)
            return nil
        }
        admission.lease?.settle()
        return outcome
    }

    /// - Parameter begin: Runs first in the transaction; what it returns is why nothing is stored.
    private func put(
        _ entry: StoredEntry, for key: StoreKey,
        begin: @escaping @Sendable (borrowing Connection) throws -> PutOutcome?
    ) async throws(StorageError) -> PutOutcome {
        let (blob, forget) = try await write(entry.body, of: key)
        do throws(StorageError) {
            let (outcome, replaced) = try await storing {
                try await database.write { [table, clock, blobs] db -> (PutOutcome, String?) in
                    try forget?(db)
                    if let refusal = try begin(db) { return (refusal, nil) }
                    var replaced: String?
                    do throws(StorageError) {
                        let stored = try storing { try table.record(of: key, in: db) }
                        if let stored, stored.metadata.stamp > entry.metadata.stamp { return (.superseded, nil) }
                        replaced = stored?.blob
                    } catch {
                        // A damaged row is no reason to refuse a good value.
                        guard error.kind == .corrupt else { throw error }
                    }
                    // Files that no row names are swept, also those of a process that slept for long.
                    if let blob, blobs?.holds(blob) == false {
                        throw StorageError(.other, "the file of a value was removed before the value was stored")
                    }
                    let now = clock.now().millisecondsSince1970
                    try table.save(entry, for: key, blob: blob, usedAt: now, in: db)
                    return (.stored, replaced)
                }
            }
            blobs?.remove([outcome == .stored ? replaced : blob].compactMap { $0 })
            return outcome
        } catch {
            blobs?.remove([blob].compactMap { $0 })
            throw error
        }
    }

    /// Keeps a large body in a file, which is tried once more where the disk was full and room could be made.
    ///
    /// - Returns: The file's name, and what has to happen in the database before it is named there.
    private func write(
        _ body: Data, of key: StoreKey
    ) async throws(StorageError) -> (blob: String?, forget: (@Sendable (borrowing Connection) throws -> Void)?) {
        guard let blobs, body.count > BlobFolder.threshold else { return (nil, nil) }
        do throws(StorageError) {
            return (try await blobs.write(body), nil)
        } catch {
            guard error.kind == .full, let forget = room?.makeRoom(for: body.count, sparing: key) else { throw error }
            do throws(StorageError) {
                return (try await blobs.write(body), forget)
            } catch {
                // The rows of what made room go in any case.
                try await storing { try await database.write { db in try forget(db) } }
                throw error
            }
        }
    }

    func remove(_ key: StoreKey) async throws(StorageError) {
        try await lockedRemove(key, askedForUpTo: .max)
    }

    func lockedRemove(_ key: StoreKey, askedForUpTo stamp: Int64) async throws(StorageError) {
        try await remove(where: "partition = ?1 AND key = ?2 AND stamp <= ?3") { statement in
            try statement.bind(key.partition, at: 1)
            try statement.bind(key.key, at: 2)
            try statement.bind(stamp, at: 3)
        }
    }

    func removeAll(in partition: String) async throws(StorageError) {
        try await remove(where: "partition = ?1") { statement in try statement.bind(partition, at: 1) }
    }

    private func remove(
        where condition: String, _ bind: @escaping @Sendable (borrowing Statement) throws -> Void
    ) async throws(StorageError) {
        let removed = try await storing {
            try await database.write { db in try EntryTable.remove(where: condition, in: db, bind) }
        }
        blobs?.remove(removed)
    }

    func summaries() async throws(StorageError) -> [EntrySummary] {
        try await storing { try await database.scan { db in try survey(in: db).found } }
    }

    func survey(in db: borrowing Connection) throws -> Survey<EntrySummary> {
        let pins = try PinTable.keys(in: db)
        var survey = Survey<EntrySummary>()
        let sql = "SELECT \(EntryTable.columns), partition, key, used_at FROM larder_entry"
        try db.withStatement(sql) { statement in
            while try statement.step() {
                try survey.take { try table.summary(statement.row, pins: pins, in: db) }
            }
        }
        return survey
    }
}

extension EntryTable {
    /// What is told of a row: its own columns, then partition, key and when it was used.
    fileprivate func summary(
        _ row: borrowing Row, pins: Set<StoreKey>, in db: borrowing Connection
    ) throws -> EntrySummary {
        guard let partition = try row.readableText(Self.columnCount),
            let name = try row.readableText(Self.columnCount + 1)
        else { throw Self.damaged }
        let key = StoreKey(partition: partition, key: name)
        let record = try record(of: key, row, in: db)
        var summary = EntrySummary(key: key, size: record.size, metadata: record.metadata)
        summary.usedAt = try row.readableInt64(Self.columnCount + 2).map { Date(millisecondsSince1970: $0) }
        summary.isPinned = pins.contains(key)
        summary.place = record.blob == nil ? .database : .blob
        return summary
    }
}

/// Runs what touches the disk, and makes storage errors of whatever it throws.
func storing<R>(_ body: () throws -> R) throws(StorageError) -> R {
    do { return try body() } catch { throw StorageError.wrapping(error) }
}

func storing<R>(_ body: () async throws -> R) async throws(StorageError) -> R {
    do { return try await body() } catch { throw StorageError.wrapping(error) }
}

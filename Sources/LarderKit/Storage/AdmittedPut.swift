import LarderSQLite

/// How storing an answer ended, if nothing went wrong.
enum PutOutcome: Sendable {
    case stored
    /// Something later is stored, or was said.
    case superseded
    case signedOut
}

extension LarderCore {
    /// Stores an answer that may be stored, all of it decided in one place: nothing gets between the decision and the value.
    func put(
        _ entry: StoredEntry, for key: StoreKey, in storage: ResourceOptions.Storage, admission: Admission
    ) async throws(StorageError) -> PutOutcome {
        let verdict: @Sendable () throws(StorageError) -> Admission.Verdict = { [database] () throws(StorageError) in
            try storing { try database.withReader { db in try admission.verdict(in: db) } }
        }
        let store = try store(storage)
        guard storage.isBudgeted else { return try await putElsewhere(entry, for: key, store, admission, verdict) }
        try await admit(entry.body.count, in: key)
        let outcome: PutOutcome
        if let store = store as? SQLiteStore {
            outcome = try await storing {
                try await along { along in try await store.put(entry, for: key, admission: admission, along: along) }
            }
        } else {
            outcome = try await putElsewhere(entry, for: key, store, admission, verdict)
            let now = environment.clock.now().millisecondsSince1970
            if case .stored = outcome { marks.note(.file(key), at: now, isNew: true) }
        }
        if case .stored = outcome { await wrote(entry.body.count + EntryCandidates.overhead, in: key.partition) }
        return outcome
    }

    /// Stores an answer in another store than the database.
    private func putElsewhere(
        _ entry: StoredEntry, for key: StoreKey, _ store: any Store, _ admission: Admission,
        _ verdict: @escaping @Sendable () throws(StorageError) -> Admission.Verdict
    ) async throws(StorageError) -> PutOutcome {
        // The tags first: what is said of them from now on finds the value, or its verdict.
        if !admission.tags.isEmpty {
            let refusal = try await storing {
                try await database.write { db -> PutOutcome? in
                    if let refusal = PutOutcome(try admission.verdict(in: db)) { return refusal }
                    try TagTable.save(admission, in: db)
                    return nil
                }
            }
            if let refusal { return refusal }
        }
        return try await ownPuts.tracking(key) { () throws(StorageError) in
            do throws(StorageError) {
                return try await store.put(entry, for: key, verdict: verdict)
            } catch {
                guard error.kind == .full, store is FileStore,
                    let forget = room?.makeRoom(for: entry.body.count, sparing: key)
                else {
                    throw error
                }
                try await storing { try await database.write { db in try forget(db) } }
                return try await store.put(entry, for: key, verdict: verdict)
            }
        }
    }
}

extension PutOutcome {
    /// What a verdict means for a value that is not stored; `nil` where it may be.
    init?(_ verdict: Admission.Verdict) {
        switch verdict {
        case .admitted: return nil
        case .outdated, .removed: self = .superseded
        case .signedOut: self = .signedOut
        }
    }
}

extension Store {
    /// Stores a value unless `verdict` forbids it.
    func put(
        _ entry: StoredEntry, for key: StoreKey,
        verdict: @escaping @Sendable () throws(StorageError) -> Admission.Verdict
    ) async throws(StorageError) -> PutOutcome {
        switch self {
        case let store as FileStore: try await store.lockedPut(entry, for: key, verdict: verdict)
        case let store as MemoryStore: try store.lockedPut(entry, for: key, verdict: verdict)
        default: try await put(entry, for: key, checkedAround: verdict)
        }
    }

    /// For a store that knows nothing of verdicts: one comes before the value, and one after it marks it, or takes it back.
    fileprivate func put(
        _ entry: StoredEntry, for key: StoreKey,
        checkedAround verdict: @Sendable () throws(StorageError) -> Admission.Verdict
    ) async throws(StorageError) -> PutOutcome {
        if let refusal = PutOutcome(try verdict()) { return refusal }
        guard try await put(entry, for: key) else { return .superseded }
        let later = try verdict()
        guard let refusal = PutOutcome(later) else { return .stored }
        if case .outdated = later {
            var entry = entry
            entry.metadata.lifetime = EntryMetadata.invalidated
            try await put(entry, for: key)
        } else if try self.entry(for: key)?.metadata.stamp == entry.metadata.stamp {
            try await remove(key)
        }
        return refusal
    }
}

extension Store {
    /// Removes a value, unless it was asked for later than this.
    func remove(_ key: StoreKey, askedForUpTo stamp: Int64) async throws(StorageError) {
        switch self {
        case let store as SQLiteStore: try await store.lockedRemove(key, askedForUpTo: stamp)
        case let store as FileStore: try await store.lockedRemove(key, askedForUpTo: stamp)
        case let store as MemoryStore: store.lockedRemove(key, askedForUpTo: stamp)
        default: if let stored = try entry(for: key), stored.metadata.stamp <= stamp { try await remove(key) }
        }
    }
}

extension ResourceOptions.Storage {
    /// Whether what is stored here counts against the cache's budget.
    var isBudgeted: Bool {
        switch self {
        case .database, .files: true
        case .memory, .store: false
        }
    }
}

/// The tags of what is stored, by which it is found again.
enum TagTable {
    static func save(_ admission: Admission, in db: borrowing Connection) throws {
        for tag in admission.tags {
            let sql = "INSERT INTO larder_tag (partition, tag, name) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING"
            try db.withStatement(sql) { statement in
                try statement.bind(admission.partition.name, at: 1)
                try statement.bind(tag, at: 2)
                try statement.bind(admission.name, at: 3)
                try statement.run()
            }
        }
    }

    /// What bears a tag, whether it is stored now or not.
    static func names(of tag: String, in partition: String, _ db: borrowing Connection) throws -> [String] {
        try db.withStatement("SELECT name FROM larder_tag WHERE partition = ?1 AND tag = ?2") { statement in
            try statement.bind(partition, at: 1)
            try statement.bind(tag, at: 2)
            return try statement.collect { row in try row.text(0) }
        }
    }
}

import LarderSQLite

extension Resource {
    /// What is stored: decoded already, or bytes.
    enum Found: Sendable {
        case decoded(MemoryTier.Kept<Value>)
        /// With the state of the database before it was read, if it is kept there.
        case entry(StoredEntry, CommitMark?)

        var metadata: EntryMetadata {
            switch self {
            case .decoded(let kept): kept.metadata
            case .entry(let entry, _): entry.metadata
            }
        }

        var size: Int {
            switch self {
            case .decoded(let kept): kept.size
            case .entry(let entry, _): entry.body.count
            }
        }
    }

    /// A fresh value that was lately decoded, where the policy shows what is fresh.
    func recent(_ policy: ReadPolicy) -> Reading<Value>? {
        switch policy.kind {
        case .cacheFirst, .staleWhileRevalidate: break
        case .cacheOnly, .networkFirst, .networkOnly: return nil
        }
        guard case .database = options.storage, !partition.isSignedOut, !core.isClosed else { return nil }
        guard case .fresh(let kept) = core.tier.value(for: tierKey, as: Value.self, mark: core.database.commitMark)
        else { return nil }
        let facts = facts(kept.metadata)
        guard facts.isFresh else { return nil }
        core.meter.note(
            .served(core.meter.subject(.resource, key), .fresh, age: facts.age, isStale: false, bytes: kept.size))
        return Reading(
            value: kept.value, source: .cache, storedAt: kept.metadata.storedAt, age: facts.age, isStale: false,
            reason: .fresh)
    }

    /// What is stored; one indexed read, which is of the metadata alone where the value was lately decoded.
    func look() throws(LarderError) -> Found? {
        guard case .database = options.storage else { return try stored().map { .entry($0, nil) } }
        if partition.isSignedOut { throw .signedOut }
        // Taken before: what is read is of this moment or later.
        let mark = core.database.commitMark
        switch core.tier.value(for: tierKey, as: Value.self, mark: mark) {
        case .fresh(let kept) where !core.isClosed:
            return .decoded(kept)
        case .unverified(let kept):
            let metadata: EntryMetadata?
            do throws(StorageError) { metadata = try core.sqliteStore.metadata(for: key) } catch {
                throw LarderError(error)
            }
            if core.tier.confirm(tierKey, metadata, at: mark) { return .decoded(kept) }
        case .fresh, nil:
            break
        }
        return try stored().map { .entry($0, mark) }
    }

    /// The value that was found, decoded now if it was not.
    func value(of found: Found) throws(LarderError) -> Value {
        switch found {
        case .decoded(let kept):
            return kept.value
        case .entry(let entry, let mark):
            let value = try decode(entry)
            if let mark, core.tier.isFamiliar(tierKey) {
                keepDecoded(value, entry.metadata, size: entry.body.count, at: mark)
            }
            return value
        }
    }

    /// Keeps a decoded value for the next read.
    ///
    /// - Parameter mark: The state of the database before the value was read, or written.
    func keepDecoded(_ value: Value, _ metadata: EntryMetadata, size: Int, at mark: CommitMark) {
        core.tier.insert(value, metadata, size: size, for: tierKey, mark: mark) { [partition] in
            !partition.isSignedOut
        }
    }

    private var tierKey: MemoryTier.Key {
        MemoryTier.Key(place: key, storage: "database", codec: codec.id, type: Value.self)
    }
}

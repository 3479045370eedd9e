import LarderSQLite

extension Partition {
    /// Says that what is meant has changed: "I just changed this."
    ///
    /// What is stored stays, to be shown when there is nothing else, and is stale from now on, whatever its age: the next read
    /// that asks waits for a request that starts after this, and no answer that was asked for before is stored any more. What
    /// is followed with a ``RefreshPolicy`` that asks is asked for again at once.
    ///
    /// - Complexity: O(what is meant), and for files and stores of the app's own O(what they hold), unless a key is named.
    public func invalidate(_ selection: Selection) async throws(LarderError) {
        let core = core
        let invalidation = Invalidation(core: core, partition: state, selection: selection)
        do {
            try state.check()
            let marked = try await core.database.write { db in try invalidation.mark(in: db) }
            core.flights.detach { invalidation.isMeant($0.key.place, tags: $0.tags) }
            // What is marked is told of, also where the rest could not be.
            defer {
                let names = Set(marked.names.map { StoreKey(partition: name, key: $0) })
                core.invalidated(in: name) { names.contains($0.key) || invalidation.isMeant($0.key, tags: []) }
            }
            let others = try await invalidation.markOthers(named: marked.names)
            core.meter.note(.invalidated(count: marked.count + others))
        } catch {
            throw core.noticing(error, in: state)
        }
    }
}

/// Makes what is stored stale, and keeps answers from being stored that were asked for earlier.
private struct Invalidation: Sendable {
    let core: LarderCore
    let partition: PartitionState
    let selection: Selection

    func isMeant(_ place: StoreKey, tags: [String]) -> Bool {
        place.partition.hasSameBytes(as: partition.name) && selection.contains(place.key, tags: tags)
    }

    /// What was found in the database.
    struct Marked: Sendable {
        /// The keys and names that are meant, as far as they are known there.
        var names: [String] = []
        var count = 0
    }

    func mark(in db: borrowing Connection) throws -> Marked {
        try partition.check(in: db)
        var marked = Marked()
        let tagged =
            selection.kind == .tag ? try TagTable.names(of: selection.name, in: partition.name, db) : nil
        let entries = try rows("SELECT key, stamp FROM larder_entry WHERE partition = ?1", "key", tagged, in: db)
        let feeds = try rows("SELECT name, latest FROM larder_feed WHERE partition = ?1", "name", tagged, in: db)
        let fence = FenceTable(partition: partition.name)
        // Later than whatever it is about, also where a clock that was ahead has stamped that.
        let latest = (entries + feeds).map(\.stamp).max() ?? 0
        let stamp = core.stamps.next(at: core.environment.clock.now(), after: max(latest, try fence.latest(in: db)))
        try fence.insert(selection, stamp: stamp.order, in: db)
        for entry in entries {
            try run(EntryTable.invalidation, entry.name, in: db)
        }
        for feed in feeds {
            try run(
                """
                UPDATE larder_segment
                SET lifetime = -1, checksum = larder_checksum('segment', feed, low, high, stamp, at, -1)
                WHERE feed = (SELECT id FROM larder_feed WHERE partition = ?1 AND name = ?2)
                """, feed.name, in: db)
        }
        marked.names = tagged ?? (entries + feeds).map(\.name)
        marked.count = entries.count + feeds.count
        return marked
    }

    /// The rows that are meant, found by their index.
    private func rows(
        _ sql: String, _ column: String, _ tagged: [String]?, in db: borrowing Connection
    ) throws -> [(name: String, stamp: Int64)] {
        switch selection.kind {
        case .key, .place:
            return try rows("\(sql) AND \(column) = ?2", from: selection.name, in: db)
        case .tag:
            return try (tagged ?? []).flatMap { try rows("\(sql) AND \(column) = ?2", from: $0, in: db) }
        case .prefix, .all:
            return try rows("\(sql) AND \(column) >= ?2 ORDER BY \(column)", from: selection.name, in: db)
        }
    }

    /// From a name on, as long as what comes begins like the selection's.
    private func rows(
        _ sql: String, from name: String, in db: borrowing Connection
    ) throws -> [(name: String, stamp: Int64)] {
        try db.withStatement(sql) { statement in
            try statement.bind(partition.name, at: 1)
            try statement.bind(name, at: 2)
            var rows: [(name: String, stamp: Int64)] = []
            while try statement.step() {
                let name = try statement.row.text(0)
                if selection.kind == .prefix, !name.utf8.starts(with: selection.name.utf8) { break }
                rows.append((name, try statement.row.int64(1)))
            }
            return rows
        }
    }

    private func run(_ sql: String, _ name: String, in db: borrowing Connection) throws {
        try db.withStatement(sql) { statement in
            try statement.bind(partition.name, at: 1)
            try statement.bind(name, at: 2)
            try statement.run()
        }
    }

    /// The same for values that are not in the database.
    ///
    /// - Returns: How many there were.
    func markOthers(named names: [String]) async throws(StorageError) -> Int {
        var count = 0
        for storage in core.otherStorages {
            let store = try core.store(storage)
            for key in try await keys(in: store, named: names) {
                // What was admitted before lands before, and is marked as well.
                await core.ownPuts.settle(key)
                guard var entry = try store.entry(for: key), !entry.metadata.isInvalidated else { continue }
                entry.metadata.lifetime = EntryMetadata.invalidated
                let place = Selection.place(key.key, in: storage)
                let outcome = try await core.ownPuts.tracking(key) { [entry] () throws(StorageError) in
                    try await store.put(entry, for: key) { [stamp = entry.metadata.stamp] () throws(StorageError) in
                        try verdict(on: place, of: stamp)
                    }
                }
                if outcome == .stored { count += 1 }
            }
        }
        return count
    }

    /// It is the app that says so: against it stand only that the app has signed out, or removed the value meanwhile.
    private func verdict(on place: Selection, of stamp: Int64) throws(StorageError) -> Admission.Verdict {
        try storing {
            try core.database.withReader { db in
                do { try partition.check(in: db) } catch is SignedOut { return .signedOut }
                let fence = FenceTable(partition: partition.name)
                return try fence.hasRemoved(place, after: stamp, in: db) ? .removed : .admitted
            }
        }
    }

    private func keys(in store: any Store, named names: [String]) async throws(StorageError) -> [StoreKey] {
        switch selection.kind {
        case .key, .place:
            return [StoreKey(partition: partition.name, key: selection.name)]
        case .tag:
            return names.map { StoreKey(partition: partition.name, key: $0) }
        case .prefix, .all:
            return try await store.summaries().map(\.key).filter { isMeant($0, tags: []) }
        }
    }
}

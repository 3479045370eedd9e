import LarderSQLite

/// What was removed.
package struct Removal: Sendable, Hashable {
    package var values = 0
    package var feeds = 0
    package var items = 0
    /// The bytes of values and items.
    package var bytes = 0

    package init() {}

    package var isEmpty: Bool { values == 0 && feeds == 0 }

    package static func += (left: inout Removal, right: Removal) {
        left.values += right.values
        left.feeds += right.feeds
        left.items += right.items
        left.bytes += right.bytes
    }
}

extension Partition {
    /// Removes what is meant, values and feeds, in the database and in files. No answer that was asked for before brings it
    /// back. Handles stay good, as do pins: they are of the keys.
    ///
    /// Also removes what is damaged: a row is found by its key, and not read.
    ///
    /// - Complexity: O(what the partition holds), and where a key is named, O(what is stored under it).
    package func remove(_ selection: Selection) async throws(LarderError) -> Removal {
        let (core, state) = (core, state)
        let rows = SelectedRows(partition: name, selection: selection)
        do {
            try state.check()
            let removed = try await core.database.write { db in
                try state.check(in: db)
                return try rows.remove(core, in: db)
            }
            core.sqliteStore.blobs?.remove(removed.blobs)
            core.flights.detach { rows.isMeant($0.key.place, tags: $0.tags) }
            for feed in removed.feeds { core.publish(forgotten: [Span(.bottom, .top)], of: feed) }
            // Told of also where the files could not be removed.
            defer {
                for topic in core.changes.topics where rows.isMeant(topic.key, tags: removed.tags(of: topic.key)) {
                    core.changes.post(topic)
                }
            }
            return try await removeFiles(rows, removed)
        } catch {
            throw core.noticing(error, in: state)
        }
    }

    private func removeFiles(_ rows: SelectedRows, _ removed: SelectedRows.Removed) async throws -> Removal {
        var removal = removed.removal
        for storage in core.otherStorages {
            let store = try core.store(storage)
            for summary in try await store.summaries() {
                guard rows.isMeant(summary.key, tags: removed.tags(of: summary.key)) else { continue }
                await core.ownPuts.settle(summary.key)
                try await store.remove(summary.key)
                removal.values += 1
                removal.bytes += summary.size
            }
            // What is damaged there is not listed.
            switch rows.selection.kind {
            case .key: try await store.remove(key(rows.selection.name))
            case .all: try await store.removeAll(in: name)
            case .prefix, .tag, .place: break
            }
        }
        return removal
    }
}

/// The rows of a selection.
private struct SelectedRows: Sendable {
    let partition: String
    let selection: Selection

    /// What was there.
    struct Removed: Sendable {
        var removal = Removal()
        /// The files that held bodies, to be removed once this is committed.
        var blobs: [String] = []
        var feeds: [StoreKey] = []
        /// What bears the tag that was named.
        var tagged: (tag: String, keys: Set<StoreKey>)?

        func tags(of key: StoreKey) -> [String] {
            tagged.map { $0.keys.contains(key) ? [$0.tag] : [] } ?? []
        }
    }

    func isMeant(_ key: StoreKey, tags: [String]) -> Bool {
        key.partition.hasSameBytes(as: partition) && selection.contains(key.key, tags: tags)
    }

    func remove(_ core: LarderCore, in db: borrowing Connection) throws -> Removed {
        try db.executeScript("PRAGMA secure_delete = ON")
        let fence = FenceTable(partition: partition)
        let latest =
            try [
                first("SELECT max(stamp) FROM larder_entry WHERE \(condition("key"))", in: db) {
                    try $0.readableInt64(0)
                },
                first("SELECT max(latest) FROM larder_feed WHERE \(condition("name"))", in: db) {
                    try $0.readableInt64(0)
                },
                fence.latest(in: db),
            ].compactMap { $0 }.max() ?? 0
        let stamp = core.stamps.next(at: core.environment.clock.now(), after: latest).order
        try fence.insert(selection, stamp: stamp, in: db)

        var removed = Removed()
        if selection.kind == .tag {
            let names = try TagTable.names(of: selection.name, in: partition, db)
            removed.tagged = (selection.name, Set(names.map { StoreKey(partition: partition, key: $0) }))
        }
        // The size of a damaged row may be anything.
        let sizes = """
            SELECT count(*), coalesce(sum(CASE WHEN typeof(size) = 'integer' THEN min(max(size, 0), 1 << 40) END), 0)
            FROM larder_entry WHERE \(condition("key"))
            """
        try first(sizes, in: db) { row in
            removed.removal.values = try row.int(0)
            removed.removal.bytes = try row.int(1)
        }
        removed.blobs = try EntryTable.remove(where: condition("key"), in: db) { try bind(to: $0) }
        try removeFeeds(stamp, &removed, in: db)
        return removed
    }

    /// The rows of the feeds stay: another process may know them by their numbers.
    private func removeFeeds(_ stamp: Int64, _ removed: inout Removed, in db: borrowing Connection) throws {
        let meant = "SELECT id FROM larder_feed WHERE \(condition("name"))"
        let known = """
            SELECT count(*) FROM larder_feed WHERE \(condition("name"))
            AND (EXISTS (SELECT 1 FROM larder_feed_item WHERE feed = larder_feed.id)
                OR EXISTS (SELECT 1 FROM larder_segment WHERE feed = larder_feed.id))
            """
        removed.removal.feeds = try first(known, in: db) { try $0.int(0) } ?? 0
        let sizes = "SELECT count(*), coalesce(sum(length(body)), 0) FROM larder_feed_item WHERE feed IN (\(meant))"
        try first(sizes, in: db) { row in
            removed.removal.items = try row.int(0)
            removed.removal.bytes += try row.int(1)
        }
        let names = try db.withStatement("SELECT name FROM larder_feed WHERE \(condition("name"))") { statement in
            try bind(to: statement)
            return try statement.collect { row in try row.readableText(0) }.compactMap { $0 }
        }
        for table in ["segment", "edge", "envelope", "feed_item"] {
            try run("DELETE FROM larder_\(table) WHERE feed IN (\(meant))", in: db)
        }
        try run(
            """
            UPDATE larder_feed
            SET latest = max(latest, \(stamp)), largest_page = 0, empty_low = NULL, empty_high = NULL, empty_stamp = NULL,
                end_item = NULL, end_key = NULL, end_stamp = NULL, end_at = NULL, anchor_id = NULL, anchor_key = NULL
            WHERE \(condition("name"))
            """, in: db)
        removed.feeds = names.map { StoreKey(partition: partition, key: $0) }
    }

    /// Which rows are meant, by the column that holds the key; ``bind(to:)`` gives the values. Bytes are compared, as they
    /// are everywhere.
    private func condition(_ column: String) -> String {
        switch selection.kind {
        case .key, .place: "partition = ?1 AND \(column) = ?2"
        case .prefix:
            "partition = ?1 AND substr(CAST(\(column) AS BLOB), 1, length(CAST(?2 AS BLOB))) = CAST(?2 AS BLOB)"
        case .tag:
            "partition = ?1 AND \(column) IN (SELECT name FROM larder_tag WHERE partition = ?1 AND tag = ?2)"
        case .all: "partition = ?1"
        }
    }

    private func bind(to statement: borrowing Statement) throws {
        try statement.bind(partition, at: 1)
        if selection.kind != .all { try statement.bind(selection.name, at: 2) }
    }

    private func run(_ sql: String, in db: borrowing Connection) throws {
        try db.withStatement(sql) { statement in
            try bind(to: statement)
            try statement.run()
        }
    }

    @discardableResult
    private func first<R>(
        _ sql: String, in db: borrowing Connection, _ body: (borrowing Row) throws -> R?
    ) throws -> R? {
        try db.withStatement(sql) { statement in
            try bind(to: statement)
            return try statement.step() ? try body(statement.row) : nil
        }
    }
}

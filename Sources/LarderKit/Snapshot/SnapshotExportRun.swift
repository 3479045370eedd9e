import Foundation
import LarderSQLite

/// What an export does in one view of the cache.
struct SnapshotExportRun {
    private let core: LarderCore
    private let partitions: [String]
    private let files: [EntrySummary]
    private(set) var report = SnapshotReport()
    /// The latest stamp that was written.
    private var latest: Int64 = 0
    private var progress: SnapshotProgress

    init(_ export: SnapshotExport, files: [EntrySummary], from cache: borrowing Connection) throws {
        core = export.core
        self.files = files
        var seen: Set<StoreKey> = []
        partitions = export.partitions.names.filter { seen.insert(StoreKey(partition: $0, key: "")).inserted }
        var total = files.count
        for partition in partitions {
            for sql in Self.counts {
                total += try cache.withStatement(sql) { statement in
                    try statement.bind(partition, at: 1)
                    return try statement.step() ? try statement.row.int(0) : 0
                }
            }
        }
        progress = SnapshotProgress(total: total, tell: export.tell)
    }

    private static let counts = [
        "SELECT count(*) FROM larder_entry WHERE partition = ?1",
        """
        SELECT count(*) FROM larder_feed_item
        WHERE feed IN (SELECT id FROM larder_feed WHERE partition = ?1)
        """,
    ]

    mutating func writeAll(from cache: borrowing Connection, to snapshot: borrowing Connection) throws {
        for partition in partitions { try writeValues(of: partition, from: cache, to: snapshot) }
        for file in files { try writeFile(file.key, to: snapshot) }
        for partition in partitions { try writeFeeds(of: partition, from: cache, to: snapshot) }
        let now = core.environment.clock.now()
        // Later than all that is in it, also where a clock that was ahead has stamped that.
        let stamp = core.stamps.next(at: now, after: latest).order
        var about = SnapshotAbout(
            madeAt: SnapshotLimits.times.clamping(now.millisecondsSince1970),
            stamp: SnapshotLimits.stamps.clamping(stamp))
        (about.values, about.feeds, about.items) = (report.values, report.feeds, report.items)
        try about.insert(in: snapshot)
    }
}

// MARK: - Values

extension SnapshotExportRun {
    private mutating func writeValues(
        of partition: String, from cache: borrowing Connection, to snapshot: borrowing Connection
    ) throws {
        let sql = "SELECT \(EntryTable.columns), key, body FROM larder_entry WHERE partition = ?1 ORDER BY key"
        try cache.withStatement(sql) { statement in
            try statement.bind(partition, at: 1)
            while try statement.step() {
                progress.step()
                guard let name = try statement.row.readableText(EntryTable.columnCount) else {
                    report.leaveOut(.damaged)
                    continue
                }
                let key = StoreKey(partition: partition, key: name)
                let found: StoredEntry?
                do { found = try entry(of: key, statement.row, in: cache) } catch { found = try passOver(error) }
                guard let entry = found else { continue }
                try write(SnapshotValue(key: key, isFile: false, entry: entry), to: snapshot)
            }
        }
    }

    /// - Returns: `nil` when it is not stored any more.
    private func entry(of key: StoreKey, _ row: borrowing Row, in cache: borrowing Connection) throws -> StoredEntry? {
        let record = try core.sqliteStore.table.record(of: key, row, in: cache)
        guard let blob = record.blob else {
            guard row.type(EntryTable.columnCount + 1) == .blob else { throw EntryTable.damaged }
            let body = try row.data(EntryTable.columnCount + 1)
            guard record.isSound(body) else { throw EntryTable.damaged }
            return StoredEntry(body: body, metadata: record.metadata)
        }
        if let body = try core.sqliteStore.blobs?.read(blob) {
            // Given up to make room.
            if body.isEmpty, record.size > 0 { return nil }
            guard record.isSound(body) else { throw EntryTable.damaged }
            return StoredEntry(body: body, metadata: record.metadata)
        }
        // It was replaced since: its file went with that. The value as it is now is as good.
        return try core.sqliteStore.entry(for: key)
    }

    private mutating func writeFile(_ key: StoreKey, to snapshot: borrowing Connection) throws {
        progress.step()
        let store = core.fileStore
        let found: StoredEntry?
        do { found = try store.entry(for: key) } catch { found = try passOver(error) }
        guard let entry = found else { return }
        try write(SnapshotValue(key: key, isFile: true, entry: entry), to: snapshot)
    }

    private mutating func write(_ value: SnapshotValue, to snapshot: borrowing Connection) throws {
        let isOwn = value.entry.metadata.codec.name.hasSuffix(CodecID.ownSuffix)
        guard !isOwn, !KeySecrets.areIn(value.key.key) else { return report.leaveOut(.holdsCredentials) }
        guard value.entry.body.count <= SnapshotLimits.body else { return report.leaveOut(.tooLarge) }
        try value.insert(in: snapshot)
        latest = max(latest, value.entry.metadata.stamp)
        report.values += 1
        report.bytes += value.entry.body.count
    }

    /// What is damaged is counted, and passed over; of a damaged structure, there is no telling what comes next.
    private mutating func passOver<R>(_ error: any Error) throws -> R? {
        guard let damage = error as? StorageError, damage.kind == .corrupt else { throw error }
        core.database.configuration.onFailure?(damage)
        report.leaveOut(.damaged)
        return nil
    }
}

// MARK: - Feeds

extension SnapshotExportRun {
    private mutating func writeFeeds(
        of partition: String, from cache: borrowing Connection, to snapshot: borrowing Connection
    ) throws {
        let sql = "SELECT name FROM larder_feed WHERE partition = ?1 ORDER BY name"
        let names = try cache.withStatement(sql) { statement in
            try statement.bind(partition, at: 1)
            return try statement.collect { row in try row.readableText(0) }
        }
        for name in names {
            guard let name else {
                report.leaveOut(.damaged)
                continue
            }
            guard !KeySecrets.areIn(name) else {
                report.leaveOut(.holdsCredentials)
                continue
            }
            let found: (row: FeedRow, paging: Paging)?
            do {
                found = try FeedRow.load(partition: partition, name: name, in: cache).map { row in
                    (row, try Paging(fingerprint: row.paging))
                }
            } catch {
                found = try passOver(error)
            }
            guard let (row, paging) = found else { continue }
            try writeFeed(StoreKey(partition: partition, key: name), row, paging, from: cache, to: snapshot)
        }
    }

    private mutating func writeFeed(
        _ place: StoreKey, _ row: FeedRow, _ paging: Paging, from cache: borrowing Connection,
        to snapshot: borrowing Connection
    ) throws {
        report.feeds += 1
        var feed = SnapshotFeed(id: Int64(report.feeds), place: place, row: row)
        latest = max(latest, feed.latest)
        try writeItems(of: row.id, as: feed.id, paging.order, from: cache, to: snapshot)
        for cut in try EdgeTable(feed: row.id).cuts(in: cache) {
            guard let stored = try EdgeTable(feed: row.id).edge(at: cut, in: cache),
                let edge = SnapshotEdge(feed: feed.id, edge: stored)
            else { continue }
            try edge.insert(in: snapshot)
            feed.edges.add(edge.checksum)
            latest = max(latest, edge.edge.stamp)
        }
        try writeEnvelopes(of: row.id, as: feed.id, from: cache, to: snapshot)
        try feed.insert(in: snapshot)
    }

    /// Items and segments side by side, lowest first: what a segment claims is what is written of it.
    private mutating func writeItems(
        of number: Int64, as feed: Int64, _ order: Paging.Order, from cache: borrowing Connection,
        to snapshot: borrowing Connection
    ) throws {
        let table = ItemTable(feed: number, order: order)
        var segments = SnapshotSegments(
            of: try SegmentTable(feed: number).segments(touching: Span(.bottom, .top), in: cache), feed: feed)
        let sql = """
            SELECT key, id, codec, checksum, body, stored_at FROM larder_feed_item WHERE feed = ?1 ORDER BY key
            """
        try cache.withStatement(sql) { statement in
            try statement.bind(number, at: 1)
            while try statement.step() {
                progress.step()
                let found: SnapshotItem?
                do { found = try item(statement.row, of: table, as: feed, in: cache) } catch {
                    found = try passOver(error)
                }
                guard let item = found, item.body.count <= SnapshotLimits.body else {
                    if found != nil { report.leaveOut(.tooLarge) }
                    segments.loseItem()
                    continue
                }
                try item.insert(in: snapshot)
                report.items += 1
                report.bytes += item.body.count
                for segment in segments.take(item) { try write(segment, to: snapshot) }
            }
        }
        for segment in segments.finish() { try write(segment, to: snapshot) }
    }

    /// The item in the columns of ``ItemTable``, then when it was stored.
    private func item(
        _ row: borrowing Row, of table: ItemTable, as feed: Int64, in cache: borrowing Connection
    ) throws -> SnapshotItem {
        guard [.integer, .blob].contains(row.type(0)), row.type(1) == .text || row.isNull(1) else {
            throw EntryTable.damaged
        }
        let stored = try table.item(row)
        guard let codec = stored.codec else { throw EntryTable.damaged }
        return SnapshotItem(
            feed: feed, key: stored.key, id: try row.optionalText(1),
            codec: try core.sqliteStore.codecs.codec(codec, in: cache), storedAt: try row.readableInt64(5) ?? 0,
            body: stored.body)
    }

    private mutating func write(_ segment: SnapshotSegment, to snapshot: borrowing Connection) throws {
        try segment.insert(in: snapshot)
        latest = max(latest, segment.segment.stamp.order)
    }

    private mutating func writeEnvelopes(
        of number: Int64, as feed: Int64, from cache: borrowing Connection, to snapshot: borrowing Connection
    ) throws {
        let tokens = try cache.withStatement("SELECT token FROM larder_edge WHERE feed = ?1") { statement in
            try statement.bind(number, at: 1)
            return try statement.collect { row in try row.readableText(0) }.compactMap { $0 }
        }
        let table = EnvelopeTable(feed: number)
        let sql = "SELECT stamp, checksum, body FROM larder_envelope WHERE feed = ?1"
        try cache.withStatement(sql) { statement in
            try statement.bind(number, at: 1)
            while try statement.step() {
                guard let stamp = try statement.row.readableInt64(0), statement.row.type(2) == .blob,
                    let body = try Optional(statement.row.data(2)), SnapshotLimits.stamps.contains(stamp),
                    try statement.row.readableInt64(1) == table.checksum(body, stamp: stamp)
                else {
                    report.leaveOut(.damaged)
                    continue
                }
                // What cannot be searched for tokens may hold one.
                guard let body = EnvelopeRedaction.redact(body, tokens: tokens) else { continue }
                try SnapshotEnvelope(feed: feed, stamp: stamp, body: body).insert(in: snapshot)
                latest = max(latest, stamp)
            }
        }
    }
}

import Foundation
import LarderSQLite

/// One run of trimming: small transactions, one after the other, until there is room enough or nothing more may go. Between
/// two of them everybody else has a turn, in this process and in others.
struct TrimRun: Sendable {
    let core: LarderCore
    /// Only of this partition.
    var partition: String?
    /// What was last used before this goes in any case. Milliseconds since 1970.
    var unusedSince = Int64.min

    /// How many things go in one transaction at most.
    static let batchLimit = 128
    /// So many bytes go at once where any have to: rows that go do not free whole pages one by one.
    static let smallest = 16 << 10

    /// What may go, as the plan sees it.
    enum Subject: Sendable {
        case entry(EntryCandidates.Entry)
        case file(FileStore.StoredFile)
        case chunk(FeedPart, FeedPart.Chunk)
    }

    /// What goes first of files and feeds, found once for all transactions. Both are looked at again before they go.
    struct Queue: Sendable {
        var files: [FileStore.StoredFile] = []
        var parts: [FeedPart] = []
    }

    /// What one transaction has removed.
    private struct Batch: Sendable {
        var amount = TrimmedAmount()
        var keys: [StoreKey] = []
        var blobs: [String] = []
        var blobBytes = 0
        var spans: [(feed: StoreKey, span: Span)] = []
        var files: [FileStore.StoredFile] = []
        /// The files of what has been pinned meanwhile.
        var spared: Set<String> = []
        /// How many parts of feeds, the first of the queue, have nothing left.
        var emptyParts = 0
        /// The bytes of the database in use after it.
        var inUse = 0

        var isEmpty: Bool { amount.isEmpty && files.isEmpty }
    }

    /// Trims until `excess` bytes less are taken.
    ///
    /// - Parameter inUse: The bytes of the database when the excess was found.
    /// - Returns: What went, and what is left of the excess.
    func run(excess: Int, inUse: Int) async throws(StorageError) -> (amount: TrimmedAmount, left: Int) {
        var queue = try await queue()
        var (amount, removed, left, inUse) = (TrimmedAmount(), Set<StoreKey>(), excess, inUse)
        while left > 0 || unusedSince > .min, !Task.isCancelled {
            let bytes = left > 0 ? max(left, Self.smallest) : 0
            let plan = EvictionPlan(bytes: bytes, unusedSince: unusedSince, limit: Self.batchLimit)
            let step = try await step(plan, &queue)
            left -= partition == nil ? inUse - step.inUse + step.outside : step.amount.bytes
            inUse = step.inUse
            amount += step.amount
            removed.formUnion(step.keys)
            if step.isLast { break }
        }
        if !removed.isEmpty { try await forgetTags(of: removed) }
        if !amount.isEmpty { core.meter.note(.trimmed(count: amount.values + amount.items, bytes: amount.bytes)) }
        return (amount, left)
    }

    /// What one step has done.
    struct Step: Sendable {
        var amount: TrimmedAmount
        /// The values that went.
        var keys: [StoreKey]
        /// The bytes of files that went.
        var outside: Int
        /// The bytes of the database in use after it.
        var inUse: Int
        /// Nothing was chosen to go.
        var isLast: Bool
    }

    /// One transaction, and what comes after it.
    func step(_ plan: EvictionPlan, _ queue: inout Queue) async throws(StorageError) -> Step {
        let batch = try await storing {
            try await core.database.write { [queue] db in try self.batch(plan, queue, in: db) }
        }
        queue.parts.removeFirst(batch.emptyParts)
        let files = try await finish(batch)
        queue.files.removeFirst(batch.files.count)
        let fileBytes = files.reduce(0) { $0 + $1.file.size }
        var amount = batch.amount
        amount.values += files.count
        amount.bytes += fileBytes
        return Step(
            amount: amount, keys: batch.keys + files.compactMap(\.key), outside: batch.blobBytes + fileBytes,
            inUse: batch.inUse, isLast: batch.isEmpty)
    }

    func queue() async throws(StorageError) -> Queue {
        try await storing {
            try await core.database.scan { db in
                var queue = Queue(parts: try FeedPart.all(in: db, partition: partition))
                queue.files = try self.unpinnedFiles(in: db)
                return queue
            }
        }
    }

    /// The files that may go, the least recently used first.
    func unpinnedFiles(in db: borrowing Connection) throws -> [FileStore.StoredFile] {
        guard let store = core.fileStore as? FileStore else { return [] }
        let pinned = Set(try PinTable.keys(in: db).map(store.path))
        return store.storedFiles(in: partition).filter { !pinned.contains($0.path) }
            .sorted { ($0.usedAt, $0.path) < ($1.usedAt, $1.path) }
    }

    // MARK: One transaction

    private func batch(_ plan: EvictionPlan, _ queue: Queue, in db: borrowing Connection) throws -> Batch {
        let entries = try EntryCandidates(partition: partition).window(plan, in: db)
        let (chunks, emptyParts) = try Self.chunks(queue.parts, in: db)
        let chosen = plan.chosen(from: [entries.map { .entry($0) }, chunks, Self.files(queue.files)])
        var batch = Batch(emptyParts: emptyParts)
        for candidate in chosen {
            switch candidate.subject {
            case .entry(let entry):
                let names = try EntryTable.remove(where: "rowid = ?1", in: db) { try $0.bind(entry.row, at: 1) }
                batch.blobs += names
                if entry.isBlob { batch.blobBytes += entry.size }
                if let key = entry.key { batch.keys.append(key) }
                batch.amount.values += 1
                batch.amount.bytes += entry.size
            case .chunk(let part, let chunk):
                try FeedTrim(feed: part.feed, order: part.order).forget([chunk.span], in: db)
                batch.spans.append((part.key, chunk.span))
                batch.amount.items += chunk.items
                batch.amount.bytes += chunk.bytes
            case .file(let file):
                batch.files.append(file)
            }
        }
        if !batch.files.isEmpty, let store = core.fileStore as? FileStore {
            batch.spared = Set(try PinTable.keys(in: db).map(store.path))
        }
        batch.inUse = try DatabaseSize(of: db).inUse
        return batch
    }

    /// The first chunk of each of the next few feeds.
    private static func chunks(
        _ parts: [FeedPart], in db: borrowing Connection
    ) throws -> (EvictionPlan.Window<Subject>, emptyParts: Int) {
        var window = EvictionPlan.Window<Subject>(candidates: [])
        var (emptyParts, feeds) = (0, Set<Int64>())
        for part in parts {
            guard feeds.count < 8, !feeds.contains(part.feed) else {
                window.horizon = min(window.horizon, part.usedAt)
                break
            }
            let chunks = try part.chunks(limit: 2, in: db)
            guard let chunk = chunks.first else {
                if feeds.isEmpty { emptyParts += 1 }
                continue
            }
            if chunks.count > 1 { window.horizon = min(window.horizon, part.usedAt) }
            feeds.insert(part.feed)
            window.candidates.append(part.candidate(chunk))
        }
        return (window, emptyParts)
    }

    static func files(
        _ files: [FileStore.StoredFile], limit: Int = batchLimit
    ) -> EvictionPlan.Window<Subject> {
        EvictionPlan.Window(
            candidates: files.prefix(limit).map {
                EvictionPlan.Candidate(subject: .file($0), bytes: $0.size, usedAt: $0.usedAt)
            }, horizon: files.count > limit ? files[limit].usedAt : .max)
    }

    // MARK: After it

    /// Removes the files of what is committed to be gone, and tells of it.
    private func finish(_ batch: Batch) async throws(StorageError) -> [(file: FileStore.StoredFile, key: StoreKey?)] {
        core.sqliteStore.blobs?.remove(batch.blobs)
        for key in batch.keys { core.changes.post(.resource(key)) }
        for (feed, span) in batch.spans { core.publish(forgotten: [span], of: feed) }
        let unpinned = batch.files.filter { !batch.spared.contains($0.path) }
        let files = try await (core.fileStore as? FileStore)?.remove(unpinned) ?? []
        for key in files.compactMap(\.key) { core.changes.post(.resource(key)) }
        return files
    }

    /// Forgets the tags of values that have gone, but where this process keeps something else under the same name.
    private func forgetTags(of keys: Set<StoreKey>) async throws(StorageError) {
        var keys = keys
        for store in core.otherStores {
            guard let kept = try? await store.summaries() else { return }
            keys.subtract(kept.map(\.key))
        }
        for (partition, gone) in Dictionary(grouping: keys, by: { StoreKey(partition: $0.partition, key: "") }) {
            let names = Set(gone)
            try await storing {
                try await core.database.write { db in try TagTable.forget(names, in: partition.partition, db) }
            }
        }
    }
}

extension FeedPart {
    func candidate(_ chunk: Chunk) -> EvictionPlan.Candidate<TrimRun.Subject> {
        EvictionPlan.Candidate(subject: .chunk(self, chunk), bytes: chunk.bytes, usedAt: usedAt, tellsUse: isWhole)
    }
}

extension EvictionPlan.Window {
    func map<Other>(_ transform: (Subject) -> Other) -> EvictionPlan.Window<Other> {
        EvictionPlan.Window<Other>(
            candidates: candidates.map {
                EvictionPlan.Candidate(
                    subject: transform($0.subject), bytes: $0.bytes, usedAt: $0.usedAt, isPinned: $0.isPinned,
                    tellsUse: $0.tellsUse)
            }, horizon: horizon)
    }
}

extension TagTable {
    /// Forgets the tags of what is stored no more.
    ///
    /// - Complexity: O(number of tags in the partition).
    static func forget(_ names: Set<StoreKey>, in partition: String, _ db: borrowing Connection) throws {
        let sql = """
            SELECT tag.tag, tag.name FROM larder_tag AS tag WHERE tag.partition = ?1
            AND NOT EXISTS (SELECT 1 FROM larder_entry WHERE partition = tag.partition AND key = tag.name)
            AND NOT EXISTS (SELECT 1 FROM larder_feed WHERE partition = tag.partition AND name = tag.name)
            """
        let stale = try db.withStatement(sql) { statement in
            try statement.bind(partition, at: 1)
            return try statement.collect { row in (tag: try row.text(0), name: try row.text(1)) }
        }
        for (tag, name) in stale where names.contains(StoreKey(partition: partition, key: name)) {
            let sql = "DELETE FROM larder_tag WHERE partition = ?1 AND tag = ?2 AND name = ?3"
            try db.withStatement(sql) { statement in
                try statement.bind(partition, at: 1)
                try statement.bind(tag, at: 2)
                try statement.bind(name, at: 3)
                try statement.run()
            }
        }
    }
}

public import Foundation
import LarderSQLite

extension Larder {
    /// Takes in what ``exportSnapshot(to:partitions:progress:)`` has written, such as a file that comes with the app:
    ///
    /// ```swift
    /// if let url = Bundle.main.url(forResource: "first-start", withExtension: "larder") {
    ///     try await larder.importSnapshot(from: url)
    /// }
    /// ```
    ///
    /// The file is only read, and may lie where nothing can be written. What is taken in is as old as it was when it was
    /// exported, and so is mostly stale: it is shown at once and asked for again, as the policies say. An answer that was asked
    /// for later than it was takes its place, whenever that comes. Taking in the same file again changes nothing.
    ///
    /// Each row proves itself, and what does not is left out and counted; where items of a feed are missing, a gap is left. All
    /// rows are taken in at once, or none, and then the budget is kept; values in files of their own (``ResourceOptions/Storage/files``) follow one by one.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - partition: Where to put it, if not where it was: a name of an account, or the empty one for what is common. The
    ///     snapshot must be of one partition then.
    ///   - policy: What counts where something is in both.
    ///   - progress: Told how much is done, from 0 to 1, on a thread of the import's own.
    /// - Throws: ``StorageError`` of kind `missing`, `notALarder`, `newerFormat` or `corrupt` for a file that cannot be used;
    ///   the cache is then as it was.
    @discardableResult
    public func importSnapshot(
        from url: URL, into partition: String? = nil, policy: SnapshotPolicy = .keepNewer,
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(StorageError) -> SnapshotReport {
        let file = SnapshotFile(path: url.standardizedFileURL.path)
        let core = core
        do {
            return try await SnapshotImport(core: core, file: file, target: partition, policy: policy, tell: progress)
                .run()
        } catch let trouble as SnapshotTrouble {
            throw trouble.error
        } catch {
            throw StorageError.wrapping(error)
        }
    }
}

/// One import.
struct SnapshotImport: Sendable {
    let core: LarderCore
    let file: SnapshotFile
    /// Where everything goes, if that is said.
    let target: String?
    let policy: SnapshotPolicy
    let tell: (@Sendable (Double) -> Void)?

    func run() async throws -> SnapshotReport {
        let now = core.environment.clock.now()
        let preparation = try await core.database.scan { [self] cache in try prepare(in: cache) }
        if target != nil, preparation.partitions.count > 1 {
            core.sqliteStore.blobs?.remove(Array(preparation.blobs.values))
            throw StorageError(
                .other, "the snapshot \(file.path) is of more than one partition",
                nextStep: "Import it without naming one, or export one alone.")
        }
        let run = SnapshotImportRun(
            self, preparation, partitions: preparation.partitions.map { core.partitionState(of: target ?? $0) },
            stamp: latestStamp(of: preparation.about, at: now))
        let outcome: SnapshotImportRun.Outcome
        do {
            outcome = try await core.database.write { [self] cache in
                try file.read { snapshot in
                    var run = run
                    try run.takeAll(from: snapshot, into: cache)
                    return run.outcome
                }
            }
        } catch {
            core.sqliteStore.blobs?.remove(Array(preparation.blobs.values))
            throw error
        }
        core.sqliteStore.blobs?.remove(outcome.replaced + outcome.blobs.values)
        defer { publish(preparation) }
        var report = outcome.report
        for number in outcome.files { try await takeFile(number, run, &report) }
        await core.keepBudget()
        tell?(1)
        return report
    }

    /// The greatest stamp that anything is taken in with: what is asked for from now on is later. Clocks that differ a little
    /// change nothing; of one that was far ahead the word is not taken.
    private func latestStamp(of about: SnapshotAbout, at now: Date) -> Int64 {
        let here = core.stamps.next(at: now).order
        let slack: Int64 = 60 * 1_000_000
        return about.stamp - slack <= here ? core.stamps.next(at: now, after: about.stamp).order : here
    }

    /// What can be known, and done, before others are kept from writing.
    struct Preparation: Sendable {
        /// As the snapshot names them.
        var partitions: [String] = []
        /// The files that hold bodies already, by the numbers of their rows.
        var blobs: [Int64: String] = [:]
        let about: SnapshotAbout
    }

    private func prepare(in cache: borrowing Connection) throws -> Preparation {
        try file.read { snapshot in
            var preparation = Preparation(about: try file.about(in: snapshot))
            do {
                var seen: Set<StoreKey> = []
                func meet(_ partition: String) {
                    if seen.insert(StoreKey(partition: partition, key: "")).inserted {
                        preparation.partitions.append(partition)
                    }
                }
                try file.walk("snapshot_value", SnapshotValue.columns, in: snapshot) { row, number in
                    guard let value = try SnapshotValue(row, from: 1) else { return }
                    meet(value.key.partition)
                    guard !value.isFile, value.entry.body.count > BlobFolder.threshold else { return }
                    // A look at what is there is a moment at which the task may end, too.
                    let key = StoreKey(partition: target ?? value.key.partition, key: value.key.key)
                    guard try !holds(value, under: key, in: cache) else { return }
                    preparation.blobs[number] = try core.sqliteStore.blobs?.writeNow(value.entry.body)
                }
                try file.walk("snapshot_feed", SnapshotFeed.columns, in: snapshot) { row, number in
                    if let feed = try SnapshotFeed(row, id: number, from: 1) { meet(feed.place.partition) }
                }
                return preparation
            } catch {
                core.sqliteStore.blobs?.remove(Array(preparation.blobs.values))
                throw error
            }
        }
    }

    /// Whether just this is stored already, as far as a look without its bytes can tell.
    private func holds(_ value: SnapshotValue, under key: StoreKey, in cache: borrowing Connection) throws -> Bool {
        do {
            guard let stored = try core.sqliteStore.table.record(of: key, in: cache) else { return false }
            return stored.isTheSame(as: value)
        } catch let error as StorageError where error.kind == .corrupt {
            return false
        }
    }

    /// Values outside of the database come after what is in it, one by one, each whole.
    private func takeFile(_ number: Int64, _ run: SnapshotImportRun, _ report: inout SnapshotReport) async throws {
        guard let value = try file.read({ snapshot in try file.value(number, in: snapshot) }) else {
            return report.leaveOut(.damaged)
        }
        guard let (key, state) = run.place(of: value.key) else { return report.leaveOut(.signedOut) }
        var entry = value.entry
        entry.metadata.stamp = run.shifted(entry.metadata.stamp)
        if let budget = core.options.budget.bytes, entry.body.count > budget { return report.leaveOut(.tooLarge) }
        let store = core.fileStore
        if let stored = try? store.entry(for: key) {
            if stored.isTheSame(as: value.entry) { return report.leaveOut(.isThereAlready) }
            if policy == .keepNewer, stored.metadata.stamp >= entry.metadata.stamp {
                return report.leaveOut(.isNewerHere)
            }
            entry.metadata.stamp = max(entry.metadata.stamp, stored.metadata.stamp)
        }
        let admission = Admission(
            partition: state, name: key.key, tags: [], storage: .files, stamp: entry.metadata.stamp)
        let outcome = try await core.ownPuts.tracking(key) { [entry, policy, database = core.database] in
            try await store.put(entry, for: key) { () throws(StorageError) in
                try storing { try database.withReader { db in try admission.verdict(in: db, under: policy) } }
            }
        }
        switch outcome {
        case .stored:
            core.marks.note(.file(key), at: core.environment.clock.now().millisecondsSince1970, isNew: true)
            report.values += 1
            report.bytes += entry.body.count
        case .superseded: report.leaveOut(.isNewerHere)
        case .signedOut: report.leaveOut(.signedOut)
        }
    }

    /// Whoever follows anything there looks again.
    private func publish(_ preparation: Preparation) {
        for name in preparation.partitions.map({ target ?? $0 }) { core.decodedFeeds.forgetAll(in: name) }
        for topic in core.changes.topics
        where preparation.partitions.contains(where: { topic.partition.hasSameBytes(as: target ?? $0) }) {
            core.changes.post(topic)
        }
    }
}

extension Admission {
    /// What is asked for explicitly outweighs what was said before, but not that the account has left.
    func verdict(in db: borrowing Connection, under policy: SnapshotPolicy) throws -> Verdict {
        switch (try verdict(in: db), policy) {
        case (.outdated, .replace), (.removed, .replace): .admitted
        case (let verdict, _): verdict
        }
    }
}

extension EntryTable.Record {
    /// Whether it is what a snapshot holds, whenever either was asked for.
    func isTheSame(as value: SnapshotValue) -> Bool {
        var other = value.entry.metadata
        other.stamp = metadata.stamp
        return metadata == other && isSound(value.entry.body)
    }
}

extension StoredEntry {
    fileprivate func isTheSame(as other: StoredEntry) -> Bool {
        var other = other
        other.metadata.stamp = metadata.stamp
        return self == other
    }
}

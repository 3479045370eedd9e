import Foundation
import LarderSQLite

/// What an import does in its one transaction.
struct SnapshotImportRun: Sendable {
    struct Outcome: Sendable {
        var report = SnapshotReport()
        /// Files of bodies that no row names any more.
        var replaced: [String] = []
        /// Files of bodies that no row names yet.
        var blobs: [Int64: String]
        /// The rows of values that go into files.
        var files: [Int64] = []
    }

    let core: LarderCore
    let file: SnapshotFile
    let policy: SnapshotPolicy
    private let tell: (@Sendable (Double) -> Void)?
    private let target: String?
    private let partitions: [StoreKey: PartitionState]
    /// The greatest stamp that anything is taken in with.
    private let stamp: Int64
    private(set) var about: SnapshotAbout
    var outcome: Outcome
    var progress = SnapshotProgress(total: 0, tell: nil)

    init(
        _ start: SnapshotImport, _ preparation: SnapshotImport.Preparation, partitions: [PartitionState], stamp: Int64
    ) {
        core = start.core
        file = start.file
        policy = start.policy
        tell = start.tell
        target = start.target
        self.stamp = stamp
        self.partitions = Dictionary(
            zip(preparation.partitions.map { StoreKey(partition: $0, key: "") }, partitions)
        ) { first, _ in first }
        about = preparation.about
        outcome = Outcome(blobs: preparation.blobs)
    }

    mutating func takeAll(from snapshot: borrowing Connection, into cache: borrowing Connection) throws {
        // The file may have been replaced since it was looked at.
        guard try file.about(in: snapshot).checksum == about.checksum else {
            throw SnapshotTrouble(error: .damagedSnapshot(file.path))
        }
        progress = SnapshotProgress(total: about.values + about.items, tell: tell)
        try takeValues(from: snapshot, into: cache)
        try SnapshotFeedImport.run(&self, from: snapshot, into: cache)
    }

    /// A stamp that is not later than the import: a snapshot made under a clock that was ahead moves back as a whole.
    func shifted(_ order: Int64) -> Int64 {
        max(0, order - max(0, about.stamp - stamp))
    }

    /// Where something goes; `nil` where its account was not known when the import began.
    func place(of key: StoreKey) -> (key: StoreKey, state: PartitionState)? {
        guard let state = partitions[StoreKey(partition: key.partition, key: "")] else { return nil }
        return (StoreKey(partition: target ?? key.partition, key: key.key), state)
    }
}

// MARK: - Values

extension SnapshotImportRun {
    private mutating func takeValues(from snapshot: borrowing Connection, into cache: borrowing Connection) throws {
        var met = 0
        try file.walk("snapshot_value", SnapshotValue.columns, in: snapshot) { row, number in
            met += 1
            progress.step()
            guard let value = try SnapshotValue(row, from: 1), value.entry.metadata.stamp <= about.stamp else {
                return outcome.report.leaveOut(.damaged)
            }
            if value.isFile {
                outcome.files.append(number)
            } else {
                try take(value, number, into: cache)
            }
        }
        outcome.report.leaveOut(.damaged, count: about.values - met)
    }

    private mutating func take(_ value: SnapshotValue, _ number: Int64, into cache: borrowing Connection) throws {
        guard let (key, state) = place(of: value.key) else { return outcome.report.leaveOut(.signedOut) }
        var entry = value.entry
        entry.metadata.stamp = shifted(entry.metadata.stamp)
        let admission = Admission(
            partition: state, name: key.key, tags: [], storage: .database, stamp: entry.metadata.stamp)
        switch try admission.verdict(in: cache, under: policy) {
        case .admitted: break
        case .outdated, .removed: return outcome.report.leaveOut(.isNewerHere)
        case .signedOut: return outcome.report.leaveOut(.signedOut)
        }
        // It would have to go again at once, and all the rest before it.
        if let budget = core.options.budget.bytes, entry.body.count > budget {
            return outcome.report.leaveOut(.tooLarge)
        }
        let table = core.sqliteStore.table
        do {
            if let stored = try table.record(of: key, in: cache) {
                if stored.isTheSame(as: value) { return outcome.report.leaveOut(.isThereAlready) }
                if policy == .keepNewer, stored.metadata.stamp >= entry.metadata.stamp {
                    return outcome.report.leaveOut(.isNewerHere)
                }
                if let blob = stored.blob { outcome.replaced.append(blob) }
            }
        } catch let error as StorageError where error.kind == .corrupt {
            // A damaged row is no reason to refuse a good value.
        }
        let now = core.environment.clock.now().millisecondsSince1970
        // None where the snapshot was replaced meanwhile, or a sweep has taken the file: the body lies in its row then.
        let blob = outcome.blobs.removeValue(forKey: number).flatMap { name in
            core.sqliteStore.blobs?.holds(name) == true ? name : nil
        }
        try table.save(entry, for: key, blob: blob, usedAt: now, in: cache)
        outcome.report.values += 1
        outcome.report.bytes += entry.body.count
    }
}

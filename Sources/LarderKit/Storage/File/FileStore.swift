import Dispatch
public import Foundation
import LarderSQLite
import Synchronization

/// A ``Store`` of one file a value, in a folder of its own: `folder/partition/key`.
///
/// For documents that are large and few. Files begin with a header of Larder's own, are replaced whole, and can be read
/// by their owner only. Reads run where they are called; writes run one after another on the store's own queue, and
/// several stores and processes on one folder take turns.
public final class FileStore: Store {
    typealias Work = Cancellation

    public let folder: URL
    let disk: any DiskAccess
    private let durability: Durability
    /// Serialises writes, which look at what is there before they replace it.
    private let queue = DispatchQueue(label: "larder.file-store")
    private let busyLimit: Duration
    /// Shut while no lock may be held.
    let gate = SuspensionGate()
    private let isSwept = Atomic(false)
    /// How long ago a file must have been begun to be taken for one that nobody will finish.
    static let unfinishedAge = Duration.seconds(3600)

    /// - Parameters:
    ///   - folder: Created when the first value is stored.
    ///   - disk: What files are read and written by.
    ///   - durability: What a value that is stored survives.
    ///   - busyLimit: How long a write waits for one of another process's or store's.
    public init(
        folder: URL, disk: any DiskAccess = SystemDisk(), durability: Durability = .processCrash,
        busyLimit: Duration = .seconds(5)
    ) {
        self.folder = folder
        self.disk = disk
        self.durability = durability
        self.busyLimit = busyLimit
    }

    public func entry(for key: StoreKey) throws(StorageError) -> StoredEntry? {
        guard let file = try disk.read(url(of: key).path) else { return nil }
        return try storing { try FileFormat.decode(file, for: key) }
    }

    @discardableResult
    public func put(_ entry: StoredEntry, for key: StoreKey) async throws(StorageError) -> Bool {
        try await lockedPut(entry, for: key) { .admitted } == .stored
    }

    /// Stores a value unless `verdict` forbids it, which is asked with nobody else writing.
    func lockedPut(
        _ entry: StoredEntry, for key: StoreKey,
        verdict: @escaping @Sendable () throws(StorageError) -> Admission.Verdict
    ) async throws(StorageError) -> PutOutcome {
        try await onQueue { work throws(StorageError) in
            let url = self.url(of: key)
            let file = try storing { try FileFormat.encode(entry, for: key) }
            try PrivateFiles.createFolder(self.folder, on: self.disk)
            return try self.hold(work) { () throws(StorageError) in
                self.sweep()
                if let refusal = PutOutcome(try verdict()) { return refusal }
                // A damaged file is no reason to refuse a good one.
                let stored = try? self.entry(for: key)
                if let stored, stored.metadata.stamp > entry.metadata.stamp { return .superseded }
                try PrivateFiles.createFolder(url.deletingLastPathComponent(), in: self.folder, on: self.disk)
                try PrivateFiles.replace(url, with: file, on: self.disk)
                try self.syncIfPromised(url.deletingLastPathComponent())
                return .stored
            }
        }
    }

    public func remove(_ key: StoreKey) async throws(StorageError) {
        try await lockedRemove(key, askedForUpTo: .max)
    }

    func lockedRemove(_ key: StoreKey, askedForUpTo stamp: Int64) async throws(StorageError) {
        try await locked { () throws(StorageError) in
            do throws(StorageError) {
                guard let stored = try self.entry(for: key), stored.metadata.stamp <= stamp else { return }
            } catch {
                // A damaged file under the key's name goes as well.
                guard error.kind == .corrupt else { throw error }
            }
            try self.disk.remove(self.url(of: key).path)
            try self.syncIfPromised(self.folder(of: key.partition))
        }
    }

    public func removeAll(in partition: String) async throws(StorageError) {
        try await locked { () throws(StorageError) in
            try self.delete(self.folder(of: partition))
        }
    }

    public func summaries() async throws(StorageError) -> [EntrySummary] {
        try await survey().found
    }

    func survey() async throws(StorageError) -> Survey<EntrySummary> {
        try await onQueue { _ throws(StorageError) in
            try storing {
                var survey = Survey<EntrySummary>()
                for file in try self.files() { try survey.take { try self.summary(file) } }
                return survey
            }
        }
    }

    func url(of key: StoreKey) -> URL {
        folder(of: key.partition).appendingPathComponent(FileName.name(for: key.key) + Self.suffix)
    }

    func folder(of partition: String) -> URL {
        folder.appendingPathComponent(FileName.name(for: partition), isDirectory: true)
    }

    static let suffix = ".entry"

    /// File by file, on the store's own disk; the folder itself holds nothing by then.
    private func delete(_ partition: URL) throws(StorageError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: partition.path)) ?? []
        for name in names { try disk.remove(partition.appendingPathComponent(name).path) }
        try syncIfPromised(partition)
        do {
            try FileManager.default.removeItem(at: partition)
        } catch let error as CocoaError where error.code == .fileNoSuchFile || error.code == .fileReadNoSuchFile {
        } catch {
            throw StorageError.wrapping(error)
        }
    }

    /// Has what was done in a folder on the disk, and the folder, where that is promised.
    private func syncIfPromised(_ place: URL) throws(StorageError) {
        guard durability == .powerLoss else { return }
        try PrivateFiles.sync(place, upTo: folder, on: disk)
    }

    func partitions() throws -> [URL] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter(\.hasDirectoryPath)
    }

    /// Once before the first write, removes what processes that were killed had begun to write.
    private func sweep() {
        guard !isSwept.exchange(true, ordering: .relaxed) else { return }
        for partition in (try? partitions()) ?? [] {
            PrivateFiles.removeUnfinished(in: partition, olderThan: Self.unfinishedAge, now: Date())
        }
    }

    private func files() throws -> [URL] {
        try partitions().flatMap { partition in
            try FileManager.default.contentsOfDirectory(at: partition, includingPropertiesForKeys: nil)
        }.filter { $0.lastPathComponent.hasSuffix(Self.suffix) && !$0.lastPathComponent.hasPrefix(".") }
    }

    /// What a file's header says; `nil` for a file that is no longer there.
    func summary(_ url: URL) throws -> EntrySummary? {
        do {
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            let length = try FileFormat.headerLength(try file.read(upToCount: FileFormat.headerStart) ?? Data())
            let header = try FileFormat.header(try file.read(upToCount: length) ?? Data())
            var summary = EntrySummary(
                key: FileFormat.key(header), size: header.bodyLength, metadata: FileFormat.metadata(header))
            summary.place = .file
            return summary
        } catch let error as CocoaError where error.code == .fileNoSuchFile || error.code == .fileReadNoSuchFile {
            return nil
        }
    }

    /// Runs what removes, with nobody else writing. A folder that does not exist is not made: there is nothing to remove.
    private func locked(_ body: @escaping @Sendable () throws(StorageError) -> Void) async throws(StorageError) {
        try await onQueue { work throws(StorageError) in
            guard FileManager.default.fileExists(atPath: self.folder.path) else { return }
            try self.hold(work, body)
        }
    }

    func hold<R>(_ work: Work, _ body: () throws(StorageError) -> R) throws(StorageError) -> R {
        try FolderLock.hold(folder, limit: busyLimit, unless: { work.isToStop }, body)
    }

    /// Runs what blocks its thread when its turn has come; not at all, if its task is cancelled before.
    func onQueue<R: Sendable>(
        _ body: @escaping @Sendable (Work) throws(StorageError) -> R
    ) async throws(StorageError) -> R {
        try await storing {
            try await LarderSQLite.onQueue(queue, gate) { work in
                do { return try body(work) } catch let error as StorageError where error.kind == .busy {
                    throw work.reason ?? error
                }
            }
        }
    }
}

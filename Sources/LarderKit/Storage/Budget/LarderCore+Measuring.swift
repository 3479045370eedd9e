import Foundation
import LarderSQLite

extension LarderCore {
    /// What the cache takes now.
    func measure(in db: borrowing Connection) throws -> BudgetKeeper.Measurement {
        var usage = StorageUsage()
        usage.budget = options.budget
        let size = try DatabaseSize(of: db)
        usage.database = size.inUse
        usage.free = size.free
        let large = BudgetKeeper.step(options.budget.bytes ?? .max)
        usage.blobs = try UsageTable.blobs(sqliteStore.table, large: large, in: db)
        usage.pinned = try UsageTable.pinned(sqliteStore.table, large: large, in: db)
        if let store = fileStore as? FileStore {
            let files = store.storedFiles()
            usage.files = files.reduce(0) { $0 + $1.size }
            let pinned = try PinTable.keys(in: db)
            if !pinned.isEmpty {
                let paths = Set(pinned.map(store.path))
                usage.pinned += files.reduce(0) { paths.contains($1.path) ? $0 + $1.size : $0 }
            }
        }
        if case .file(let path) = database.location { usage.log = Self.size(of: path + "-wal") }
        if let reserve = room?.reserve { usage.reserve = Self.size(of: reserve.path) }
        var measurement = BudgetKeeper.Measurement(usage: usage)
        measurement.fixed = try UsageTable.empty(size, in: db) + usage.reserve
        if options.budget.bytesPerPartition != nil { measurement.partitions = try partitions(in: db) }
        return measurement
    }

    /// Measures off the caller's thread, and has the keeper know.
    @discardableResult
    func measured(isStuck: Bool = false) async throws(StorageError) -> BudgetKeeper.Measurement {
        let start = keeper.written
        let measurement = try await storing { try await database.scan { [self] db in try measure(in: db) } }
        keeper.noteMeasured(measurement, since: start, isStuck: isStuck)
        return measurement
    }

    /// The bytes of what is stored, by partition: a key without a name.
    func partitions(in db: borrowing Connection) throws -> [StoreKey: Int] {
        let files = (fileStore as? FileStore)?.bytesPerPartition() ?? [:]
        return try UsageTable.partitions(in: db).merging(files) { $0 + $1 }
    }

    private static func size(of path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? Int) ?? 0
    }
}

extension Larder {
    /// What the cache takes now, and what of it counts against its budget. On the caller's thread.
    ///
    /// - Complexity: O(number of large values, of files, and of what is pinned), without their bytes.
    public func usage() throws(StorageError) -> StorageUsage {
        guard !core.isClosed else { throw .closed }
        return try storing { try core.database.read { db in try core.measure(in: db).usage } }
    }

    /// The bytes of what each partition holds; that of ``common`` has an empty name.
    ///
    /// - Complexity: O(number of values and items), without their bytes.
    public func bytesPerPartition() async throws(StorageError) -> [String: Int] {
        guard !core.isClosed else { throw .closed }
        let sizes = try await storing { try await core.database.scan { [core] db in try core.partitions(in: db) } }
        return Dictionary(sizes.map { ($0.key.partition, $0.value) }) { $0 + $1 }
    }
}

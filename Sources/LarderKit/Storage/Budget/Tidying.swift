import Foundation
import LarderSQLite

/// What ``Larder/tidy(isThorough:)`` has done.
public struct TidyReport: Sendable, Hashable {
    /// What was over the budget, or not used for too long.
    public var trimmed = TrimmedAmount()
    /// Files that no value had, left by processes that ended in the middle of a write.
    public var orphanedFiles = 0
    /// The bytes of those.
    public var orphanedBytes = 0
    /// Files that were never finished.
    public var unfinishedFiles = 0
    /// Records of requests, removals and feeds that mean nothing any more.
    public var staleRecords = 0
    /// Bytes of the database given back to the file system.
    public var bytesGivenBack = 0
    /// What the cache takes now.
    public var usage = StorageUsage()

    public init() {}
}

extension Larder {
    /// Puts the cache in order: trims it to its budget, removes what was not used for too long and what processes that were
    /// killed have left, and gives space back to the file system. Safe while others use the cache.
    ///
    /// It happens by itself, some time after a cache was opened or has been trimmed.
    ///
    /// - Parameter isThorough: Also makes the database anew where it cannot be made smaller in steps (a file of an early
    ///   version): this needs room for a copy, and other writes wait for it.
    @discardableResult
    public func tidy(isThorough: Bool = false) async throws(StorageError) -> TidyReport {
        guard !core.isClosed else { throw .closed }
        return try await core.tidy(isThorough: isThorough)
    }
}

extension LarderCore {
    /// How long a damaged database that was set aside is kept.
    private static let setAsideAge = Duration.seconds(7 * 86_400)

    func tidy(isThorough: Bool = false) async throws(StorageError) -> TidyReport {
        var report = TidyReport()
        // Files that nobody has go also where nothing can be trimmed: on a full disk they may be the room for it.
        var failure: StorageError?
        do throws(StorageError) { report.trimmed = try await trimToBudget(isThorough: true) } catch { failure = error }
        let orphans = try await sqliteStore.sweepOrphans()
        report.orphanedFiles = orphans.count
        report.orphanedBytes = orphans.reduce(0) { $0 + $1.size }
        report.unfinishedFiles = await (fileStore as? FileStore)?.sweepUnfinished() ?? 0
        if let failure { throw failure }
        let now = environment.clock.now().millisecondsSince1970
        report.staleRecords = try await storing {
            try await database.write { db in try StaleRecords.remove(now: now, in: db) }
        }
        if isThorough, try await !storing({ try await database.scan { db in try StaleRecords.isVacuumed(db) } }) {
            report.bytesGivenBack = try await rebuildFile()
        } else {
            report.bytesGivenBack = try await giveBackSpace(keeping: 0)
        }
        settleReserve()
        if let folder {
            SetAside(cache: CacheFiles(folder: folder, disk: environment.disk))
                .forget(olderThan: Self.setAsideAge, now: environment.clock.now())
        }
        report.usage = try await measured().usage
        return report
    }

    /// What is done when nothing else is, some time after the cache was opened or was trimmed.
    func idle() async {
        // What cannot be done now is done at another time.
        _ = try? await tidy()
    }

    /// Has ``idle()`` done in a while.
    func noteForIdle() {
        guard folder != nil else { return }
        idleAlarm.set { [weak self] in await self?.idle() }
    }
}

/// Records that mean nothing any more.
enum StaleRecords {
    /// For how long what was said of requests is of use, in microseconds: no request lasts longer.
    private static let memory: Int64 = 24 * 3600 * 1_000_000
    /// For how long a feed of which nothing is stored is remembered, in milliseconds.
    private static let feedMemory: Int64 = 30 * 24 * 3600 * 1000

    /// - Parameter now: In milliseconds since 1970.
    /// - Returns: How many went.
    static func remove(now: Int64, in db: borrowing Connection) throws -> Int {
        let day = now * 1000 - memory
        var count = 0
        for (sql, bound) in [
            ("DELETE FROM larder_fence WHERE stamp < ?1", day), ("DELETE FROM larder_gone WHERE stamp < ?1", day),
            // A lease that ends in the far future was taken before the clock was set back, and holds no more either.
            ("DELETE FROM larder_lease WHERE expires < ?1 OR expires > ?1 + 86400000", now),
            (
                """
                DELETE FROM larder_feed
                WHERE used_at BETWEEN 1 AND ?1 AND NOT is_pinned AND anchor_id IS NULL
                AND NOT EXISTS (SELECT 1 FROM larder_feed_item WHERE feed = larder_feed.id)
                AND NOT EXISTS (SELECT 1 FROM larder_segment WHERE feed = larder_feed.id)
                """, now - feedMemory
            ),
        ] {
            try db.withStatement(sql) { statement in
                try statement.bind(bound, at: 1)
                try statement.run()
            }
            count += db.changes
        }
        for table in ["larder_edge", "larder_envelope"] {
            try db.withStatement("DELETE FROM \(table) WHERE feed NOT IN (SELECT id FROM larder_feed)") { try $0.run() }
            count += db.changes
        }
        return count
    }

    /// Whether the file can be made smaller in steps.
    static func isVacuumed(_ db: borrowing Connection) throws -> Bool {
        try db.first("PRAGMA auto_vacuum") { try $0.int(0) } == 2
    }
}

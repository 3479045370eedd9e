public import Foundation
import LarderSQLite

extension Larder {
    /// Writes what is stored into one file that any larder can take in: a copy to look at, to move, or to ship inside an app, so
    /// that its lists are there at the first start.
    ///
    /// The file is a database in its own right, readable where nothing can be written (an app's bundle). It holds values, wherever
    /// their bytes lie, and feeds with their items, proofs and ages. It never holds cookies, tokens, cursors or links to go on
    /// with; what is stored under a URL with a user or a token in it is left out and counted. What the values themselves say is
    /// the app's own.
    ///
    /// It shows the cache as it is at one moment, while others go on reading and writing; only what lies in files of its own
    /// (``ResourceOptions/Storage/files``) is read one by one. The file is complete or not there: it is written beside its place
    /// and moved there. Cancelling the task leaves nothing behind, and an earlier file as it was.
    ///
    /// - Parameters:
    ///   - url: A file outside of the cache's folder.
    ///   - partitions: Whose data. That of accounts goes only where they are named: whoever has the file can read it.
    ///   - progress: Told how much is done, from 0 to 1, on a thread of the export's own.
    /// - Complexity: O(what is written), a value at a time in memory.
    @discardableResult
    public func exportSnapshot(
        to url: URL, partitions: SnapshotPartitions = .common, progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(StorageError) -> SnapshotReport {
        let core = core
        do {
            return try await SnapshotExport(core: core, partitions: partitions, tell: progress).run(to: url)
        } catch {
            throw StorageError.wrapping(error)
        }
    }
}

/// One export.
struct SnapshotExport: Sendable {
    let core: LarderCore
    let partitions: SnapshotPartitions
    let tell: (@Sendable (Double) -> Void)?

    func run(to url: URL) async throws -> SnapshotReport {
        let target = url.standardizedFileURL
        try refuseOwnFolder(target)
        let folder = target.deletingLastPathComponent()
        let temporary = folder.appendingPathComponent(PrivateFiles.unfinishedPrefix + UUID().uuidString).path
        let files = try await core.fileStore.summaries().filter { partitions.contains($0.key.partition) }
        let report = try await core.database.scan { [self] cache in
            let disk = core.environment.disk
            do {
                var configuration = Configuration()
                configuration.vfs = disk.vfs
                let report = try DetachedFile.write(temporary, configuration: configuration) { snapshot in
                    try SnapshotFormat.setUp(snapshot)
                    var run = try SnapshotExportRun(self, files: files, from: cache)
                    try run.writeAll(from: cache, to: snapshot)
                    return run.report
                }
                // The last moment at which it may be given up.
                try cache.withStatement("SELECT 1") { statement in _ = try statement.step() }
                try disk.move(temporary, to: target.path)
                try disk.syncFolder(folder.path)
                return report
            } catch {
                try? disk.remove(temporary)
                throw error
            }
        }
        tell?(1)
        return report
    }

    /// A file that took the place of one of the cache's own would be the end of it.
    private func refuseOwnFolder(_ target: URL) throws(StorageError) {
        guard let own = core.folder?.resolvingSymlinksInPath().path else { return }
        let folder = target.deletingLastPathComponent().resolvingSymlinksInPath().path
        guard folder == own || folder.hasPrefix(own + "/") else { return }
        throw StorageError(
            .notPermitted, "a snapshot may not be written into the folder of a cache (\(own))",
            nextStep: "Name a file in another folder.")
    }
}

import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Files and folders that only their owner can read: folders 0700, files 0600.
enum PrivateFiles {
    /// What a file's name begins with while it is being written.
    static let unfinishedPrefix = ".writing-"

    /// Makes a folder, and those it lies in.
    ///
    /// - Parameter place: The folder that an error names, where the name of `url` itself is private.
    /// - Returns: Those that were made, the innermost first.
    @discardableResult
    static func createFolder(
        _ url: URL, in place: URL? = nil, on disk: any DiskAccess = SystemDisk()
    ) throws(StorageError) -> [URL] {
        // Nearly always it is there, and a program waits for this at its start: a look costs a tenth of trying to make it.
        var missing: [URL] = []
        var folder = url.standardizedFileURL
        while !isFolder(folder.path), folder.path.utf8.count > 1 {
            missing.append(folder)
            folder.deleteLastPathComponent()
        }
        do throws(StorageError) {
            for folder in missing.reversed() { try disk.createFolder(folder.path) }
        } catch {
            throw StorageError(
                [.full, .notPermitted].contains(error.kind) ? error.kind : .missing,
                "the folder \((place ?? url).path) cannot be created",
                nextStep: "Check that its parent is a folder that may be written to.", underlying: error)
        }
        return missing
    }

    /// Takes a file from all but its owner: one that was copied here, or made by another program. SQLite gives the files beside
    /// a database the permissions that it has.
    static func restrict(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o077 != 0, status.st_mode & S_IFMT == S_IFREG else { return }
        // Where it belongs to somebody else, opening it will tell.
        chmod(path, status.st_mode & 0o700)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Puts a file in place whole: written beside it, synced, then renamed over it. Whoever reads sees the old file or
    /// the new one, also after the power was cut; which one
    /// is settled by ``sync(_:upTo:on:)``.
    static func replace(_ url: URL, with data: Data, on disk: any DiskAccess) throws(StorageError) {
        let folder = url.deletingLastPathComponent()
        let temporary = folder.appendingPathComponent(Self.unfinishedPrefix + UUID().uuidString)
        do throws(StorageError) {
            try disk.write(data, toNewFile: temporary.path, isSynced: true)
            try disk.move(temporary.path, to: url.path)
        } catch {
            // What cannot be removed now is swept later.
            try? disk.remove(temporary.path)
            throw error
        }
    }

    /// Has the names in a folder on the disk, and its own, and so on up to that of `top`: whoever made one of them may not
    /// have lived to see to it.
    static func sync(_ folder: URL, upTo top: URL, on disk: any DiskAccess) throws(StorageError) {
        var folder = folder
        while folder.path.utf8.count > top.path.utf8.count {
            // One that is not there has nothing to lose.
            if isFolder(folder.path) { try disk.syncFolder(folder.path) }
            folder.deleteLastPathComponent()
        }
        try disk.syncFolder(top.path)
        try disk.syncFolder(top.deletingLastPathComponent().path)
    }

    /// Removes the files of `folder` that were being written longer than `age` ago: a process ended before it could move
    /// them into place. One that is younger may be another process's, still at work.
    ///
    /// - Returns: How many went.
    @discardableResult
    static func removeUnfinished(in folder: URL, olderThan age: Duration, now: Date) -> Int {
        var count = 0
        // What cannot be listed or removed now is in nobody's way, and is met again.
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.contentModificationDateKey])
        for file in files ?? [] where file.lastPathComponent.hasPrefix(unfinishedPrefix) {
            guard
                let written = try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate,
                now - written > age
            else { continue }
            if (try? FileManager.default.removeItem(at: file)) != nil { count += 1 }
        }
        return count
    }
}

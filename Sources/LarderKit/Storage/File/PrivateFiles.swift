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

    /// - Parameter place: The folder that an error names, where the name of `url` itself is private.
    static func createFolder(_ url: URL, in place: URL? = nil) throws(StorageError) {
        // Nearly always it is there, and a program waits for this at its start: a look costs a tenth of trying to make it.
        guard !isFolder(url.path) else { return }
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StorageError(
                folderKind(of: error), "the folder \((place ?? url).path) cannot be created",
                nextStep: "Check that its parent is a folder that may be written to.", underlying: error)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func folderKind(of error: any Error) -> StorageError.Kind {
        switch (error as? CocoaError)?.code {
        case .fileWriteNoPermission?, .fileWriteVolumeReadOnly?: .notPermitted
        case .fileWriteOutOfSpace?: .full
        default: .missing
        }
    }

    /// The bytes of a file, or `nil` when there is none.
    static func read(_ url: URL) throws(StorageError) -> Data? {
        do {
            return try Data(contentsOf: url)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            return nil
        } catch {
            throw StorageError.wrapping(error)
        }
    }

    /// Puts a file in place whole: written beside it, synced, then renamed over it. Whoever reads sees the old file or
    /// the new one, also after the power was cut.
    static func replace(_ url: URL, with data: Data) throws(StorageError) {
        let temporary = url.deletingLastPathComponent().appendingPathComponent(
            Self.unfinishedPrefix + UUID().uuidString)
        do throws(StorageError) {
            try write(data, toNewFile: temporary.path)
            guard rename(temporary.path, url.path) == 0 else { throw StorageError.file("moved into place") }
        } catch {
            unlink(temporary.path)
            throw error
        }
    }

    /// Removes the files of `folder` that were being written longer than `age` ago: a process ended before it could move
    /// them into place. One that is younger may be another process's, still at work.
    static func removeUnfinished(in folder: URL, olderThan age: Duration, now: Date) {
        // What cannot be listed or removed now is in nobody's way, and is met again.
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.contentModificationDateKey])
        for file in files ?? [] where file.lastPathComponent.hasPrefix(unfinishedPrefix) {
            guard
                let written = try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate,
                now - written > age
            else { continue }
            try? FileManager.default.removeItem(at: file)
        }
    }

    private static func write(_ data: Data, toNewFile path: String) throws(StorageError) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StorageError.file("created") }
        defer { close(file) }
        var written = 0
        while written < data.count {
            let count = data.withUnsafeBytes { bytes in
                bytes.baseAddress.map { writeBytes(file, $0 + written, bytes.count - written) } ?? 0
            }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw StorageError.file("written")
            }
            written += count
        }
        guard fsync(file) == 0 else { throw StorageError.file("synced") }
    }
}

extension StorageError {
    /// What `errno` says of an operation on a file of a store, whose name is private.
    static func file(_ action: String) -> StorageError {
        let code = errno
        let reason = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT:
            return StorageError(
                .full, "a file could not be \(action): the disk is full", nextStep: "Free some space and try again.")
        case EACCES, EPERM, EROFS:
            return StorageError(
                .notPermitted, "a file could not be \(action): \(reason)",
                nextStep: "Check who owns the cache's folder and whether it may be written to.")
        default:
            return StorageError(.other, "a file could not be \(action): \(reason)")
        }
    }
}

private func writeBytes(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    write(file, bytes, count)
}

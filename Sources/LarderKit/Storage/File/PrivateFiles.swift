import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Files and folders that only their owner can read: folders 0700, files 0600.
enum PrivateFiles {
    static func createFolder(_ url: URL) throws(StorageError) {
        // Nearly always it is there, and a program waits for this at its start: a look costs a tenth of trying to make it.
        guard !isFolder(url.path) else { return }
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StorageError(
                folderKind(of: error), "the folder \(url.path) cannot be created",
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
        let temporary = url.deletingLastPathComponent().appendingPathComponent(".writing-\(UUID().uuidString)")
        do throws(StorageError) {
            try write(data, toNewFile: temporary.path)
            guard rename(temporary.path, url.path) == 0 else { throw failure("moved into place") }
        } catch {
            unlink(temporary.path)
            throw error
        }
    }

    private static func write(_ data: Data, toNewFile path: String) throws(StorageError) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("created") }
        defer { close(file) }
        var written = 0
        while written < data.count {
            let count = data.withUnsafeBytes { bytes in
                bytes.baseAddress.map { writeBytes(file, $0 + written, bytes.count - written) } ?? 0
            }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw failure("written")
            }
            written += count
        }
        guard fsync(file) == 0 else { throw failure("synced") }
    }

    private static func failure(_ action: String) -> StorageError {
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

public import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension SystemDisk {
    public func read(_ path: String) throws(StorageError) -> Data? {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            return nil
        } catch {
            guard !Self.isFolder(path) else { throw StorageError.corrupt("a folder stands where a file should") }
            throw StorageError.wrapping(error)
        }
    }

    public func write(_ bytes: Data, toNewFile path: String, isSynced: Bool) throws(StorageError) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StorageError.file("created") }
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                bytes.baseAddress.map { writeBytes(file, $0 + written, bytes.count - written) } ?? 0
            }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw StorageError.file("written")
            }
            written += count
        }
        if isSynced { try sync(file) }
    }

    public func move(_ path: String, to target: String) throws(StorageError) {
        guard rename(path, target) == 0 else { throw StorageError.file("moved into place") }
    }

    public func remove(_ path: String) throws(StorageError) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        let code = errno
        // Whatever stands in a file's place goes, as long as nothing is in it.
        if Self.isFolder(path), rmdir(path) == 0 { return }
        errno = code
        throw StorageError.file("removed")
    }

    public func createFolder(_ path: String) throws(StorageError) {
        guard mkdir(path, 0o700) != 0 else { return }
        let code = errno
        if code == EEXIST, Self.isFolder(path) { return }
        errno = code
        throw StorageError.file("made, a folder,")
    }

    public func syncFolder(_ path: String) throws(StorageError) {
        let folder = open(path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw StorageError.file("opened to be synced") }
        defer { close(folder) }
        try sync(folder)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private func sync(_ file: Int32) throws(StorageError) {
        #if canImport(Darwin)
            // fsync alone leaves the bytes in the cache of the drive there (fsync(2)). Some file systems know no other way.
            if fcntl(file, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(file) == 0 else { throw StorageError.file("synced") }
    }
}

extension StorageError {
    /// What `errno` says of an operation on a file of a store, whose name is private.
    static func file(_ action: String) -> StorageError {
        let code = errno
        let reason = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT, EFBIG:
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

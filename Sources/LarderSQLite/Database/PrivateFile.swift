import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files that only their owner may read: SQLite would make them by the umask alone, and gives `-wal` and `-shm` the
/// permissions of the database file.
enum PrivateFile {
    /// Closing any descriptor of a file drops the process's POSIX locks on it
    /// (<https://www.sqlite.org/howtocorrupt.html>, section 2.2), so nobody may open it between creation and close.
    private static let creation = Mutex(())

    static func createIfMissing(_ path: String) throws(SQLiteError) {
        guard !path.utf8.contains(0) else {
            throw SQLiteError(.cannotOpen, .open, "the path holds a NUL character")
        }
        let failure: Int32 = creation.withLock { _ in
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return errno == EEXIST ? 0 : errno }
            close(descriptor)
            return 0
        }
        if failure == 0, size(path) == 1 {
            // SQLite takes a file of one byte for an empty one and would write over it (os_unix.c, unixFileSize).
            throw SQLiteError(.notADatabase, .open, "file is not a database (\(path))")
        }
        guard failure == 0 else {
            throw SQLiteError(.cannotOpen, .open, "\(text(ofErrno: failure)) (\(path))")
        }
    }

    private static func size(_ path: String) -> Int {
        var facts = stat()
        return stat(path, &facts) == 0 ? Int(facts.st_size) : 0
    }

    static func text(ofErrno code: Int32) -> String {
        String(cString: strerror(code))
    }
}

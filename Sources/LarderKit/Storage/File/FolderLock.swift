import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Keeps other processes, and other stores of this one, from writing to a folder meanwhile.
///
/// The lock is one of flock(2) on a file in the folder: it belongs to the open file, so that two stores of one process
/// exclude each other as two processes do, and it goes with the process however that ends. Readers need none.
enum FolderLock {
    static let fileName = ".lock"

    /// Runs `body` while nobody else holds the folder. Blocks its thread until then.
    ///
    /// - Parameters:
    ///   - folder: Must exist.
    ///   - file: What is locked there; different files exclude nobody.
    static func hold<R>(
        _ folder: URL, file: String = fileName, _ body: () throws(StorageError) -> R
    ) throws(StorageError) -> R {
        let path = folder.appendingPathComponent(file).path
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StorageError.file("opened to lock the folder") }
        // Closing gives the lock back.
        defer { close(file) }
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else { throw StorageError.file("locked") }
        }
        return try body()
    }
}

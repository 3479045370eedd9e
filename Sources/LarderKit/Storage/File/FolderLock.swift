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
    ///   - limit: How long others are waited for.
    ///   - isGivenUp: Asked while waiting whether to go on with that.
    /// - Throws: `.busy` when somebody else holds it for longer.
    static func hold<R>(
        _ folder: URL, file: String = fileName, limit: Duration = .seconds(5), unless isGivenUp: () -> Bool = { false },
        _ body: () throws(StorageError) -> R
    ) throws(StorageError) -> R {
        let path = folder.appendingPathComponent(file).path
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StorageError.file("opened to lock the folder") }
        // Closing gives the lock back.
        defer { close(file) }
        try lock(file, limit: limit, unless: isGivenUp)
        return try body()
    }

    /// A wait in the kernel would know no limit. Naps are short at first, as those for the database are.
    private static func lock(
        _ file: Int32, limit: Duration, unless isGivenUp: () -> Bool
    ) throws(StorageError) {
        let end = ContinuousClock.now + limit
        var nap: UInt32 = 1
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            guard errno == EWOULDBLOCK else { throw StorageError.file("locked") }
            guard ContinuousClock.now < end, !isGivenUp() else {
                throw StorageError(
                    .busy, "another process has kept the folder of files locked",
                    nextStep: "What is stored can be read; try again when that process has finished.")
            }
            usleep(nap * 1000)
            nap = min(2 * nap, 32)
        }
    }
}

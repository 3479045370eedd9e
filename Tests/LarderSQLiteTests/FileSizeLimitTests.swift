import Foundation
import LarderSQLite
import Testing

@Suite struct FileSizeLimit {
    /// SQLite takes a limit on the size of files (setrlimit(2)) for an error of the disk. The limit is that of a process, so one of
    /// its own comes up to it.
    @Test func aCommitThatComesUpToALimitOnFilesFindsTheDiskFull() async {
        await #expect(processExitsWith: .success) {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("limit-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: url) }
            let database = try Database(.file(url.appendingPathComponent("limited.sqlite").path))
            try database.writeSync { try $0.execute("CREATE TABLE note (body BLOB)") }
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 200_000, rlim_max: 200_000)
            #if canImport(Darwin)
                try #require(setrlimit(RLIMIT_FSIZE, &limit) == 0)
            #else
                try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            #endif
            var found: SQLiteError?
            do {
                for _ in 0..<50 {
                    try database.writeSync { try $0.execute("INSERT INTO note VALUES (zeroblob(20000))") }
                }
            } catch let error as SQLiteError {
                found = error
            }
            let error = try #require(found)
            #expect(error.operation == .commit)
            #expect(error.systemError == EFBIG)
        }
    }
}

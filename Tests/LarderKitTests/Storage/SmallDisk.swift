import Foundation

/// A file system of one megabyte in memory, for tests of a full disk. Only root may have one.
struct SmallDisk {
    let url: URL

    /// `nil` where mounting is not allowed.
    init?(in folder: TestFolder) throws {
        url = folder.url.appendingPathComponent("disk", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        guard try Self.run("/bin/mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", url.path) else { return nil }
    }

    func unmount() {
        // A disk that stays mounted costs a megabyte of memory until the machine stops, and no test.
        _ = try? Self.run("/bin/umount", url.path)
    }

    private static func run(_ program: String, _ arguments: String...) throws -> Bool {
        guard FileManager.default.isExecutableFile(atPath: program) else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

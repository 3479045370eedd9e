import Foundation

/// Keeps damaged databases, for whoever wants to know what happened to them.
struct SetAside {
    let cache: CacheFiles

    /// More are not kept: a disk that goes bad would be filled with what it has spoilt.
    private static let most = 3

    /// Writes a copy, which is on the disk when this returns.
    ///
    /// - Returns: Its folder.
    func keep(_ file: Data, log: Data?) throws -> URL {
        try PrivateFiles.createFolder(cache.damaged, on: cache.disk)
        let name = Self.name(at: Date())
        let unfinished = cache.damaged.appendingPathComponent(CacheFiles.unfinishedPrefix + name, isDirectory: true)
        let folder = cache.damaged.appendingPathComponent(name, isDirectory: true)
        do {
            try PrivateFiles.createFolder(unfinished, on: cache.disk)
            let path = unfinished.appendingPathComponent(CacheFiles.databaseName).path
            try cache.disk.write(file, toNewFile: path, isSynced: true)
            if let log { try cache.disk.write(log, toNewFile: path + "-wal", isSynced: true) }
            try cache.disk.syncFolder(unfinished.path)
            try cache.disk.move(unfinished.path, to: folder.path)
            try cache.disk.syncFolder(cache.damaged.path)
        } catch {
            // The error is what counts; what is left is swept.
            try? FileManager.default.removeItem(at: unfinished)
            throw error
        }
        return folder
    }

    /// Removes the oldest.
    func trim() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cache.damaged.path)) ?? []
        for name in names.filter({ !$0.hasPrefix(".") }).sorted().dropLast(Self.most) {
            // One that cannot be removed is met again.
            try? FileManager.default.removeItem(at: cache.damaged.appendingPathComponent(name))
        }
    }

    /// Removes those that are older than this: they are for whoever looks soon.
    func forget(olderThan age: Duration, now: Date) {
        let limit = Self.stamp(now - Double(age.milliseconds) / 1000)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cache.damaged.path)) ?? []
        for name in names where !name.hasPrefix(".") && name < limit {
            try? FileManager.default.removeItem(at: cache.damaged.appendingPathComponent(name))
        }
    }

    func removeAll() throws(StorageError) {
        guard FileManager.default.fileExists(atPath: cache.damaged.path) else { return }
        try storing { try FileManager.default.removeItem(at: cache.damaged) }
    }

    /// Sorts as time does, and is no other's.
    private static func name(at date: Date) -> String {
        "\(stamp(date))-\(UUID().uuidString.prefix(4).lowercased())"
    }

    private static func stamp(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyyMMdd'T'HHmmss.SSS'Z'"
        return formatter.string(from: date)
    }
}

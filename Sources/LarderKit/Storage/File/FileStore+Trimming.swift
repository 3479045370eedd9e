import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension FileStore {
    /// A file that holds a value.
    struct StoredFile: Sendable, Hashable {
        let path: String
        let size: Int
        /// When it was written or used, which its time of modification tells; in milliseconds since 1970.
        let usedAt: Int64
    }

    /// The files, without a look into them. What cannot be listed counts as nothing.
    ///
    /// - Complexity: O(number of files).
    func storedFiles(in partition: String? = nil) -> [StoredFile] {
        let folders = partition.map { [folder(of: $0)] } ?? (try? partitions()) ?? []
        return folders.flatMap(Self.storedFiles)
    }

    /// The bytes of the files, by partition: a key without a name. Whose a folder is, its files tell.
    func bytesPerPartition() -> [StoreKey: Int] {
        var sizes: [StoreKey: Int] = [:]
        for folder in (try? partitions()) ?? [] {
            let files = Self.storedFiles(under: folder)
            let key = files.lazy.compactMap { try? self.summary(URL(fileURLWithPath: $0.path))?.key }.first
            guard let key else { continue }
            sizes[StoreKey(partition: key.partition, key: ""), default: 0] += files.reduce(0) { $0 + $1.size }
        }
        return sizes
    }

    private static func storedFiles(under folder: URL) -> [StoredFile] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }
            .compactMap { storedFile(folder.path + "/" + $0) }
    }

    private static func storedFile(_ path: String) -> StoredFile? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return StoredFile(
            path: path, size: Int(status.st_size), usedAt: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The path of a value's file, whether it is there or not.
    func path(of key: StoreKey) -> String { url(of: key).path }

    /// Writes down when values were used. What cannot be written down costs nothing but that.
    func touch(_ times: AccessMarks.Times) {
        for case (.file(let key), let time) in times {
            try? FileManager.default.setAttributes(
                [.modificationDate: Date(millisecondsSince1970: time)], ofItemAtPath: path(of: key))
        }
    }

    /// Removes files that were not used or written over since they were listed.
    ///
    /// - Returns: Those that went, with the keys of their values where their headers can be read.
    func remove(_ files: [StoredFile]) async throws(StorageError) -> [(file: StoredFile, key: StoreKey?)] {
        guard !files.isEmpty else { return [] }
        return try await onQueue { work throws(StorageError) in
            guard FileManager.default.fileExists(atPath: self.folder.path) else { return [] }
            return try self.hold(work) { () throws(StorageError) in
                var removed: [(file: StoredFile, key: StoreKey?)] = []
                for file in files where Self.storedFile(file.path) == file {
                    let key = (try? self.summary(URL(fileURLWithPath: file.path)))?.key
                    try self.disk.remove(file.path)
                    removed.append((file, key))
                }
                return removed
            }
        }
    }

    /// Removes what processes that have ended had begun to write.
    ///
    /// - Returns: How many files there were.
    func sweepUnfinished() async -> Int {
        let count = try? await onQueue { _ throws(StorageError) in
            ((try? self.partitions()) ?? []).reduce(0) { count, partition in
                count + PrivateFiles.removeUnfinished(in: partition, olderThan: Self.unfinishedAge, now: Date())
            }
        }
        return count ?? 0
    }
}

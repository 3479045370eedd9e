import Foundation
import LarderKit

/// A disk on which a cache may take so many bytes and no more. A quota within this process: files of the cache are refused by it,
/// and the database by SQLite's own limit on pages.
struct QuotaDisk: DiskAccess {
    let folder: URL
    let size: Int
    private let disk = SystemDisk()

    init(folder: URL, size: Int) {
        self.folder = folder
        self.size = size
    }

    var vfs: String? { nil }

    /// The pages that the database may have.
    var pages: Int { max(8, size / 8192) }

    func read(_ path: String) throws(StorageError) -> Data? { try disk.read(path) }

    func write(_ bytes: Data, toNewFile path: String, isSynced: Bool) throws(StorageError) {
        guard DiskUse(of: folder).files + bytes.count <= size else {
            throw StorageError(
                .full, "a file could not be written: the disk is full", nextStep: "Free some space and try again.")
        }
        try disk.write(bytes, toNewFile: path, isSynced: isSynced)
    }

    func move(_ path: String, to target: String) throws(StorageError) { try disk.move(path, to: target) }

    func remove(_ path: String) throws(StorageError) { try disk.remove(path) }

    func createFolder(_ path: String) throws(StorageError) { try disk.createFolder(path) }

    func syncFolder(_ path: String) throws(StorageError) { try disk.syncFolder(path) }
}

/// The bytes of the files in a folder.
struct DiskUse {
    let folder: URL

    init(of folder: URL) { self.folder = folder }

    /// All of them.
    var files: Int { sizes { _ in true } }

    /// Those of a name that begins so.
    func files(beginning prefix: String) -> Int { sizes { $0.hasPrefix(prefix) } }

    private func sizes(_ isMeant: (String) -> Bool) -> Int {
        (FileManager.default.subpaths(atPath: folder.path) ?? []).filter(isMeant).reduce(0) { sum, name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { return sum }
            return sum + (attributes?[.size] as? Int ?? 0)
        }
    }
}

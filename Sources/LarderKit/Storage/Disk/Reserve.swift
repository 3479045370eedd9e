import Foundation

/// A file that holds nothing, to be removed when the disk is full: SQLite needs some space even to remove a row.
struct Reserve: Sendable {
    let folder: URL
    let disk: any DiskAccess

    static let fileName = "reserve"
    static let size = 256 << 10

    private var path: String { folder.appendingPathComponent(Self.fileName).path }

    /// Makes the file if it is missing. Where that cannot be done there is none.
    func ensure() {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        do throws(StorageError) {
            try disk.write(Data(count: Self.size), toNewFile: path, isSynced: false)
        } catch {
            // A part of it would be taken for the whole.
            _ = release()
        }
    }

    /// - Returns: Whether there was anything to give.
    func release() -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return false }
        do throws(StorageError) {
            try disk.remove(path)
            return true
        } catch {
            return false
        }
    }
}

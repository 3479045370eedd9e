import Dispatch
import Foundation
import LarderSQLite

/// The bodies of large values: one file each, under a name drawn by lot, which a row of the cache file bears.
///
/// A file is written before the row that names it is committed, and removed after the row that named it is gone. So a row
/// always has its file; a file that no row names was left by a process that ended in between, and is swept.
struct BlobFolder: Sendable {
    let folder: URL
    let disk: any DiskAccess
    let durability: Durability
    /// Writing a file blocks its thread, so it does not happen on one of the few that run all tasks.
    private let queue = DispatchQueue(label: "larder.blobs")

    /// A value of more bytes than this lies in a file. From about here on a file by itself is read faster than a row, and from a
    /// megabyte on it is written faster, too (`larder-bench large`).
    static let threshold = 64 << 10

    init(folder: URL, disk: any DiskAccess, durability: Durability) {
        self.folder = folder
        self.disk = disk
        self.durability = durability
    }

    /// Keeps a body in a new file, of which nobody knows yet.
    ///
    /// - Returns: Its name.
    func write(_ body: Data) async throws(StorageError) -> String {
        let result: Result<String, StorageError> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(StorageError) in try self.writeNow(body) })
            }
        }
        return try result.get()
    }

    func writeNow(_ body: Data) throws(StorageError) -> String {
        let name = Self.newName()
        let url = folder.appendingPathComponent(name)
        let shelf = url.deletingLastPathComponent()
        try PrivateFiles.createFolder(shelf, in: folder, on: disk)
        let isSynced = durability == .powerLoss
        do throws(StorageError) {
            try disk.write(body, toNewFile: url.path, isSynced: isSynced)
            if isSynced { try PrivateFiles.sync(shelf, upTo: folder, on: disk) }
        } catch {
            try? disk.remove(url.path)
            throw error
        }
        return name
    }

    /// The bytes of a file, or `nil` when there is none.
    func read(_ name: String) throws(StorageError) -> Data? {
        guard Self.isName(name) else { throw StorageError.corrupt("a row names no file of this cache") }
        return try disk.read(folder.appendingPathComponent(name).path)
    }

    /// Gives the bytes of values up for room on a full disk, where their rows cannot be removed yet: what is left is a file of no
    /// bytes, and a row that names one counts as not stored.
    func giveUp(_ names: [String]) {
        for name in names where Self.isName(name) {
            let url = folder.appendingPathComponent(name)
            let empty = url.deletingLastPathComponent()
                .appendingPathComponent(PrivateFiles.unfinishedPrefix + UUID().uuidString).path
            do throws(StorageError) {
                try disk.write(Data(), toNewFile: empty, isSynced: false)
                try disk.move(empty, to: url.path)
            } catch {
                // Not even a name has room: then there is no file.
                try? disk.remove(empty)
                try? disk.remove(url.path)
            }
        }
    }

    /// Removes files that no row names any more. What cannot be removed is swept later.
    func remove(_ names: [String]) {
        for name in names where Self.isName(name) { try? disk.remove(folder.appendingPathComponent(name).path) }
    }

    /// Two digits, the folder, and thirty-two: no folder holds too many.
    static func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard bytes.count == 35, bytes[2] == UInt8(ascii: "/") else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            index == 2 || (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
        }
    }

    private static func newName() -> String {
        let digits = [UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max)].map { number in
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        return "\(digits.prefix(2))/\(digits)"
    }
}

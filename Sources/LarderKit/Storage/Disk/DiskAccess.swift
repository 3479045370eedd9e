public import Foundation

/// What a larder does to the disk: its own files by these few operations, and the database through a VFS of SQLite.
///
/// A seam for tests, which put a disk that fails in the place of ``SystemDisk``. Errors are those of ``StorageError``, whose
/// texts name no file: names may be private.
public protocol DiskAccess: Sendable {
    /// The name of the VFS that SQLite uses (<https://www.sqlite.org/vfs.html>); `nil` is the system's.
    var vfs: String? { get }

    /// The bytes of a file, or `nil` when there is none.
    func read(_ path: String) throws(StorageError) -> Data?

    /// Makes a file that only its owner can read (0600), with these bytes. Fails where there is one.
    ///
    /// - Parameters:
    ///   - bytes: What it is to hold.
    ///   - path: Where it is made.
    ///   - isSynced: Whether its bytes are on the disk when this returns (fsync(2)). Its name is after ``syncFolder(_:)``.
    func write(_ bytes: Data, toNewFile path: String, isSynced: Bool) throws(StorageError)

    /// Moves a file in place of another, or of none, at once (rename(2)).
    func move(_ path: String, to target: String) throws(StorageError)

    /// Removes a file; no error when there is none.
    func remove(_ path: String) throws(StorageError)

    /// Makes a folder that only its owner can look into (0700), in one that is there; no error when it is there already.
    func createFolder(_ path: String) throws(StorageError)

    /// Has the names of a folder's files on the disk when this returns (fsync(2) of the folder).
    func syncFolder(_ path: String) throws(StorageError)
}

/// The disk as it is.
public struct SystemDisk: DiskAccess {
    public init() {}

    public var vfs: String? { nil }
}

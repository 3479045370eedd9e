public import Foundation
public import LarderKit

/// What a larder does to its own files, counted with what SQLite does to the database: one disk, one sequence.
///
/// ```swift
/// let disk = FaultyDisk()
/// let larder = try Larder(.temporary, environment: LarderEnvironment(disk: disk))
/// ```
extension FaultyDisk: DiskAccess {
    public func read(_ path: String) throws(StorageError) -> Data? {
        try judge(.read, "read")
        return try system.read(path)
    }

    public func write(_ bytes: Data, toNewFile path: String, isSynced: Bool) throws(StorageError) {
        try judge(.create, "created")
        let fault = core.judge(.write)
        let written =
            switch fault {
            case nil: bytes
            case .shortWrite: bytes.prefix(bytes.count / 2)
            case .ioError, .full: Data()
            }
        let syncFault = fault == nil && isSynced ? core.judge(.sync) : nil
        try system.write(written, toNewFile: path, isSynced: isSynced && fault == nil && syncFault == nil)
        core.record({ .create($0) }, at: path)
        if !written.isEmpty { core.record({ .write($0, offset: 0, written) }, at: path) }
        if let fault { throw .injected(fault, "written") }
        if let syncFault { throw .injected(syncFault, "synced") }
        if isSynced { core.record({ .sync($0) }, at: path) }
    }

    public func move(_ path: String, to target: String) throws(StorageError) {
        try judge(.rename, "moved into place")
        try system.move(path, to: target)
        core.recordRename(path, to: target)
    }

    public func remove(_ path: String) throws(StorageError) {
        try judge(.delete, "removed")
        try system.remove(path)
        core.record({ .delete($0) }, at: path)
    }

    public func createFolder(_ path: String) throws(StorageError) {
        try judge(.createFolder, "made, a folder,")
        try system.createFolder(path)
        core.record({ .createFolder($0) }, at: path)
    }

    public func syncFolder(_ path: String) throws(StorageError) {
        try judge(.syncFolder, "synced")
        try system.syncFolder(path)
        core.record({ .syncFolder($0) }, at: path)
    }

    private var system: SystemDisk { SystemDisk() }

    private func judge(_ operation: DiskOperation, _ action: String) throws(StorageError) {
        if let fault = core.judge(operation) { throw .injected(fault, action) }
    }
}

extension StorageError {
    fileprivate static func injected(_ fault: DiskFault, _ action: String) -> StorageError {
        switch fault {
        case .full: StorageError(.full, "a file could not be \(action): the disk is full")
        case .ioError, .shortWrite: StorageError(.other, "a file could not be \(action): the disk failed")
        }
    }
}

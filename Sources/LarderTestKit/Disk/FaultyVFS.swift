import CSQLite
import Foundation
import Synchronization

/// The VFS that stands between SQLite and the system's own (<https://www.sqlite.org/vfs.html>).
///
/// Once registered, it is never taken back: a connection holds on to the VFS it was opened with, and cannot be asked
/// whether it still does. What nobody needs any more serves the next disk.
// @unchecked Sendable: the pointers are set before anybody else sees it, and what they point to does not change.
final class FaultyVFS: @unchecked Sendable {
    private struct Use {
        var core: DiskCore?
        var isHeld = false
        var openFiles = 0

        var isOver: Bool { !isHeld && openFiles == 0 }
    }

    private static let idle = Mutex<(vfs: [FaultyVFS], count: Int)>(([], 0))

    let name: String
    let system: UnsafeMutablePointer<sqlite3_vfs>
    private let use = Mutex(Use())

    static func take(for core: DiskCore) -> FaultyVFS {
        let vfs = idle.withLock { idle in
            if let vfs = idle.vfs.popLast() { return vfs }
            idle.count += 1
            return FaultyVFS(number: idle.count)
        }
        vfs.use.withLock { $0 = Use(core: core, isHeld: true) }
        return vfs
    }

    /// Whoever has taken it is gone.
    func release() { end { $0.isHeld = false } }

    /// The disk that files are opened on.
    var core: DiskCore? { use.withLock { $0.core } }

    func fileHasOpened() { use.withLock { $0.openFiles += 1 } }
    func fileHasClosed() { end { $0.openFiles -= 1 } }

    private func end(_ change: (inout sending Use) -> Void) {
        let isOver = use.withLock { use in
            change(&use)
            if use.isOver { use.core = nil }
            return use.isOver
        }
        if isOver { Self.idle.withLock { $0.vfs.append(self) } }
    }

    private init(number: Int) {
        guard let system = sqlite3_vfs_find(nil) else { preconditionFailure("SQLite has no VFS for this system") }
        self.system = system
        name = "larder-faulty-\(number)"
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: sqlite3_vfs())
        vfs.pointee.iVersion = 2
        vfs.pointee.szOsFile = Int32(ShimFile.realOffset) + system.pointee.szOsFile
        vfs.pointee.mxPathname = system.pointee.mxPathname
        vfs.pointee.zName = UnsafePointer(strdup(name))
        // Kept for ever, as the registration is.
        vfs.pointee.pAppData = Unmanaged.passRetained(self).toOpaque()
        Self.setFiles(of: vfs)
        Self.setRest(of: vfs)
        sqlite3_vfs_register(vfs, 0)
    }

    static func of(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> FaultyVFS? {
        guard let data = vfs?.pointee.pAppData else { return nil }
        return Unmanaged<FaultyVFS>.fromOpaque(data).takeUnretainedValue()
    }
}

extension FaultyVFS {
    /// What concerns files by their names.
    private static func setFiles(of vfs: UnsafeMutablePointer<sqlite3_vfs>) {
        vfs.pointee.xOpen = { vfs, path, file, flags, outFlags in
            guard let shim = FaultyVFS.of(vfs), let file, let core = shim.core else { return SQLITE_CANTOPEN }
            // Otherwise SQLite closes what is not open.
            file.pointee.pMethods = nil
            let name = path.map { String(cString: $0) }
            let isThere = path.map { shim.holds($0) } ?? false
            guard core.judge(isThere ? .open : .create) == nil else { return SQLITE_CANTOPEN }
            let result = ShimFile.open(file, by: shim.system) { real in
                shim.system.pointee.xOpen?(shim.system, path, real, flags, outFlags) ?? SQLITE_MISUSE
            }
            guard result == SQLITE_OK else { return result }
            if !isThere, let name { core.record({ .create($0) }, at: name) }
            let isLog = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL) != 0
            let mayMake = flags & SQLITE_OPEN_CREATE != 0
            ShimFile.adopt(file, OpenFile(vfs: shim, core: core, path: name, owesFolder: isLog && mayMake))
            return SQLITE_OK
        }
        vfs.pointee.xDelete = { vfs, path, syncsFolder in
            guard let shim = FaultyVFS.of(vfs), let path else { return SQLITE_MISUSE }
            let core = shim.core
            if core?.judge(.delete) != nil { return SQLITE_IOERR | (10 << 8) }
            let result = shim.system.pointee.xDelete?(shim.system, path, syncsFolder) ?? SQLITE_MISUSE
            guard result == SQLITE_OK else { return result }
            let name = String(cString: path)
            core?.record({ .delete($0) }, at: name)
            if syncsFolder != 0 { core?.record({ .syncFolder($0) }, at: DiskRecorder.folder(of: name)) }
            return SQLITE_OK
        }
        vfs.pointee.xAccess = { vfs, path, flags, found in
            guard let shim = FaultyVFS.of(vfs) else { return SQLITE_MISUSE }
            if shim.core?.judge(.access) != nil { return SQLITE_IOERR | (13 << 8) }
            return shim.system.pointee.xAccess?(shim.system, path, flags, found) ?? SQLITE_MISUSE
        }
    }

    private func holds(_ path: UnsafePointer<CChar>) -> Bool {
        var found: Int32 = 0
        let result = system.pointee.xAccess?(system, path, SQLITE_ACCESS_EXISTS, &found)
        // SQLite's own says of an empty file that it is not there, since that is what a journal must not be.
        return result == SQLITE_OK && found != 0 || FileManager.default.fileExists(atPath: String(cString: path))
    }

    /// What is no matter of the disk.
    private static func setRest(of vfs: UnsafeMutablePointer<sqlite3_vfs>) {
        vfs.pointee.xFullPathname = { vfs, path, count, full in
            guard let system = FaultyVFS.of(vfs)?.system else { return SQLITE_MISUSE }
            return system.pointee.xFullPathname?(system, path, count, full) ?? SQLITE_MISUSE
        }
        vfs.pointee.xRandomness = { vfs, count, bytes in
            guard let system = FaultyVFS.of(vfs)?.system else { return 0 }
            return system.pointee.xRandomness?(system, count, bytes) ?? 0
        }
        vfs.pointee.xSleep = { vfs, microseconds in
            guard let system = FaultyVFS.of(vfs)?.system else { return 0 }
            return system.pointee.xSleep?(system, microseconds) ?? 0
        }
        vfs.pointee.xCurrentTime = { vfs, time in
            guard let system = FaultyVFS.of(vfs)?.system else { return SQLITE_MISUSE }
            return system.pointee.xCurrentTime?(system, time) ?? SQLITE_MISUSE
        }
        vfs.pointee.xCurrentTimeInt64 = { vfs, time in
            guard let system = FaultyVFS.of(vfs)?.system else { return SQLITE_MISUSE }
            return system.pointee.xCurrentTimeInt64?(system, time) ?? SQLITE_MISUSE
        }
        vfs.pointee.xGetLastError = { vfs, count, text in
            guard let system = FaultyVFS.of(vfs)?.system else { return 0 }
            return system.pointee.xGetLastError?(system, count, text) ?? 0
        }
    }
}

import CSQLite
import Foundation

/// What SQLite does with an open file, with a question to the faulty disk before each (<https://www.sqlite.org/c3ref/io_methods.html>).
// @unchecked Sendable: what the pointer points to never changes.
struct FileMethods: @unchecked Sendable {
    static let shared = FileMethods()

    let pointer: UnsafePointer<sqlite3_io_methods>

    private init() {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        // The second version has the shared memory that WAL needs. The third would map files, past this.
        methods.pointee.iVersion = 2
        methods.pointee.xClose = { ShimFile.close($0) }
        Self.setContents(of: methods)
        Self.setLocks(of: methods)
        Self.setSharedMemory(of: methods)
        pointer = UnsafePointer(methods)
    }

    private typealias Methods = UnsafeMutablePointer<sqlite3_io_methods>

    private static func setContents(of methods: Methods) {
        methods.pointee.xRead = { file, bytes, count, offset in
            guard let parts = ShimFile.Parts(file) else { return SQLITE_MISUSE }
            if parts.file.core.judge(.read) != nil { return SQLITE_IOERR | (1 << 8) }
            return parts.methods.pointee.xRead?(parts.real, bytes, count, offset) ?? SQLITE_MISUSE
        }
        methods.pointee.xWrite = { file, bytes, count, offset in
            guard let parts = ShimFile.Parts(file), let bytes else { return SQLITE_MISUSE }
            let fault = parts.file.core.judge(.write)
            let written = fault == nil ? count : fault == .shortWrite ? count / 2 : 0
            if written > 0 {
                let result = parts.methods.pointee.xWrite?(parts.real, bytes, written, offset) ?? SQLITE_MISUSE
                guard result == SQLITE_OK else { return result }
                let start = Int(offset)
                parts.file.record { .write($0, offset: start, Data(bytes: bytes, count: Int(written))) }
            }
            return fault == nil ? SQLITE_OK : fault == .full ? SQLITE_FULL : SQLITE_IOERR | (3 << 8)
        }
        methods.pointee.xTruncate = { file, size in
            guard let parts = ShimFile.Parts(file) else { return SQLITE_MISUSE }
            if parts.file.core.judge(.truncate) != nil { return SQLITE_IOERR | (6 << 8) }
            let result = parts.methods.pointee.xTruncate?(parts.real, size) ?? SQLITE_MISUSE
            if result == SQLITE_OK { parts.file.record { .truncate($0, size: Int(size)) } }
            return result
        }
        methods.pointee.xSync = { file, flags in
            guard let parts = ShimFile.Parts(file) else { return SQLITE_MISUSE }
            if parts.file.core.judge(.sync) != nil { return SQLITE_IOERR | (4 << 8) }
            let result = parts.methods.pointee.xSync?(parts.real, flags) ?? SQLITE_MISUSE
            if result == SQLITE_OK { parts.file.recordSync() }
            return result
        }
        methods.pointee.xFileSize = { file, size in
            guard let parts = ShimFile.Parts(file) else { return SQLITE_MISUSE }
            if parts.file.core.judge(.size) != nil { return SQLITE_IOERR | (7 << 8) }
            return parts.methods.pointee.xFileSize?(parts.real, size) ?? SQLITE_MISUSE
        }
        methods.pointee.xFileControl = { file, operation, argument in
            guard let parts = ShimFile.Parts(file) else { return SQLITE_MISUSE }
            return parts.methods.pointee.xFileControl?(parts.real, operation, argument) ?? SQLITE_NOTFOUND
        }
        methods.pointee.xSectorSize = { file in
            guard let parts = ShimFile.Parts(file) else { return 4096 }
            return parts.methods.pointee.xSectorSize?(parts.real) ?? 4096
        }
        methods.pointee.xDeviceCharacteristics = { file in
            guard let parts = ShimFile.Parts(file) else { return 0 }
            return parts.methods.pointee.xDeviceCharacteristics?(parts.real) ?? 0
        }
    }

    private static func setLocks(of methods: Methods) {
        methods.pointee.xLock = { file, level in
            guard let parts = ShimFile.Parts(file) else { return SQLITE_MISUSE }
            if parts.file.core.judge(.lock) != nil { return SQLITE_IOERR | (15 << 8) }
            return parts.methods.pointee.xLock?(parts.real, level) ?? SQLITE_MISUSE
        }
        // Giving a lock back does not fail.
        methods.pointee.xUnlock = { file, level in
            guard let parts = ShimFile.Parts(file) else { return SQLITE_MISUSE }
            return parts.methods.pointee.xUnlock?(parts.real, level) ?? SQLITE_MISUSE
        }
        methods.pointee.xCheckReservedLock = { file, isHeld in
            guard let parts = ShimFile.Parts(file) else { return SQLITE_MISUSE }
            if parts.file.core.judge(.lock) != nil { return SQLITE_IOERR | (14 << 8) }
            return parts.methods.pointee.xCheckReservedLock?(parts.real, isHeld) ?? SQLITE_MISUSE
        }
    }

    private static func setSharedMemory(of methods: Methods) {
        methods.pointee.xShmMap = { file, region, size, grows, memory in
            guard let parts = ShimFile.Parts(file) else { return SQLITE_MISUSE }
            let fault = parts.file.core.judge(grows == 0 ? .mapSharedMemory : .growSharedMemory)
            if fault != nil { memory?.pointee = nil }
            switch fault {
            case nil: return parts.methods.pointee.xShmMap?(parts.real, region, size, grows, memory) ?? SQLITE_MISUSE
            case .full: return SQLITE_IOERR | (19 << 8)
            case .ioError, .shortWrite: return SQLITE_IOERR | (21 << 8)
            }
        }
        methods.pointee.xShmLock = { file, offset, count, flags in
            guard let parts = ShimFile.Parts(file) else { return SQLITE_MISUSE }
            let takes = flags & SQLITE_SHM_LOCK != 0
            if takes, parts.file.core.judge(.lockSharedMemory) != nil { return SQLITE_IOERR | (20 << 8) }
            return parts.methods.pointee.xShmLock?(parts.real, offset, count, flags) ?? SQLITE_MISUSE
        }
        methods.pointee.xShmBarrier = { file in
            guard let parts = ShimFile.Parts(file) else { return }
            parts.methods.pointee.xShmBarrier?(parts.real)
        }
        methods.pointee.xShmUnmap = { file, deletes in
            guard let parts = ShimFile.Parts(file) else { return SQLITE_MISUSE }
            return parts.methods.pointee.xShmUnmap?(parts.real, deletes) ?? SQLITE_MISUSE
        }
    }
}

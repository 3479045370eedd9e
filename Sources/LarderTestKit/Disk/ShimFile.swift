import CSQLite
import Foundation

/// What SQLite holds of a file that is open through ``FaultyVFS``. The system's own file lies behind it, in memory that
/// SQLite gives for both.
struct ShimFile {
    /// Must come first: SQLite knows no more of it.
    private var base: sqlite3_file
    private var file: Unmanaged<OpenFile>?

    /// Where the system's file begins: at a place that suits whatever is in it.
    static let realOffset = (MemoryLayout<ShimFile>.stride + 15) & ~15

    typealias Pointer = UnsafeMutablePointer<sqlite3_file>

    private static func real(_ pointer: Pointer) -> Pointer {
        (UnsafeMutableRawPointer(pointer) + realOffset).assumingMemoryBound(to: sqlite3_file.self)
    }

    /// Opens the system's file, and closes what is left of it where that fails.
    static func open(
        _ pointer: Pointer, by system: UnsafeMutablePointer<sqlite3_vfs>, _ body: (Pointer) -> Int32
    ) -> Int32 {
        let real = real(pointer)
        memset(real, 0, Int(system.pointee.szOsFile))
        let result = body(real)
        if result != SQLITE_OK { _ = real.pointee.pMethods?.pointee.xClose?(real) }
        return result
    }

    /// Makes an opened file one of this disk.
    static func adopt(_ pointer: Pointer, _ file: OpenFile) {
        file.vfs.fileHasOpened()
        pointer.withMemoryRebound(to: ShimFile.self, capacity: 1) { shim in
            shim.pointee.file = Unmanaged.passRetained(file)
        }
        pointer.pointee.pMethods = FileMethods.shared.pointer
    }

    /// The system's file with its methods, and what is known of it here.
    struct Parts {
        let real: Pointer
        let methods: UnsafePointer<sqlite3_io_methods>
        let file: OpenFile

        init?(_ pointer: Pointer?) {
            guard let pointer,
                let file = pointer.withMemoryRebound(to: ShimFile.self, capacity: 1, { $0.pointee.file }),
                let methods = ShimFile.real(pointer).pointee.pMethods
            else { return nil }
            real = ShimFile.real(pointer)
            self.methods = methods
            self.file = file.takeUnretainedValue()
        }
    }

    static func close(_ pointer: Pointer?) -> Int32 {
        guard let pointer, let parts = Parts(pointer) else { return SQLITE_MISUSE }
        let result = parts.methods.pointee.xClose?(parts.real) ?? SQLITE_MISUSE
        pointer.pointee.pMethods = nil
        pointer.withMemoryRebound(to: ShimFile.self, capacity: 1) { shim in
            shim.pointee.file?.release()
            shim.pointee.file = nil
        }
        return result
    }
}

/// A file that SQLite has open.
// @unchecked Sendable: `owesFolder` is used by the one connection whose file it is.
final class OpenFile: @unchecked Sendable {
    let vfs: FaultyVFS
    let core: DiskCore
    /// None for a temporary file.
    let path: String?
    /// Whether the first sync is also one of the folder, as SQLite does it for a log that it may have made.
    private var owesFolder: Bool

    init(vfs: FaultyVFS, core: DiskCore, path: String?, owesFolder: Bool) {
        self.vfs = vfs
        self.core = core
        self.path = path
        self.owesFolder = owesFolder
    }

    deinit {
        vfs.fileHasClosed()
    }

    func record(_ make: (String) -> DiskEvent) {
        if let path { core.record(make, at: path) }
    }

    func recordSync() {
        record { .sync($0) }
        guard owesFolder, let path else { return }
        owesFolder = false
        core.record({ .syncFolder($0) }, at: DiskRecorder.folder(of: path))
    }
}

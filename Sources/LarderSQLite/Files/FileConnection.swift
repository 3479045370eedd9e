package import Foundation
import CSQLite

/// A single connection to a file of which nothing is expected, for looking at it and mending it: no setting of the file is
/// changed by opening it, and what is no database can be opened as well.
///
/// To be used by one thread at a time.
package final class FileConnection {
    let handle: ConnectionHandle
    private var watch: ProgressWatch?

    /// - Parameters:
    ///   - createsFile: Otherwise a file that is missing is an error.
    ///   - busyLimit: How long to wait for a lock that another connection holds.
    package init(
        _ path: String, vfs: String? = nil, createsFile: Bool = false, busyLimit: Duration = .seconds(5)
    ) throws(SQLiteError) {
        var configuration = Configuration()
        configuration.vfs = vfs
        configuration.busyLimit = busyLimit
        var database: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        if createsFile { try PrivateFile.createIfMissing(path) }
        let result = sqlite3_open_v2(path, &database, flags, vfs)
        guard result == SQLITE_OK, let database else {
            let error = SQLiteError(lastErrorOf: database, result: result, .open, sql: nil)
            sqlite3_close_v2(database)
            throw error.during(.open, path)
        }
        handle = ConnectionHandle(database, configuration: configuration)
        handle.setMemoryLimits()
    }

    deinit { sqlite3_progress_handler(handle.database, 0, nil, nil) }

    /// Lends the connection, each statement being a transaction of its own.
    package func use<R>(_ body: (borrowing Connection) throws -> R) throws -> R {
        try handle.perform(nil, isReading: false, cancellation: nil, body)
    }

    /// Lends the connection in one snapshot, for reading alone.
    package func read<R>(_ body: (borrowing Connection) throws -> R) throws -> R {
        try handle.perform(.deferred, isReading: true, cancellation: nil, body)
    }

    /// Lends the connection in one transaction that holds the write lock from its start.
    package func write<R>(_ body: (borrowing Connection) throws -> R) throws -> R {
        try handle.perform(.immediate, isReading: false, cancellation: nil, body)
    }

    /// Asks every few thousand steps of a statement whether to go on; `false` ends it with ``SQLiteError/Code/interrupted``.
    package func setProgress(_ mayGoOn: @escaping @Sendable () -> Bool) {
        let watch = ProgressWatch(mayGoOn)
        self.watch = watch
        sqlite3_progress_handler(
            handle.database, 5000,
            { context in
                guard let context else { return 0 }
                return Unmanaged<ProgressWatch>.fromOpaque(context).takeUnretainedValue().mayGoOn() ? 0 : 1
            }, Unmanaged.passUnretained(watch).toOpaque())
    }
}

private final class ProgressWatch: Sendable {
    let mayGoOn: @Sendable () -> Bool

    init(_ mayGoOn: @escaping @Sendable () -> Bool) {
        self.mayGoOn = mayGoOn
    }
}

extension ConnectionHandle {
    /// As for any file that may come damaged: see ``openWriter(_:configuration:)``.
    fileprivate func setMemoryLimits() {
        // What these do not reach is met by the statement that needs it.
        try? executeScript("PRAGMA mmap_size = 0; PRAGMA cell_size_check = 1; PRAGMA trusted_schema = 0")
    }
}

extension FileConnection {
    package enum Option {
        /// Closing leaves the log as it is, instead of moving it into the file when nobody else has that open.
        case keepsLog
        /// Whatever the file holds counts as nothing (<https://www.sqlite.org/c3ref/c_dbconfig_defensive.html>).
        case forgetsContents

        fileprivate var code: Int32 {
            switch self {
            case .keepsLog: SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE
            case .forgetsContents: SQLITE_DBCONFIG_RESET_DATABASE
            }
        }
    }

    package func set(_ option: Option, _ isOn: Bool = true) throws(SQLiteError) {
        let result = larder_set_option(handle.database, option.code, isOn ? 1 : 0)
        guard result == SQLITE_OK else {
            throw SQLiteError(lastErrorOf: handle.database, result: result, .configure, sql: nil)
        }
    }

    /// The bytes of the file, without its log, read through the connection's own descriptor: closing another one would drop
    /// the locks that this process has on the file (<https://www.sqlite.org/howtocorrupt.html>, section 2.2).
    package func bytes() throws(SQLiteError) -> Data {
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        let found = sqlite3_file_control(handle.database, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
        guard found == SQLITE_OK, let file = pointer, let methods = file.pointee.pMethods else {
            throw SQLiteError(.cannotOpen, .open, "the file has no descriptor")
        }
        var size: sqlite3_int64 = 0
        let result = methods.pointee.xFileSize?(file, &size) ?? SQLITE_ERROR
        guard result == SQLITE_OK, let count = Int(exactly: size), count >= 0 else {
            throw SQLiteError(SQLiteError.Code(rawValue: result), .open, "the size of the file cannot be told")
        }
        var bytes = Data(count: count)
        var offset = 0
        while offset < count {
            let part = min(count - offset, 1 << 20)
            let result = bytes.withUnsafeMutableBytes { buffer in
                methods.pointee.xRead?(file, buffer.baseAddress.map { $0 + offset }, Int32(part), sqlite3_int64(offset))
            }
            // A file that has become shorter since reads as zeros at its end.
            guard result == SQLITE_OK || result == SQLiteError.Code.ioErrorShortRead.rawValue else {
                let code = SQLiteError.Code(rawValue: result ?? SQLITE_ERROR)
                throw SQLiteError(code, .open, "the file cannot be read")
            }
            offset += part
        }
        return bytes
    }
}

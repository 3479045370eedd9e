import CSQLite
import Foundation

extension ConnectionHandle {
    /// Opens the writer, making the file if it is missing. A file that is no database is left as it is.
    static func openWriter(_ location: Location, configuration: Configuration) throws -> ConnectionHandle {
        let handle: ConnectionHandle
        switch location {
        case .memory:
            handle = try open(":memory:", flags: SQLITE_OPEN_CREATE, configuration: configuration)
            try handle.configuringErrors(":memory:") { try handle.configureWriter() }
        case .file(let path):
            try PrivateFile.createIfMissing(path)
            handle = try open(path, flags: 0, configuration: configuration)
            // SQLite falls back to reading alone where it may not write.
            guard sqlite3_db_readonly(handle.database, "main") == 0 else {
                throw SQLiteError(.readOnly, .open, "the file cannot be written (\(path))")
            }
            try handle.configuringErrors(path) {
                if let look = configuration.beforeSetup { try handle.lend(look) }
                try handle.enterWAL()
                try handle.configureWriter()
            }
        }
        if let onOpen = configuration.onOpen { try handle.lend(onOpen) }
        return handle
    }

    /// Opens a connection that cannot write, on a file the writer has set up.
    static func openReader(path: String, configuration: Configuration) throws -> ConnectionHandle {
        let handle = try open(path, flags: 0, configuration: configuration)
        try handle.configuringErrors(path) {
            try handle.executeScript(handle.commonPragmas + "PRAGMA query_only = 1")
        }
        if let onOpen = configuration.onOpen { try handle.lend(onOpen) }
        return handle
    }

    /// Opens a connection that runs nothing, and has the file's WAL-index in memory since it has read the file once.
    static func openWatcher(path: String, configuration: Configuration) throws -> ConnectionHandle {
        let handle = try open(path, flags: 0, configuration: configuration)
        try handle.executeScript("PRAGMA mmap_size = 0; PRAGMA query_only = 1; PRAGMA user_version")
        return handle
    }

    private static func open(
        _ path: String, flags: Int32, configuration: Configuration
    ) throws(SQLiteError) -> ConnectionHandle {
        var database: OpaquePointer?
        let flags = flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let result = sqlite3_open_v2(path, &database, flags, configuration.vfs)
        guard result == SQLITE_OK, let database else {
            let error = SQLiteError(lastErrorOf: database, result: result, .open, sql: nil)
            let cause = sqlite3_system_errno(database)
            sqlite3_close_v2(database)
            throw error.during(.open, cause == 0 ? path : "\(path): \(PrivateFile.text(ofErrno: cause))")
        }
        return ConnectionHandle(database, configuration: configuration)
    }
}

// MARK: - Settings

extension ConnectionHandle {
    /// SQLite opens files lazily: that a file is damaged or no database shows at the first pragma.
    private func configuringErrors(_ path: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as SQLiteError {
            throw error.during(.open, path)
        }
    }

    /// Pages are checked before use and functions in the schema are not trusted, as for any file that may come damaged
    /// or tampered with (<https://www.sqlite.org/security.html>). Files are not mapped: an I/O error would be a signal.
    private var commonPragmas: String {
        """
        PRAGMA cache_size = \(-configuration.cacheSize);
        PRAGMA mmap_size = 0;
        PRAGMA cell_size_check = 1;
        PRAGMA trusted_schema = 0;

        """
    }

    private func configureWriter() throws(SQLiteError) {
        try executeScript(
            commonPragmas + """
                PRAGMA page_size = \(configuration.pageSize);
                PRAGMA synchronous = \(configuration.synchronous.rawValue);
                PRAGMA foreign_keys = \(configuration.enforcesForeignKeys ? 1 : 0);
                PRAGMA journal_size_limit = \(configuration.logLimit.soft);
                """)
        observeLog()
    }

    /// Puts the file in WAL mode, which is stored in it. The page size and the way of vacuuming come before: they are fixed by
    /// the first page.
    private func enterWAL() throws(SQLiteError) {
        try executeScript("PRAGMA page_size = \(configuration.pageSize)")
        // On a file that is there already it would change nothing, and take the write lock.
        if configuration.vacuumsIncrementally, try isEmptyFile() {
            try executeScript("PRAGMA auto_vacuum = INCREMENTAL")
        }
        // Several openers of a new file meet here, and for some of the locks SQLite does not call the busy handler.
        let end = ContinuousClock.now + configuration.busyLimit
        while true {
            do throws(SQLiteError) {
                return try setJournalMode()
            } catch let error where error.code.primary == .busy && ContinuousClock.now < end {
                sqlite3_sleep(1)
            }
        }
    }

    private func isEmptyFile() throws(SQLiteError) -> Bool {
        let prepared = try take("PRAGMA page_count")
        defer { giveBack(prepared) }
        let statement = Statement(prepared.pointer, on: self)
        return try statement.step() ? try statement.row.int(0) == 0 : true
    }

    private func setJournalMode() throws(SQLiteError) {
        let sql = "PRAGMA journal_mode = WAL"
        let prepared = try take(sql)
        defer { giveBack(prepared) }
        let statement = Statement(prepared.pointer, on: self)
        let mode = try statement.step() ? try statement.row.text(0) : ""
        guard mode == "wal" else {
            throw SQLiteError(.error, .configure, "the file stays in journal mode \(mode), WAL is needed", sql: sql)
        }
    }
}

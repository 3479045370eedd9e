import LarderSQLite

/// Makes the tables of a new cache file, brings an older one up to date, and refuses a file that is not a larder's or is too
/// new to be understood.
enum SchemaSetup {
    ///
    /// - Returns: Whether the file was new.
    @discardableResult
    static func run(on database: Database, path: String?) throws(StorageError) -> Bool {
        try storing {
            guard try database.withReader({ db in try check(db, path: path) }) != .ready else { return false }
            return try database.writeSync { db in
                // Another process may have been first.
                let state = try check(db, path: path)
                switch state {
                case .ready:
                    return false
                case .empty:
                    try db.executeScript(Schema.script)
                    try db.executeScript("PRAGMA application_id = \(Schema.applicationID)")
                case .older(let version):
                    for version in version..<Schema.version {
                        if let script = Schema.upgrades[version] { try db.executeScript(script) }
                    }
                }
                try db.executeScript("PRAGMA user_version = \(Schema.version)")
                return state == .empty
            }
        }
    }

    enum State: Equatable {
        case empty
        case ready
        /// A file of this earlier version.
        case older(Int32)
    }

    /// Looks at the file in one snapshot: between two looks another process may make the tables.
    static func check(_ db: borrowing Connection, path: String?) throws -> State {
        try db.savepoint { db in try look(at: db, path: path) }
    }

    private static func look(at db: borrowing Connection, path: String?) throws -> State {
        let application = try db.first("PRAGMA application_id") { try $0.int64(0) } ?? 0
        let version = try db.first("PRAGMA user_version") { try $0.int64(0) } ?? 0
        if application == Int64(Schema.applicationID) {
            guard version <= Int64(Schema.version) else {
                throw StorageError(
                    .newerFormat, "the cache in \(path ?? "memory") was written by a newer version (format \(version))",
                    nextStep: "Update this program, or give it another folder.")
            }
            // A larder's own file never bears a version below 1.
            return version < Int64(Schema.version) ? .older(Int32(max(1, version))) : .ready
        }
        let tables = try db.first("SELECT count(*) FROM sqlite_master") { try $0.int64(0) } ?? 0
        guard application == 0, version == 0, tables == 0 else {
            throw StorageError(
                .notALarder, "the file cache.sqlite in \(path ?? "memory") is another program's database",
                nextStep: "Nothing was changed. Give the cache a folder of its own.")
        }
        return .empty
    }
}

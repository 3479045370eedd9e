import LarderSQLite

extension Larder {
    /// How often each partition was signed out of; those that never were are not there.
    package func signOuts() throws(StorageError) -> [String: Int] {
        try storing {
            let rows = try core.database.withReader { db in
                try db.query("SELECT name, generation FROM larder_partition WHERE name <> x''") { row in
                    (try row.text(0), try row.int(1))
                }
            }
            return Dictionary(rows) { $0 + $1 }
        }
    }
}

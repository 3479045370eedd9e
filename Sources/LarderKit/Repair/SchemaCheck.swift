import LarderSQLite

/// Whether the tables and indexes of the cache file are those of its version.
enum SchemaCheck {
    static func run(_ shapes: [TableShape], in db: borrowing Connection) throws -> [VerificationReport.Finding] {
        var findings: [VerificationReport.Finding] = []
        for shape in shapes {
            let columns = try db.query("SELECT name FROM pragma_table_info(\(shape.name)) ORDER BY cid") {
                try $0.text(0)
            }
            if columns != shape.columns {
                findings.append(.init(.structure, "the columns of the table are not those it has", table: shape.name))
            }
        }
        let present = Set(try indexes(in: db))
        let expected = try Database(.memory).writeSync { db in
            try db.executeScript(Schema.script)
            return try indexes(in: db)
        }
        for index in expected where !present.contains(index) {
            findings.append(.init(.structure, "the index \(index) is missing"))
        }
        return findings
    }

    /// Names and columns: one of other columns is another one.
    private static func indexes(in db: borrowing Connection) throws -> [String] {
        let sql: SQL = """
            SELECT il.name || ' on ' || (SELECT group_concat(coalesce(name, ''), ' ') FROM pragma_index_info(il.name))
            FROM sqlite_master AS m, pragma_index_list(m.name) AS il WHERE m.type = 'table' AND m.name GLOB 'larder_*'
            """
        return try db.query(sql) { try $0.text(0) }
    }
}

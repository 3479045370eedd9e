import Foundation
import LarderSQLite

/// How the rows of one table of the cache file are made, by the schema itself.
struct TableShape: Sendable {
    let name: String
    let columns: [String]
    /// What a column has that is missing in a row, since it was added to the table later.
    private let defaults: [SQLValue]
    /// The columns in the order of a record: the key's come first in a table without row ids.
    private let recordOrder: [Int]
    /// The column that is the row's number.
    let rowIDColumn: Int?
    let hasRowIDs: Bool
    /// The columns of the primary key of a table without row ids.
    let keyColumns: [Int]
    let proof: RowProof?

    /// The values in the order of ``columns``, of a row that was read from its page; `nil` when there are too many.
    func values(of row: SalvagedRow) -> [SQLValue]? {
        guard row.values.count <= columns.count, hasRowIDs == (row.rowID != nil) else { return nil }
        var values = defaults
        for (place, value) in row.values.enumerated() { values[recordOrder[place]] = value }
        if let rowIDColumn, let rowID = row.rowID { values[rowIDColumn] = .integer(rowID) }
        return values
    }

    func index(of column: String) -> Int? { columns.firstIndex(of: column) }
}

extension TableShape {
    /// The tables of the schema of this version.
    static func all() throws -> [TableShape] {
        try Database(.memory).writeSync { db in
            try db.executeScript(Schema.script)
            return try db.query(
                "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name GLOB 'larder_*' ORDER BY name"
            ) { row in (try row.text(0), try row.text(1)) }.map { name, sql in try TableShape(name, sql, in: db) }
        }
    }

    private init(_ name: String, _ sql: String, in db: borrowing Connection) throws {
        let facts = try db.query("SELECT name, type, pk, dflt_value FROM pragma_table_info(\(name)) ORDER BY cid") {
            row in
            (name: try row.text(0), type: try row.text(1), key: try row.int(2), fallback: try row.optionalText(3))
        }
        self.name = name
        columns = facts.map(\.name)
        defaults = facts.map { $0.fallback.flatMap { Int64($0) }.map { .integer($0) } ?? .null }
        hasRowIDs = !sql.hasSuffix("WITHOUT ROWID")
        let keys = facts.indices.filter { facts[$0].key > 0 }.sorted { facts[$0].key < facts[$1].key }
        let isNumbered = hasRowIDs && keys.count == 1 && facts[keys[0]].type == "INTEGER"
        rowIDColumn = isNumbered ? keys[0] : nil
        keyColumns = hasRowIDs ? [] : keys
        recordOrder = hasRowIDs ? Array(facts.indices) : keys + facts.indices.filter { facts[$0].key == 0 }
        proof = RowProof(table: name, columns: columns)
    }
}

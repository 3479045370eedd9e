/// One table, index, view or trigger of a database.
package struct SchemaRow: Sendable, Hashable {
    package let type: String
    package let name: String
    /// The table it belongs to.
    package let table: String
    /// 0 where there is none.
    package let rootPage: UInt32
    /// `nil` for an index that SQLite made by itself.
    package let sql: String?

    init?(_ row: SalvagedRow) {
        guard row.values.count == 5, case .text(let type) = row.values[0], case .text(let name) = row.values[1],
            case .text(let table) = row.values[2], case .integer(let root) = row.values[3],
            let rootPage = UInt32(exactly: root)
        else { return nil }
        self.type = type
        self.name = name
        self.table = table
        self.rootPage = rootPage
        if case .text(let sql) = row.values[4] { self.sql = sql } else { sql = nil }
    }
}

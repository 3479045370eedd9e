/// Reads each header of a table and compares the links found with those expected.
struct LinkTableRun {
    private let table: LinkTable

    init(_ table: LinkTable) {
        self.table = table
    }

    func run() throws(CaseFailure) {
        throw CaseFailure("links are not supported yet: \(table.rows.count) rows")
    }
}

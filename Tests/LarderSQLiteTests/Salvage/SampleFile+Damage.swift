import Foundation
import LarderSQLite

@testable import LarderSQLite

extension SampleFile {
    func image() -> DatabaseImage? { DatabaseImage(file: file, log: log) }

    /// The rows of `item` as the image reads them, its own row ids put in their place.
    static func items(_ image: DatabaseImage) -> (rows: [Int64: [SQLValue]], verdict: TreeVerdict) {
        var rows: [Int64: [SQLValue]] = [:]
        let root = image.schema.first { $0.name == "item" }?.rootPage ?? 0
        let verdict = image.rows(ofTableRootedAt: root) { row in add(row, to: &rows) }
        return (rows, verdict)
    }

    static func add(_ row: SalvagedRow, to rows: inout [Int64: [SQLValue]]) {
        guard let id = row.rowID, row.values.count == 5 else { return }
        var values = row.values
        values[0] = .integer(id)
        if case .integer(let number) = values[4] { values[4] = .real(Double(number)) }
        rows[id] = values
    }

    mutating func overwrite(page: Int, size: Int, with byte: (Int) -> UInt8) {
        for offset in 0..<size { file[(page - 1) * size + offset] = byte(offset) }
    }
}

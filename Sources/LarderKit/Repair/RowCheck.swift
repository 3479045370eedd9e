import Foundation
import LarderSQLite

/// Holds every row of a table against its checksum.
struct RowCheck {
    let shape: TableShape
    let progress: RepairProgress

    func run(
        in db: borrowing Connection, _ report: inout VerificationReport, _ blobs: inout [BlobCheck.Expectation]
    ) throws {
        try Self.forEachRow(of: shape, in: db) { _, values in
            try progress.check()
            report.rows += 1
            guard let proof = shape.proof else { return }
            guard proof.isSound(values) else {
                return report.add(finding(values, "the row does not fit its checksum"))
            }
            if let expectation = BlobCheck.Expectation(values, shape) { blobs.append(expectation) }
        }
    }

    /// The rows of a table as they lie there, whatever its indexes say, each with its number if it has one.
    static func forEachRow(
        of shape: TableShape, in db: borrowing Connection, _ body: (Int64?, [SQLValue]) throws -> Void
    ) throws {
        let number = shape.hasRowIDs ? "rowid, " : ""
        let sql = "SELECT \(number)\(shape.columns.joined(separator: ", ")) FROM \(shape.name) NOT INDEXED"
        try db.withStatement(sql) { statement in
            let first: Int32 = shape.hasRowIDs ? 1 : 0
            while try statement.step() {
                var values: [SQLValue] = []
                for column in shape.columns.indices { values.append(try statement.row.value(first + Int32(column))) }
                try body(shape.hasRowIDs ? try statement.row.int64(0) : nil, values)
            }
        }
    }

    private func finding(_ values: [SQLValue], _ explanation: String) -> VerificationReport.Finding {
        func text(_ column: String) -> String? {
            guard let index = shape.index(of: column), case .text(let text) = values[index] else { return nil }
            return text
        }
        return .init(
            .row, explanation, table: shape.name, partition: text("partition"), key: text("key"), feed: text("name"))
    }

    /// Rows that name what is not there.
    static func findStrays(in db: borrowing Connection, _ report: inout VerificationReport) throws {
        for stray in strays {
            let sql = SQL(raw: "SELECT count(*) FROM \(stray.table) WHERE \(stray.condition)")
            let count = try db.first(sql) { try $0.int(0) } ?? 0
            if count > 0 { report.add(.init(.row, "\(count) rows name \(stray.what)", table: stray.table)) }
        }
    }

    static let strays: [(table: String, condition: String, what: String)] =
        ["larder_entry", "larder_feed_item"].map {
            ($0, "codec NOT IN (SELECT id FROM larder_codec)", "a codec that is not listed")
        }
        + ["larder_feed_item", "larder_segment", "larder_edge", "larder_envelope"].map {
            ($0, "feed NOT IN (SELECT id FROM larder_feed)", "a feed that is not there")
        }
}

import Foundation
import LarderKit

/// Reads each header of a table and compares the links found with those expected.
struct LinkTableRun {
    private let table: LinkTable
    private static let requestURL = "https://api.example.test/"

    init(_ table: LinkTable) {
        self.table = table
    }

    /// - Throws: ``CaseFailure`` at the first link that is not as expected.
    func run() throws(CaseFailure) {
        for (index, row) in table.rows.enumerated() {
            let header = HeaderFields(row.fields.map { HeaderFields.Field(name: "Link", value: $0) })
            let base = URL(string: row.requestURL ?? Self.requestURL)
            for (relation, wanted) in row.targets.sorted(by: { $0.key < $1.key }) {
                let got = LinkHeader.target(of: relation, in: header).map { Self.absolute($0, base) }
                guard got != wanted else { continue }
                throw CaseFailure("links[\(index)]: \(relation): expected \(wanted.shown), got \(got.shown)")
            }
        }
    }

    /// A whole URL as it was served, another as the library resolves it.
    private static func absolute(_ target: String, _ base: URL?) -> String {
        guard URL(string: target)?.scheme == nil, let base else { return target }
        do {
            return try ContinuationLink.resolve(target, against: base).absoluteString
        } catch {
            return "\(target), refused: \(error)"
        }
    }
}

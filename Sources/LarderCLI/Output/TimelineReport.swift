import Foundation
import LarderKit

/// All that is stored of a list, with a row for each gap, told to a person or as one JSON object.
struct TimelineReport {
    var rows: [TimelineRow<Data>] = []
    let report: Report
    let isJSON: Bool

    func write() throws(StreamFailure) -> ExitCode {
        if isJSON {
            try StandardStream.output.write(object.bytes + Data("\n".utf8))
            try report.writeTrouble()
            return report.exitCode
        }
        for line in lines(Terminal.output) { try StandardStream.output.line(line) }
        if let facts = report.facts {
            let count = rows.count - gapCount
            let gaps = gapCount == 0 ? "" : " and \(Units.count(gapCount, "gap"))"
            let summary = "\(Units.count(count, "item"))\(gaps) \(facts.sentence)"
            try StandardStream.error.line(Terminal.error.styled(summary, .dim))
        }
        try report.writeRemarks()
        return report.exitCode
    }

    private var gapCount: Int {
        rows.count { if case .gap = $0 { true } else { false } }
    }

    func lines(_ terminal: Terminal) -> [String] {
        let items: [(id: ItemID, item: Data)] = rows.compactMap { row in
            switch row {
            case .item(let id, let item): (id, item)
            case .undecodable(let id): (id, Data("(cannot be read)".utf8))
            case .vanished(let id): (id, Data("(gone since)".utf8))
            case .gap: nil
            }
        }
        var lines = ItemLine.lines(for: items, width: terminal.width)[...]
        var gaps = 0
        return rows.compactMap { row in
            guard case .gap = row else { return lines.popFirst() }
            gaps += 1
            return terminal.styled("··· gap \(gaps): what lies here is not known ···", .yellow)
        }
    }

    private var object: JSONText {
        var gaps = 0
        let rows = rows.map { row -> JSONText in
            switch row {
            case .item(let id, let item):
                return .object([("id", .string(id.rawValue)), ("item", .verbatim(item))])
            case .undecodable(let id), .vanished(let id):
                return .object([("id", .string(id.rawValue)), ("item", .null)])
            case .gap(let gap):
                gaps += 1
                return .object([("gap", GapList.json(gap, number: gaps))])
            }
        }
        return .object([(name: "rows", value: JSONText.array(rows))] + report.members)
    }
}

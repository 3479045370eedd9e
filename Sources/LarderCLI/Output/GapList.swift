import Foundation
import LarderKit

/// The gaps of a list with their numbers, told to a person or as one JSON object.
struct GapList {
    /// The newest first.
    let gaps: [Gap]
    let trouble: Trouble?
    let isJSON: Bool

    func write() throws(StreamFailure) -> ExitCode {
        let report = Report(command: "feed", origin: "", facts: nil, notes: [], trouble: trouble)
        if isJSON {
            try StandardStream.output.write(object.bytes + Data("\n".utf8))
            try report.writeTrouble()
            return report.exitCode
        }
        for (index, gap) in gaps.enumerated() {
            let ends = [gap.above, gap.below].map { Printable.line($0.rawValue) }
            try StandardStream.output.line("\(index + 1)  between \(ends[0]) and \(ends[1])")
        }
        if trouble == nil {
            let advice =
                gaps.isEmpty ? "No gap." : "'fill N' asks for what lies in one, 'fill N --all' until it is closed."
            try StandardStream.error.line(Terminal.error.styled(advice, .dim))
        }
        try report.writeRemarks()
        return report.exitCode
    }

    private var object: JSONText {
        let rows = gaps.enumerated().map { index, gap in Self.json(gap, number: index + 1) }
        let error = trouble.json { .object([("kind", .string($0.kind)), ("message", .string($0.message))]) }
        return .object([("gaps", .array(rows)), ("error", error)])
    }

    static func json(_ gap: Gap) -> JSONText { .object(members(gap)) }

    static func json(_ gap: Gap, number: Int) -> JSONText {
        .object([("number", .number(number))] + members(gap))
    }

    private static func members(_ gap: Gap) -> [(name: String, value: JSONText)] {
        [("above", .string(gap.above.rawValue)), ("below", .string(gap.below.rawValue))]
    }
}

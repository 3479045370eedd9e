import Foundation
import LarderKit

/// A page of a feed, told to a person or as one JSON object.
struct FeedReport {
    let page: FeedPage<Data>?
    let report: Report
    let position: FeedPosition
    let isJSON: Bool

    func write() throws(StreamClosed) -> ExitCode {
        if isJSON {
            try StandardStream.output.write(object.bytes + Data("\n".utf8))
            try report.writeTrouble()
            return report.exitCode
        }
        if let page, let facts = report.facts {
            for line in ItemLine.lines(for: page, width: Terminal.output.width) {
                try StandardStream.output.line(line)
            }
            let summary = "\(Units.count(page.entries.count, "item")) \(facts.sentence)"
            try StandardStream.output.line(Terminal.output.styled(summary, .dim))
            if let end = end(of: page) { try StandardStream.output.line(Terminal.output.styled(end, .dim)) }
        }
        try report.writeRemarks()
        return report.exitCode
    }

    /// Where the page ends, and how to go on.
    private func end(of page: FeedPage<Data>) -> String? {
        let oldest = page.oldest.map { Printable.line($0.rawValue) }
        let newest = page.newest.map { Printable.line($0.rawValue) }
        switch position {
        case .newest, .older:
            if page.isAtEnd { return "The list ends here." }
            guard let oldest else { return "Whether the list ends here is not known." }
            return page.isComplete
                ? "Older ones: older \(oldest)" : "Not all that was asked for. Go on with: older \(oldest)"
        case .newer:
            if page.isAtEnd { return "Nothing newer is known." }
            guard let newest else { return "Whether there are newer ones is not known." }
            return page.isComplete
                ? "Newer ones: newer \(newest)" : "Not all that was asked for. Go on with: newer \(newest)"
        }
    }

    private var object: JSONText {
        let entries = page?.entries ?? []
        let items = [
            (name: "items", value: JSONText.array(entries.map { .verbatim($0.item) })),
            (name: "ids", value: JSONText.array(entries.map { .string($0.id.rawValue) })),
        ]
        return .object(items + report.members + [("atEnd", (page?.isAtEnd).json(JSONText.bool))])
    }
}

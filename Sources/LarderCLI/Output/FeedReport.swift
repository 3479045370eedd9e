import Foundation
import LarderKit

/// A page of a feed, told to a person or as one JSON object.
struct FeedReport {
    let page: FeedPage<Data>?
    let report: Report
    let position: FeedPosition
    let isJSON: Bool
    /// Whether what stood around the items belongs to the object.
    let showsEnvelopes: Bool
    /// What else belongs to the object.
    var extra: [(name: String, value: JSONText)] = []

    func write() throws(StreamFailure) -> ExitCode {
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
            try StandardStream.error.line(Terminal.error.styled(summary, .dim))
            try StandardStream.error.line(Terminal.error.styled(end(of: page), .dim))
        }
        try report.writeRemarks()
        return report.exitCode
    }

    /// Where the page ends, and how to go on.
    private func end(of page: FeedPage<Data>) -> String {
        switch position {
        case .newest, .older:
            if page.isAtEnd { return "The list ends here." }
            guard let oldest = page.oldest else { return "Whether the list ends here is not known." }
            return onward(page.isComplete ? "Older ones" : Self.incomplete, "older", oldest)
        case .newer:
            if page.isAtEnd { return "Nothing newer is known." }
            guard let newest = page.newest else { return "Whether there are newer ones is not known." }
            return onward(page.isComplete ? "Newer ones" : Self.incomplete, "newer", newest)
        }
    }

    private static let incomplete = "Not all that was asked for. Go on with"

    private func onward(_ subject: String, _ word: String, _ id: ItemID) -> String {
        guard let words = ShellWord.position(word, id.rawValue) else {
            return "\(subject): \(word) and an ID that cannot be typed; --json tells it"
        }
        return "\(subject): \(words)"
    }

    private var object: JSONText {
        let entries = page?.entries ?? []
        let items = [
            (name: "items", value: JSONText.array(entries.map { .verbatim($0.item) })),
            (name: "ids", value: JSONText.array(entries.map { .string($0.id.rawValue) })),
        ]
        let envelopes = JSONText.array((page?.envelopes ?? []).map(JSONText.verbatim))
        return .object(
            items + report.members + [("atEnd", (page?.isAtEnd).json(JSONText.bool))]
                + (showsEnvelopes ? [("envelopes", envelopes)] : []) + extra)
    }
}

import Foundation
import LarderKit

/// What an operation has changed in a list and where it ended, told to a person or as one JSON object.
struct FeedChangeReport {
    let operation: String
    var tally = FeedTally()
    /// The new items to show.
    var items: [(id: ItemID, item: Data)] = []
    var notes: [Note] = []
    var requests = 0
    /// What is stored now.
    var stored: FeedSummary?
    var end: FeedWalk.End
    var trouble: Trouble?
    let isJSON: Bool

    init(_ operation: String, trouble: Trouble? = nil, isJSON: Bool) {
        self.operation = operation
        self.trouble = trouble
        self.isJSON = isJSON
        end = .done
    }

    func write() throws(StreamFailure) -> ExitCode {
        let report = Report(command: "feed", origin: "", facts: nil, notes: notes, trouble: trouble)
        if isJSON {
            try StandardStream.output.write(object(report).bytes + Data("\n".utf8))
            try report.writeTrouble()
            return exitCode
        }
        for line in ItemLine.lines(for: items, width: Terminal.output.width) { try StandardStream.output.line(line) }
        for sentence in [changes, state].compactMap(\.self) {
            try StandardStream.error.line(Terminal.error.styled(sentence, .dim))
        }
        try report.writeRemarks()
        return exitCode
    }

    private var exitCode: ExitCode {
        if let trouble { return trouble.exitCode }
        if case .interrupted(let signal) = end { return .signal(signal) }
        return .success
    }

    private var changes: String? {
        guard trouble == nil || requests > 0 else { return nil }
        var parts = ["\(tally.inserted.count) new"]
        if !tally.updated.isEmpty { parts.append("\(tally.updated.count) changed") }
        if !tally.removed.isEmpty { parts.append("\(tally.removed.count) gone") }
        return parts.joined(separator: ", ") + "; \(Units.count(requests, "request"))"
    }

    /// Where the list stands, and how to go on.
    private var state: String? {
        guard let stored else { return nil }
        let kept = "\(Units.count(stored.items, "item")) stored"
        let gaps = stored.gaps.count
        let left = gaps == 0 ? "no gap" : Units.count(gaps, "gap")
        let floor = stored.isFloorProven ? "the list's end is known" : "older ones may follow"
        let facts = "\(kept), \(left), \(floor)."
        switch end {
        case .done where gaps == 0 && stored.isFloorProven: return facts
        case .done where operation == "all": return facts
        case .done where operation == "refresh" && tally.remaining != nil:
            return "\(facts) A gap is left below these: 'fill' asks for what lies in it."
        case .done: return "\(facts) \(onward(gaps))"
        case .requestLimit:
            return "\(facts) Stopped after \(Units.count(requests, "request")), as --max-requests has it: "
                + "the same command goes on from here."
        case .interrupted: return "\(facts) Stopped: the same command goes on from here."
        case .failed, .stalled, .nothingNew: return facts
        }
    }

    private func onward(_ gaps: Int) -> String {
        switch operation {
        case "fill": gaps > 0 ? "'fill' goes on." : "'older' asks for them."
        default: gaps > 0 ? "'gaps' lists them." : "'older' asks for more, and 'all' for everything."
        }
    }

    private func object(_ report: Report) -> JSONText {
        let shared = Dictionary(report.members.map { ($0.name, $0.value) }) { first, _ in first }
        return .object([
            ("operation", .string(operation)),
            ("inserted", Self.ids(tally.inserted)),
            ("updated", Self.ids(tally.updated)),
            ("removed", Self.ids(tally.removed)),
            ("moved", Self.ids(tally.moved)),
            ("remaining", tally.remaining.json(GapList.json)),
            ("requests", .number(requests)),
            ("items", .number(stored?.items ?? 0)),
            ("gaps", .number(stored?.gaps.count ?? 0)),
            ("atEnd", .bool(stored?.isFloorProven ?? false)),
            ("ended", .string(ended)),
            ("retryAfter", retryAfter.json(JSONText.seconds)),
            ("error", shared["error"] ?? .null),
            ("warnings", shared["warnings"] ?? .array([])),
        ])
    }

    /// For how long the server wants to be left alone, if it said so.
    private var retryAfter: Duration? {
        guard case .failed(.fetch(let failure)) = end else { return nil }
        return failure.retryAfter
    }

    private var ended: String {
        switch end {
        case .done: trouble == nil || requests > 0 ? "done" : "failed"
        case .requestLimit: "maxRequests"
        case .nothingNew: "nothingNew"
        case .stalled: "stalled"
        case .interrupted: "interrupted"
        case .failed: "failed"
        }
    }

    static func ids(_ ids: [ItemID]) -> JSONText { .array(ids.map { .string($0.rawValue) }) }
}

import Foundation

/// What a run of `warm` has done.
struct WarmReport: Sendable {
    enum End: Sendable, Hashable {
        case done
        /// As many bytes as were allowed.
        case budget
        case interrupted(Int32)
        case failed(Trouble)
    }

    var results: [WarmResult] = []
    var end: End

    private func count(_ outcome: WarmResult.Outcome) -> Int { results.count { $0.outcome == outcome } }

    var exitCode: ExitCode {
        switch end {
        case .failed(let trouble): trouble.exitCode
        case .interrupted(let number): .signal(number)
        case .done, .budget: results.contains { $0.outcome.isTrouble } ? .failure : .success
        }
    }

    func write(isJSON: Bool) throws(StreamFailure) -> ExitCode {
        if case .failed(let trouble) = end {
            if isJSON { try StandardStream.output.write(json.bytes + Data("\n".utf8)) }
            try StandardStream.error.line(Terminal.error.styled("larder warm: \(trouble.message)", .red))
            return exitCode
        }
        if isJSON {
            try StandardStream.output.write(json.bytes + Data("\n".utf8))
        } else {
            try StandardStream.output.line(sentence)
        }
        for line in remarks { try StandardStream.error.line(Terminal.error.styled("larder warm: \(line)", .yellow)) }
        return exitCode
    }

    /// `Fetched 12 (3.4 MB), 3 already fresh, 1 failed; 4 left.`
    var sentence: String {
        let bytes = results.reduce(0) { $0 + $1.bytes }
        var words = ["Fetched \(count(.fetched))" + (bytes > 0 ? " (\(Units.size(bytes)))" : "")]
        let others: [(WarmResult.Outcome, String)] = [
            (.fresh, "already fresh"), (.revalidated, "unchanged at the origin"), (.failed, "failed"),
            (.notStored, "not stored"),
        ]
        words += others.compactMap { outcome, name in count(outcome) > 0 ? "\(count(outcome)) \(name)" : nil }
        let pinned = results.count { $0.isPinned }
        if pinned > 0 { words.append("\(pinned) pinned") }
        return words.joined(separator: ", ") + "."
    }

    /// What needs attention, a line each.
    var remarks: [String] {
        var lines = results.filter { $0.outcome.isTrouble || $0.outcome == .left && $0.reason != nil }.map { result in
            let url = Printable.line(Endpoint.shown(result.url))
            let word =
                switch result.outcome {
                case .notStored: "not stored"
                case .left: "left"
                default: "failed"
                }
            return "\(url): \(word): \(Printable.line(result.reason ?? "unknown"))"
        }
        let varying = results.filter { !$0.vary.isEmpty && !$0.outcome.isTrouble }
        if !varying.isEmpty {
            let names = Set(varying.flatMap(\.vary)).sorted().map { Printable.line($0) }.joined(separator: ", ")
            lines.append(
                "note: \(varying.count) of them vary by \(names): they are for requests with the same fields as these, which "
                    + "--header gives, or --no-vary makes no matter")
        }
        let left = count(.left)
        guard left > 0 else { return lines }
        let why = if case .interrupted = end { "interrupted" } else { "the budget of this run is spent" }
        lines.append("\(why): \(Units.count(left, "URL")) left; the same command goes on")
        return lines
    }

    var json: JSONText {
        let counts = WarmResult.Outcome.allCases.map { (name: $0.rawValue, value: JSONText.number(count($0))) }
        let (word, trouble): (String, Trouble?) =
            switch end {
            case .done: ("done", nil)
            case .budget: ("budget", nil)
            case .interrupted: ("interrupted", nil)
            case .failed(let trouble): ("failed", trouble)
            }
        return .object(
            counts + [
                ("bytes", .number(results.reduce(0) { $0 + $1.bytes })),
                ("pinned", .number(results.count { $0.isPinned })),
                ("urls", .array(results.map(Self.json))),
                ("ended", .string(word)),
                (
                    "error",
                    trouble.json { .object([("kind", .string($0.kind)), ("message", .string($0.message))]) }
                ),
            ])
    }

    private static func json(_ result: WarmResult) -> JSONText {
        .object([
            ("url", .string(Endpoint.shown(result.url))),
            ("outcome", .string(result.outcome.rawValue)),
            ("status", result.status.json(JSONText.number)),
            ("bytes", .number(result.bytes)),
            ("reason", result.reason.json(JSONText.string)),
        ])
    }
}

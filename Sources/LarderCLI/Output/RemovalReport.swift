import Foundation
import LarderKit

/// What was removed, and what was not there.
struct RemovalReport: Sendable {
    let folder: URL
    var removal = Removal()
    /// HTTP answers, whose bytes are counted with the rest.
    var answers = 0
    var troubles: [Trouble] = []

    var isEmpty: Bool { removal.isEmpty && answers == 0 }

    func write(isJSON: Bool) throws(StreamFailure) -> ExitCode {
        if isJSON {
            try StandardStream.output.write(json.bytes + Data("\n".utf8))
        } else if !isEmpty || troubles.isEmpty {
            try StandardStream.output.line(sentence)
        }
        return try troubles.write("rm")
    }

    var sentence: String {
        guard !isEmpty else { return "nothing was stored" }
        let lists = "\(Units.count(removal.feeds, "list")) of \(Units.count(removal.items, "item"))"
        let parts = [
            removal.values > 0 ? Units.count(removal.values, "document") : nil, removal.feeds > 0 ? lists : nil,
            answers > 0 ? Units.count(answers, "HTTP answer") : nil,
        ].compactMap { $0 }
        return "removed \(parts.joined(separator: " and ")), \(Units.size(removal.bytes))"
    }

    var json: JSONText {
        .object([
            ("folder", .string(folder.path)),
            ("resources", .number(removal.values)),
            ("httpAnswers", .number(answers)),
            ("feeds", .number(removal.feeds)),
            ("items", .number(removal.items)),
            ("size", .number(removal.bytes)),
            ("errors", troubles.json),
        ])
    }
}

import Foundation
import LarderKit

/// What was removed, and what was not there.
struct RemovalReport: Sendable {
    let folder: URL
    var removal = Removal()
    var troubles: [Trouble] = []

    func write(isJSON: Bool) throws(StreamFailure) -> ExitCode {
        if isJSON {
            try StandardStream.output.write(json.bytes + Data("\n".utf8))
        } else if !removal.isEmpty || troubles.isEmpty {
            try StandardStream.output.line(sentence)
        }
        return try troubles.write("rm")
    }

    var sentence: String {
        guard !removal.isEmpty else { return "nothing was stored" }
        let lists = "\(Units.count(removal.feeds, "list")) of \(Units.count(removal.items, "item"))"
        let parts = [
            removal.values > 0 ? Units.count(removal.values, "document") : nil, removal.feeds > 0 ? lists : nil,
        ].compactMap { $0 }
        return "removed \(parts.joined(separator: " and ")), \(Units.size(removal.bytes))"
    }

    var json: JSONText {
        .object([
            ("folder", .string(folder.path)),
            ("resources", .number(removal.values)),
            ("feeds", .number(removal.feeds)),
            ("items", .number(removal.items)),
            ("size", .number(removal.bytes)),
            ("errors", troubles.json),
        ])
    }
}

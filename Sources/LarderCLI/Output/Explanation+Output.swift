import Foundation
import LarderKit

/// An explanation as the tool tells it: the key without its secrets, and text from outside made fit for a terminal.
extension Explanation {
    /// One line a fact, in two columns.
    var lines: [String] {
        let lines = lines(isPrivate: true)
        let width = lines.map(\.label.count).max() ?? 0
        return lines.map { label, text in "  \(Printable.padded(label, to: width))  \(Printable.line(text))" }
    }

    /// The members of an object: each fact under its name.
    var members: [(name: String, value: JSONText)] {
        facts.map { ($0.name, $0.name == "key" ? .string(Endpoint.shown(key)) : $0.value.json) }
    }
}

extension Explanation.Fact.Value {
    fileprivate var json: JSONText {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .number(number)
        case .flag(let flag): .bool(flag)
        case .duration(let duration): .seconds(duration)
        case .date(let date): .timestamp(date)
        case .list(let texts): .array(texts.map(JSONText.string))
        case .none: .null
        }
    }
}

extension ReadingOptions {
    /// What a reading will do, if that is to be told; told to a person at once.
    func explanation(
        command: String, _ explain: () throws(LarderError) -> Explanation
    ) throws(StreamFailure) -> Explanation? {
        // What hinders the telling hinders the reading, which says so.
        guard isExplaining, let explanation = try? explain() else { return nil }
        if !isJSON {
            for line in ["larder \(command): before the reading:"] + explanation.lines {
                try StandardStream.error.line(Terminal.error.styled(line, .dim))
            }
        }
        return explanation
    }

    /// What an explanation adds to the object.
    func members(of explanation: Explanation?) -> [(name: String, value: JSONText)] {
        isExplaining ? [("explain", explanation.json { .object($0.members) })] : []
    }
}

import Foundation
import LarderKit

/// Where in an answer's body the items are, and the cursor. One for a whole case: that of the first scripted body that
/// is an object. The server's own pages are in it too, and a scripted array is put into it.
struct Envelope: Sendable, Hashable {
    /// `nil` where the items are the whole body.
    var items: String?
    var cursor: String

    private static let itemNames = ["items", "data", "results", "statuses", "entries", "posts"]
    private static let cursorNames = ["next_cursor", "nextCursor", "next", "cursor"]

    init(of steps: [ScriptStep], _ kind: PagingWords.Kind) {
        items = kind == .cursor ? "items" : nil
        cursor = "next_cursor"
        let objects = steps.flatMap { $0.answers.scripted }.compactMap { answer -> [String: ScriptValue]? in
            guard case .http(200, _, let body) = answer.content,
                case .object(let members) = try? ScriptValue(json: body)
            else { return nil }
            return members
        }
        let named = objects.compactMap { members in Self.itemNames.first { members[$0] != nil } }.first
        guard let named else { return }
        items = named
        cursor = Self.cursorNames.first { name in objects.contains { $0[name] != nil } } ?? cursor
    }

    func json(_ kind: PagingWords.Kind) throws(JSONPathError) -> JSONItems {
        try JSONItems(at: items.map { "$.\($0)" } ?? "$", id: "$.id")
    }

    /// A page of the server's own.
    func body(of items: [ServerScript.Item], cursor next: String?) -> Data {
        let list = "[\(items.map(\.json).joined(separator: ","))]"
        guard let name = self.items else { return Data(list.utf8) }
        let more = next.map { ",\(JSONString.quoting(cursor)):\(JSONString.quoting($0))" } ?? ""
        return Data("{\(JSONString.quoting(name)):\(list)\(more)}".utf8)
    }

    /// A scripted body, an array of items put into the envelope byte for byte.
    func wrapping(_ body: Data) -> Data {
        guard let name = items, body.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "[")
        else { return body }
        return Data("{\(JSONString.quoting(name)):".utf8) + body + Data("}".utf8)
    }
}

extension StepAnswers {
    /// The answers that the step itself gives.
    var scripted: [ScriptedAnswer] {
        switch self {
        case .ofTheServer: []
        case .always(let answer): [answer]
        case .inTurn(let answers): answers
        }
    }
}

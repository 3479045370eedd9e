import Foundation
import LarderKit

/// Where in an answer's body the items are, and the cursor. One for a whole case: that of the first scripted body that
/// is an object. The server's own pages are in it too, and a scripted array is put into it.
struct Envelope: Sendable, Hashable {
    /// `nil` where the items are the whole body.
    var items: String?
    /// `nil` where bodies hold none.
    var cursor: String?
    /// The flag that says whether more follows, in bodies that have one.
    var more: String?

    private static let itemNames = ["items", "data", "results", "statuses", "entries", "posts"]
    private static let cursorNames = ["next_cursor", "nextCursor", "next", "cursor"]
    private static let moreNames = ["has_more", "hasMore", "more"]

    init(of steps: [ScriptStep], _ kind: PagingWords.Kind) {
        items = kind == .cursor ? "items" : nil
        cursor = kind == .cursor ? "next_cursor" : nil
        let objects = steps.flatMap { $0.answers.scripted }.compactMap { answer -> [String: ScriptValue]? in
            guard case .http(200, _, let body) = answer.content,
                case .object(let members) = try? ScriptValue(json: body)
            else { return nil }
            return members
        }
        let first = { (names: [String]) in names.first { name in objects.contains { $0[name] != nil } } }
        guard let named = first(Self.itemNames) else { return }
        items = named
        if kind == .cursor || kind == .link { cursor = first(Self.cursorNames) ?? cursor }
        more = first(Self.moreNames)
    }

    func json() throws(JSONPathError) -> JSONItems {
        try JSONItems(
            at: items.map { "$.\($0)" } ?? "$", next: cursor.map { "$.\($0)" }, more: more.map { "$.\($0)" })
    }

    /// A page of the server's own.
    func body(of items: [ServerScript.Item], cursor next: String?) -> Data {
        let list = "[\(items.map(\.json).joined(separator: ","))]"
        guard let name = self.items else { return Data(list.utf8) }
        var members = ["\(JSONString.quoting(name)):\(list)"]
        if let cursor, let next { members.append("\(JSONString.quoting(cursor)):\(JSONString.quoting(next))") }
        if let more { members.append("\(JSONString.quoting(more)):\(next != nil)") }
        return Data("{\(members.joined(separator: ","))}".utf8)
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

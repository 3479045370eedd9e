import Foundation
import LarderKit

/// Where in an answer's body the items are, and the cursor. One for a whole case: that of the first scripted body that
/// is an object. The server's own pages are in it too, and a scripted array is put into it.
struct Envelope: Sendable, Hashable {
    /// `nil` where the items are the whole body.
    var items: String?
    /// The names that lead to it; `nil` where bodies hold none.
    var cursor: [String]?
    /// The flag that says whether more follows, in bodies that have one.
    var more: String?

    private static let itemNames = ["items", "data", "results", "statuses", "entries", "posts", "records", "feed"]
    private static let cursorNames = [
        "next_cursor", "nextCursor", "next", "cursor", "next_token", "nextToken", "next_page_token", "nextPageToken",
        "end_cursor", "endCursor", "after",
    ]
    /// What a cursor may stand in.
    private static let cursorPlaces: Set<String> = [
        "meta", "paging", "pagination", "page", "page_info", "pageInfo", "links", "cursors", "response_metadata",
    ]
    private static let moreNames = ["has_more", "hasMore", "more"]

    init(of steps: [ScriptStep], _ kind: PagingWords.Kind) {
        items = kind == .cursor ? "items" : nil
        cursor = kind == .cursor ? ["next_cursor"] : nil
        let objects = steps.flatMap { $0.answers.scripted }.compactMap { answer -> [String: ScriptValue]? in
            guard case .http(200, _, let body) = answer.content,
                case .object(let members) = try? ScriptValue(json: body)
            else { return nil }
            return members
        }
        let first = { (names: [String]) in names.first { name in objects.contains { $0[name] != nil } } }
        guard let named = first(Self.itemNames) else { return }
        items = named
        if kind == .cursor || kind == .link {
            cursor = objects.lazy.compactMap { Self.cursor(in: $0, besides: named) }.first ?? cursor
        }
        more = first(Self.moreNames)
    }

    /// The names that lead to a cursor: at the top, or in one of the places for it.
    private static func cursor(in members: [String: ScriptValue], besides items: String? = nil) -> [String]? {
        let isCursor = { (name: String) in
            switch members[name] {
            case .text, .number, .null: true
            default: false
            }
        }
        if let name = cursorNames.first(where: isCursor) { return [name] }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) where name != items && cursorPlaces.contains(name)
        {
            guard case .object(let inner) = value, let path = cursor(in: inner) else { continue }
            return [name] + path
        }
        return nil
    }

    /// The items of a scripted body, as far as it can be read.
    func items(of answer: ScriptedAnswer) -> [ScriptValue] {
        guard case .http(_, _, let body) = answer.content, let value = try? ScriptValue(json: body) else { return [] }
        switch value {
        case .list(let items): return items
        case .object(let members):
            guard let name = items, case .list(let items) = members[name] else { return [] }
            return items
        default: return []
        }
    }

    func json() throws(JSONPathError) -> JSONItems {
        try JSONItems(
            at: items.map { "$.\($0)" } ?? "$", next: cursor.map { "$." + $0.joined(separator: ".") },
            more: more.map { "$.\($0)" })
    }

    /// A page of the server's own.
    func body(of items: [ServerScript.Item], cursor next: String?) -> Data {
        let list = "[\(items.map(\.json).joined(separator: ","))]"
        guard let name = self.items else { return Data(list.utf8) }
        var members = ["\(JSONString.quoting(name)):\(list)"]
        if let cursor, let outermost = cursor.first, let next {
            let value = cursor.dropFirst().reversed().reduce(JSONString.quoting(next)) { value, name in
                "{\(JSONString.quoting(name)):\(value)}"
            }
            members.append("\(JSONString.quoting(outermost)):\(value)")
        }
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

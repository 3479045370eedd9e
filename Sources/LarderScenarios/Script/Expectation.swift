import Foundation
import LarderKit

/// One thing that is to be seen after a step, or at the end of a case.
struct Expectation: Sendable {
    enum Change: String, Sendable {
        case inserted, removed, updated, moved
    }

    enum Kind: Sendable {
        case timeline([ItemID])
        case contains([ItemID])
        case absent([ItemID])
        /// Any of these is right.
        case gaps(oneOf: [[Gap]])
        case atEnd(Bool)
        case duplicates(Int)
        case count(Int)
        case textOf([ItemID: String?])
        case newest(ItemID?)
        case oldest(ItemID?)
        case requests(Int)
        case requestsAtMost(Int)
        /// What one of the step's requests bore under this name; `nil` for nothing.
        case parameter(String, oneOf: [String?])
        case url(String)
        case decodeFailures(Int)
        case change(Change, [ItemID])
        case anchorIndexBefore(Int?)
        case anchorIndexAfter(Int?)
        case containedOrGap([ItemID])
        case authorizedElsewhere(Int)
        /// Whether a call failed, be it beside stored items.
        case error(Bool)
    }

    let name: String
    let kind: Kind

    /// The names that stand for a request's parameter.
    private static let parameters = [
        "requestSince": "since_id", "requestMax": "max_id", "requestMin": "min_id", "requestCursor": "cursor",
        "requestPage": "page", "requestOffset": "offset",
    ]
    private static let known: Set<String> = [
        "timeline", "contains", "absent", "gaps", "gapsOneOf", "atEnd", "duplicates", "count", "items", "textOf",
        "newest", "oldest", "requests", "requestsAtMost", "requestUrl", "decodeFailures", "inserted", "removed",
        "updated", "moved", "anchorIndexBefore", "anchorIndexAfter", "containsEventuallyOrGap",
        "requestsWithAuthorizationToOtherOrigin", "error",
    ]

    /// All that is expected, in the order of the names.
    static func all(in value: ScriptValue?, at place: String) throws(CaseFailure) -> [Expectation] {
        guard let value else { return [] }
        let parameterNames = parameters.keys.flatMap { [$0, $0 + "OneOf"] }
        let fields = try ScriptFields(value, at: place, known: known.union(parameterNames))
        var all: [Expectation] = []
        for name in fields.names { all.append(Expectation(name: name, kind: try kind(name, fields))) }
        return all
    }

    private static func kind(_ name: String, _ fields: ScriptFields) throws(CaseFailure) -> Kind {
        if let parameter = parameters[name] {
            return .parameter(parameter, oneOf: try texts([fields[name] ?? .null], name, fields))
        }
        if name.hasSuffix("OneOf"), let parameter = parameters[String(name.dropLast(5))] {
            return .parameter(parameter, oneOf: try texts(try fields.list(name) ?? [], name, fields))
        }
        switch name {
        case "timeline": return .timeline(try fields.ids(name) ?? [])
        case "contains": return .contains(try fields.ids(name) ?? [])
        case "absent": return .absent(try fields.ids(name) ?? [])
        case "gaps": return .gaps(oneOf: [try gaps(fields[name] ?? .null, name, fields)])
        case "gapsOneOf":
            var choices: [[Gap]] = []
            for value in try fields.list(name) ?? [] { choices.append(try gaps(value, name, fields)) }
            return .gaps(oneOf: choices)
        case "atEnd": return .atEnd(try fields.bool(name) ?? false)
        case "duplicates": return .duplicates(try fields.count(name) ?? 0)
        case "error": return .error(try fields.bool(name) ?? false)
        case "items" where fields[name]?.kindName == "a list": return .timeline(try fields.ids(name) ?? [])
        case "count", "items": return .count(try fields.count(name) ?? 0)
        case "textOf": return .textOf(try textsByID(name, fields))
        case "newest": return .newest(fields[name] == .null ? nil : try fields.id(name))
        case "oldest": return .oldest(fields[name] == .null ? nil : try fields.id(name))
        case "requests": return .requests(try fields.count(name) ?? 0)
        case "requestsAtMost": return .requestsAtMost(try fields.count(name) ?? 0)
        case "requestUrl": return .url(try fields.text(name) ?? "")
        case "decodeFailures": return .decodeFailures(try fields.count(name) ?? 0)
        case "anchorIndexBefore": return .anchorIndexBefore(try index(name, fields))
        case "anchorIndexAfter": return .anchorIndexAfter(try index(name, fields))
        case "containsEventuallyOrGap": return .containedOrGap(try fields.ids(name) ?? [])
        case "requestsWithAuthorizationToOtherOrigin": return .authorizedElsewhere(try fields.count(name) ?? 0)
        default:
            guard let change = Change(rawValue: name) else {
                throw CaseFailure("unknown expectation '\(name)' in \(fields.place)")
            }
            return .change(change, try fields.ids(name) ?? [])
        }
    }

    private static func index(_ name: String, _ fields: ScriptFields) throws(CaseFailure) -> Int? {
        fields[name] == .null ? nil : try fields.count(name)
    }

    private static func texts(
        _ values: [ScriptValue], _ name: String, _ fields: ScriptFields
    ) throws(CaseFailure) -> [String?] {
        var texts: [String?] = []
        for value in values {
            guard value == .null || value.id != nil else { throw fields.mismatch(name, "texts") }
            texts.append(value.id?.rawValue)
        }
        return texts
    }

    private static func textsByID(_ name: String, _ fields: ScriptFields) throws(CaseFailure) -> [ItemID: String?] {
        var texts: [ItemID: String?] = [:]
        for (id, value) in try fields.object(name) ?? [:] {
            switch value {
            case .text(let text): texts[ItemID(id)] = .some(text)
            case .null: texts[ItemID(id)] = .some(nil)
            default: throw fields.mismatch(name, "texts by id")
            }
        }
        return texts
    }

    private static func gaps(
        _ value: ScriptValue, _ name: String, _ fields: ScriptFields
    ) throws(CaseFailure) -> [Gap] {
        guard case .list(let pairs) = value else { throw fields.mismatch(name, "a list of pairs of ids") }
        var gaps: [Gap] = []
        for pair in pairs {
            guard let gap = pair.gap else { throw fields.mismatch(name, "a list of pairs of ids") }
            gaps.append(gap)
        }
        return gaps
    }
}

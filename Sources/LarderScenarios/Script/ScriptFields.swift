import Foundation
import LarderKit

/// The fields of one object of a case. A field that nobody knows fails the case before anything runs.
struct ScriptFields {
    let place: String
    private let members: [String: ScriptValue]

    /// Remarks for readers, allowed everywhere.
    private static let remarks: Set<String> = ["note", "notes", "comment", "why"]

    init(_ value: ScriptValue, at place: String, known: Set<String>) throws(CaseFailure) {
        guard case .object(let members) = value else {
            throw CaseFailure("\(place) is \(value.kindName), not an object")
        }
        self.place = place
        self.members = members
        let unknown = members.keys.filter { !known.contains($0) && !Self.remarks.contains($0) }.sorted()
        guard unknown.isEmpty else {
            throw CaseFailure("unknown field \(unknown.map { "'\($0)'" }.joined(separator: ", ")) in \(place)")
        }
    }

    /// The value, or `nil` where the field is missing. `null` is a value.
    subscript(name: String) -> ScriptValue? { members[name] }

    var names: [String] { members.keys.filter { !Self.remarks.contains($0) }.sorted() }

    func text(_ name: String) throws(CaseFailure) -> String? {
        guard let value = members[name] else { return nil }
        guard case .text(let text) = value else { throw mismatch(name, "a text") }
        return text
    }

    func seconds(_ name: String) throws(CaseFailure) -> Double? {
        guard let value = members[name] else { return nil }
        guard case .number(let number) = value else { throw mismatch(name, "a number") }
        return NSDecimalNumber(decimal: number).doubleValue
    }

    func count(_ name: String) throws(CaseFailure) -> Int? {
        guard let value = members[name] else { return nil }
        guard case .number(let number) = value, let count = Int("\(number)"), count >= 0 else {
            throw mismatch(name, "a whole number")
        }
        return count
    }

    func bool(_ name: String) throws(CaseFailure) -> Bool? {
        guard let value = members[name] else { return nil }
        guard case .bool(let truth) = value else { throw mismatch(name, "true or false") }
        return truth
    }

    func list(_ name: String) throws(CaseFailure) -> [ScriptValue]? {
        guard let value = members[name] else { return nil }
        guard case .list(let list) = value else { throw mismatch(name, "a list") }
        return list
    }

    func object(_ name: String) throws(CaseFailure) -> [String: ScriptValue]? {
        guard let value = members[name] else { return nil }
        guard case .object(let members) = value else { throw mismatch(name, "an object") }
        return members
    }

    func fields(_ name: String, known: Set<String>) throws(CaseFailure) -> ScriptFields? {
        guard let value = members[name] else { return nil }
        return try ScriptFields(value, at: "\(place).\(name)", known: known)
    }

    func id(_ name: String) throws(CaseFailure) -> ItemID? {
        guard let value = members[name] else { return nil }
        guard let id = value.id else { throw mismatch(name, "an id") }
        return id
    }

    func ids(_ name: String) throws(CaseFailure) -> [ItemID]? {
        guard let list = try list(name) else { return nil }
        var ids: [ItemID] = []
        for value in list {
            guard let id = value.id else { throw mismatch(name, "a list of ids") }
            ids.append(id)
        }
        return ids
    }

    /// A list of pairs, as header fields are written in cases; none where the field is missing.
    func headers(_ name: String) throws(CaseFailure) -> HeaderFields {
        var headers = HeaderFields()
        for pair in try list(name) ?? [] {
            guard case .list(let pair) = pair, pair.count == 2, case .text(let name) = pair[0],
                case .text(let value) = pair[1]
            else { throw mismatch("headers", "a list of pairs") }
            headers.append(name: name, value: value)
        }
        return headers
    }

    /// One of `words`, each of which stands for something; `nil` where the field is missing.
    func word<Meaning>(_ name: String, of words: [String: Meaning]) throws(CaseFailure) -> Meaning? {
        guard let text = try text(name) else { return nil }
        guard let meaning = words[text] else {
            throw CaseFailure("unknown word \(JSONString.quoting(text)) in \(place).\(name)")
        }
        return meaning
    }

    /// A time as RFC 3339 writes it, in UTC.
    func date(_ name: String) throws(CaseFailure) -> Date? {
        guard let text = try text(name) else { return nil }
        guard let date = try? Date(text, strategy: .iso8601) else { throw mismatch(name, "a time") }
        return date
    }

    func mismatch(_ name: String, _ wanted: String) -> CaseFailure {
        CaseFailure("\(place).\(name) is not \(wanted)")
    }
}

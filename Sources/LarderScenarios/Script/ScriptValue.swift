import Foundation
import LarderKit

/// A JSON value of a case, with every digit of its numbers.
enum ScriptValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Decimal)
    case text(String)
    case list([ScriptValue])
    case object([String: ScriptValue])

    init(json: Data) throws {
        self = try JSONDecoder().decode(ScriptValue.self, from: json)
    }

    /// The value with `{variant}` replaced in every text: the variant itself where it is the whole text, else as it is
    /// written within one.
    func replacingVariant(by variant: ScriptValue) -> ScriptValue {
        switch self {
        case .null, .bool, .number: self
        case .text("{variant}"): variant
        case .text(let text): .text(text.replacingOccurrences(of: "{variant}", with: variant.written))
        case .list(let values): .list(values.map { $0.replacingVariant(by: variant) })
        case .object(let members): .object(members.mapValues { $0.replacingVariant(by: variant) })
        }
    }

    /// What an id is, be it a text or a number.
    var id: ItemID? {
        switch self {
        case .text(let text): ItemID(text)
        case .number(let number): ItemID("\(number)")
        default: nil
        }
    }

    /// The two sides of a gap: `[above, below]`, or an object with these names.
    var gap: Gap? {
        let sides: (ScriptValue?, ScriptValue?)
        switch self {
        case .list(let ids) where ids.count == 2: sides = (ids[0], ids[1])
        case .object(let members) where members.count == 2: sides = (members["above"], members["below"])
        default: return nil
        }
        guard let above = sides.0?.id, let below = sides.1?.id else { return nil }
        return Gap(above: above, below: below)
    }

    /// The value within a text: a text without its quotes.
    var written: String {
        if case .text(let text) = self { text } else { description }
    }

    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .number: "a number"
        case .text: "a text"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

extension ScriptValue: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([ScriptValue].self) {
            self = .list(list)
        } else if let members = try? container.decode([String: ScriptValue].self) {
            self = .object(members)
        } else if let truth = try? container.decode(Bool.self) {
            self = .bool(truth)
        } else if let number = try? container.decode(Decimal.self) {
            self = .number(number)
        } else if container.decodeNil() {
            self = .null
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no JSON value")
        }
    }
}

extension ScriptValue: CustomStringConvertible {
    /// As JSON writes it, but without a line break.
    var description: String {
        switch self {
        case .null: "null"
        case .bool(let truth): "\(truth)"
        case .number(let number): "\(number)"
        case .text(let text): JSONString.quoting(text)
        case .list(let values): "[\(values.map(\.description).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\(JSONString.quoting($0.key)):\($0.value)" }.joined(separator: ","))}"
        }
    }
}

/// Texts as JSON writes them.
enum JSONString {
    static func quoting(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

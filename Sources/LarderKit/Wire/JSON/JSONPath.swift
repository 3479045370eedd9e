/// Where a value lies in a JSON text: member names and array places from the top down.
///
/// Written `$` for the whole text, `$.data.items` or `data.items`, `['any name']` or `["any name"]` for a name with
/// characters other than letters, digits, `_` and `-`, and `[0]` for a place in an array: a part of RFC 9535 that names
/// one value and never several. Names compare by their UTF-8 bytes, after escapes are resolved.
public struct JSONPath: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        /// The UTF-8 bytes of a member's name.
        case key([UInt8])
        /// A place in an array, counted from zero.
        case index(Int)
    }

    package let steps: [Step]

    package init(steps: [Step]) {
        self.steps = steps
    }

    /// The path that `text` spells.
    ///
    /// - Throws: ``JSONPathError`` for anything that does not name exactly one value.
    public init(_ text: String) throws(JSONPathError) {
        var parser = JSONPathParser(text)
        steps = try parser.parse()
    }

    /// The whole text.
    public static let root = JSONPath(steps: [])

    /// The path one step further down.
    package func appending(_ step: Step) -> JSONPath {
        JSONPath(steps: steps + [step])
    }

    /// The first `count` steps of the path.
    package func prefix(_ count: Int) -> JSONPath {
        JSONPath(steps: Array(steps.prefix(count)))
    }
}

extension JSONPath: CustomStringConvertible {
    /// The path in a form that reads back as an equal path.
    public var description: String {
        var text = "$"
        for step in steps {
            switch step {
            case .index(let index): text += "[\(index)]"
            case .key(let name) where Self.needsNoQuotes(name): text += "." + String(decoding: name, as: UTF8.self)
            case .key(let name): text += "['" + Self.escaped(name) + "']"
            }
        }
        return text
    }

    private static func needsNoQuotes(_ name: [UInt8]) -> Bool {
        guard let first = name.first, !first.isASCIIDigit, first != ASCII.minus else { return false }
        return name.allSatisfy(JSONPathParser.isPlainNameByte)
    }

    private static func escaped(_ name: [UInt8]) -> String {
        let bytes = name.flatMap { $0 == ASCII.apostrophe || $0 == ASCII.backslash ? [ASCII.backslash, $0] : [$0] }
        return String(decoding: bytes, as: UTF8.self)
    }
}

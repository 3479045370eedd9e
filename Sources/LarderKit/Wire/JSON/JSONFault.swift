/// Where a text stops being JSON. Small enough to travel in registers; ``JSONSplitError`` is made from it at the door.
struct JSONFault: Error {
    enum Kind: UInt8 {
        case notJSON
        case tooDeep
    }

    let kind: Kind
    let expected: JSONExpectation
    let offset: Int

    static func expected(_ expected: JSONExpectation, at offset: Int) -> JSONFault {
        JSONFault(kind: .notJSON, expected: expected, offset: offset)
    }

    static func tooDeep(at offset: Int) -> JSONFault {
        JSONFault(kind: .tooDeep, expected: .value, offset: offset)
    }
}

/// What RFC 8259 has at a place where an answer has something else.
package enum JSONExpectation: UInt8, Sendable, Hashable {
    case value
    case name
    case colon
    case commaOrBrace
    case commaOrBracket
    case digit
    case literal
    case end
    case escape
    case hexadecimalDigits
    case closingQuote
    case escapedControlCharacter
    case utf8
    case noByteOrderMark
}

extension JSONExpectation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .value: "a value"
        case .name: "a member's name in double quotes"
        case .colon: "a colon"
        case .commaOrBrace: "a comma or the end of the object"
        case .commaOrBracket: "a comma or the end of the array"
        case .digit: "a digit"
        case .literal: "true, false or null"
        case .end: "nothing more"
        case .escape: "one of the escapes of JSON"
        case .hexadecimalDigits: "four hexadecimal digits"
        case .closingQuote: "the end of a string"
        case .escapedControlCharacter: "an escape in the place of a control character"
        case .utf8: "UTF-8"
        case .noByteOrderMark: "no byte order mark"
        }
    }
}

/// What a JSON value is, as its first byte tells.
package enum JSONKind: String, Sendable, Hashable {
    case object, array, string, number, boolean, null

    /// The kind of the value that starts with `byte`.
    init(startingWith byte: UInt8) {
        switch byte {
        case ASCII.openBrace: self = .object
        case ASCII.openBracket: self = .array
        case ASCII.quote: self = .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
        case UInt8(ascii: "n"): self = .null
        default: self = .number
        }
    }
}

extension JSONKind: CustomStringConvertible {
    /// With its article, for a sentence.
    package var description: String {
        switch self {
        case .object, .array: "an \(rawValue)"
        case .string, .number, .boolean: "a \(rawValue)"
        case .null: rawValue
        }
    }
}

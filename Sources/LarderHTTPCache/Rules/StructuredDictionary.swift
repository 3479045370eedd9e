/// Reads a Dictionary of Structured Fields (RFC 9651 section 4.2.2), as strictly as that says: one error anywhere and there is
/// none.
enum StructuredDictionary {
    /// What a member is. Parameters are read and dropped.
    enum Value: Sendable, Hashable {
        case integer(Int)
        case boolean(Bool)
        /// A decimal, a string, a token, bytes, a date or a list.
        case other
    }

    /// The members, of which the last of a name counts; `nil` for what is no Dictionary.
    static func parse(_ text: String) -> [String: Value]? {
        var reader = StructuredFieldReader(text)
        return reader.dictionary()
    }
}

private struct StructuredFieldReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func dictionary() -> [String: StructuredDictionary.Value]? {
        var members: [String: StructuredDictionary.Value] = [:]
        skipSpaces()
        while current != nil {
            guard let name = key() else { return nil }
            if skip("=") {
                guard let value = current == UInt8(ascii: "(") ? innerList() : item() else { return nil }
                members[name] = value
            } else {
                guard parameters() else { return nil }
                members[name] = .boolean(true)
            }
            skipBlanks()
            guard current != nil else { return members }
            guard skip(",") else { return nil }
            skipBlanks()
            guard current != nil else { return nil }
        }
        return members
    }

    private mutating func innerList() -> StructuredDictionary.Value? {
        position += 1
        while true {
            skipSpaces()
            if skip(")") { return parameters() ? .other : nil }
            guard item() != nil, current == UInt8(ascii: " ") || current == UInt8(ascii: ")") else { return nil }
        }
    }

    private mutating func item() -> StructuredDictionary.Value? {
        guard let value = bareItem(), parameters() else { return nil }
        return value
    }

    private mutating func parameters() -> Bool {
        while skip(";") {
            skipSpaces()
            guard key() != nil else { return false }
            if skip("="), bareItem() == nil { return false }
        }
        return true
    }

    private mutating func key() -> String? {
        guard let first = current, first.isLowercaseLetter || first == UInt8(ascii: "*") else { return nil }
        return run { $0.isLowercaseLetter || $0.isDigit || [0x5F, 0x2D, 0x2E, 0x2A].contains($0) }
    }

    private mutating func bareItem() -> StructuredDictionary.Value? {
        guard let current else { return nil }
        switch current {
        case UInt8(ascii: "-"), 0x30...0x39: return number()
        case UInt8(ascii: "\""): return string() ? .other : nil
        case UInt8(ascii: "*"), 0x41...0x5A, 0x61...0x7A:
            _ = run { $0.isTokenByte || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
            return .other
        case UInt8(ascii: ":"):
            position += 1
            _ = run { $0.isLetter || $0.isDigit || [0x2B, 0x2F, 0x3D].contains($0) }
            return skip(":") ? .other : nil
        case UInt8(ascii: "?"):
            position += 1
            if skip("1") { return .boolean(true) }
            return skip("0") ? .boolean(false) : nil
        case UInt8(ascii: "@"):
            position += 1
            guard case .integer? = number() else { return nil }
            return .other
        default: return nil
        }
    }

    /// At most 15 digits, or 12 and a point and 3.
    private mutating func number() -> StructuredDictionary.Value? {
        let isNegative = skip("-")
        let digits = run(\.isDigit)
        guard !digits.isEmpty else { return nil }
        if skip(".") {
            let fraction = run(\.isDigit)
            return 1...3 ~= fraction.count && digits.count <= 12 ? .other : nil
        }
        guard digits.count <= 15, let value = Int(digits) else { return nil }
        return .integer(isNegative ? -value : value)
    }

    private mutating func string() -> Bool {
        position += 1
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"):
                guard let escaped = current, escaped == UInt8(ascii: "\"") || escaped == byte else { return false }
                position += 1
            case 0x20...0x7E: break
            default: return false
            }
        }
        return false
    }

    private mutating func run(_ isMember: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = current, isMember(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpaces() {
        while current == UInt8(ascii: " ") { position += 1 }
    }

    private mutating func skipBlanks() {
        while let byte = current, byte.isBlank { position += 1 }
    }
}

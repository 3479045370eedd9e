/// Why a text is not a ``JSONPath``. The text is one that the app's programmer wrote, and is quoted.
public struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was meant to be a path.
    public let path: String
    /// One sentence that says what is wrong and how to write it.
    public let explanation: String

    public var description: String { "\(path.debugDescription) is not a JSON path: \(explanation)" }
}

/// Reads the notation of ``JSONPath``, byte by byte.
struct JSONPathParser {
    private let text: String
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    mutating func parse() throws(JSONPathError) -> [JSONPath.Step] {
        guard !bytes.isEmpty else { throw error("it is empty; write $ for the whole text") }
        var steps: [JSONPath.Step] = []
        if bytes[0] == ASCII.dollar {
            position = 1
        } else if bytes[0] != ASCII.openBracket {
            steps.append(.key(try plainName()))
        }
        while let byte = next {
            position += 1
            switch byte {
            case ASCII.dot: steps.append(.key(try plainName()))
            case ASCII.openBracket: steps.append(try bracketed())
            default: throw error("after a step comes a dot, a bracket or the end; write ['name'] for any other name")
            }
        }
        return steps
    }

    /// Letters, digits, `_`, `-` and everything beyond ASCII.
    static func isPlainNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x5F, 0x2D, 0x80...: true
        default: false
        }
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func plainName() throws(JSONPathError) -> [UInt8] {
        let start = position
        while let byte = next, Self.isPlainNameByte(byte) { position += 1 }
        guard let first = bytes[start..<position].first else {
            if next == ASCII.dot { throw error("'..' would name several values, and a path names one") }
            throw error(
                "a name is due at character \(start + 1); write ['name'] for a name with other characters "
                    + "than letters, digits, _ and -")
        }
        guard !first.isASCIIDigit, first != ASCII.minus else {
            throw error("a plain name starts with a letter; write [0] for a place in an array, ['0'] for a name")
        }
        return Array(bytes[start..<position])
    }

    private mutating func bracketed() throws(JSONPathError) -> JSONPath.Step {
        guard let first = next else { throw error("the bracket at its end is not closed") }
        let step: JSONPath.Step
        switch first {
        case ASCII.quote, ASCII.apostrophe: step = .key(try quotedName(closedBy: first))
        case 0x30...0x39: step = .index(try index())
        case ASCII.minus: throw error("places count from the start of an array, from zero; none counts from its end")
        case ASCII.star, ASCII.question, ASCII.colon: throw error("it would name several values, and a path names one")
        default: throw error("in brackets stands a number, or a name in quotes, as in [0] and ['name']")
        }
        guard next == ASCII.closeBracket else { throw error("a bracket is not closed; write [0] or ['name']") }
        position += 1
        return step
    }

    private mutating func index() throws(JSONPathError) -> Int {
        let start = position
        while next?.isASCIIDigit == true { position += 1 }
        let digits = bytes[start..<position]
        guard digits.count == 1 || digits.first != ASCII.zero else {
            throw error("a place in an array is written without leading zeros")
        }
        // Ten digits would go past every array that fits into memory.
        guard digits.count < 10 else { throw error("a place in an array has at most nine digits") }
        return digits.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
    }

    private mutating func quotedName(closedBy quote: UInt8) throws(JSONPathError) -> [UInt8] {
        var name: [UInt8] = []
        position += 1
        while let byte = next {
            position += 1
            switch byte {
            case quote: return name
            case ASCII.backslash:
                guard let escaped = next, [ASCII.backslash, ASCII.quote, ASCII.apostrophe].contains(escaped) else {
                    throw error(
                        #"a name in quotes knows the escapes \\, \' and \" only; write other characters plainly"#)
                }
                name.append(escaped)
                position += 1
            default: name.append(byte)
            }
        }
        throw error("the quote is not closed")
    }

    private func error(_ explanation: String) -> JSONPathError {
        JSONPathError(path: text, explanation: explanation)
    }
}

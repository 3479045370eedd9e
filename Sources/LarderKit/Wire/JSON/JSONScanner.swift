/// Walks over a JSON text and refuses whatever RFC 8259 does. Keeps no tree and allocates nothing: it knows where it is.
///
/// Each `skip…` starts on the first byte of its piece and ends just behind it. White space is skipped before a piece,
/// never behind it, so the range of a value is what lies between.
struct JSONScanner {
    let bytes: UnsafeRawBufferPointer
    var position: Int
    private var nesting = JSONNesting()

    init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// The byte due next, or zero at the end: JSON has a zero byte nowhere.
    var next: UInt8 {
        position < bytes.count ? bytes[position] : 0
    }

    mutating func skipSpace() {
        var position = position
        while position < bytes.count {
            let byte = bytes[position]
            guard
                byte == ASCII.space || byte == ASCII.lineFeed || byte == ASCII.tab || byte == ASCII.carriageReturn
            else { break }
            position += 1
        }
        self.position = position
    }

    /// Takes `byte` if it is due next.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Nothing but white space may follow.
    mutating func skipToEnd() throws(JSONFault) {
        skipSpace()
        guard position == bytes.count else { throw .expected(.end, at: position) }
    }

    /// A byte order mark (RFC 8259 section 8.1: none must be added) is refused with its own reason.
    func refuseByteOrderMark() throws(JSONFault) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) || bytes.starts(with: [0xFE, 0xFF])
            || bytes.starts(with: [0xFF, 0xFE])
        {
            throw .expected(.noByteOrderMark, at: 0)
        }
    }

    // MARK: Values

    /// One value of any kind, with all it holds. A loop, so that the depth of an answer costs no stack.
    mutating func skipValue() throws(JSONFault) {
        let floor = nesting.depth
        while true {
            let isDone: Bool
            switch next {
            case ASCII.openBrace: isDone = try !enterObject()
            case ASCII.openBracket: isDone = try !enterArray()
            default:
                try skipScalar()
                isDone = true
            }
            if isDone {
                while true {
                    guard nesting.depth > floor else { return }
                    if try nesting.isInObject ? nextMember() : nextElement() { break }
                }
            }
            if nesting.isInObject {
                _ = try skipName()
            }
        }
    }

    private mutating func skipScalar() throws(JSONFault) {
        switch next {
        case ASCII.quote: _ = try skipString()
        case ASCII.minus, 0x30...0x39: try skipNumber()
        case UInt8(ascii: "t"): try skipLiteral("true")
        case UInt8(ascii: "f"): try skipLiteral("false")
        case UInt8(ascii: "n"): try skipLiteral("null")
        default: throw .expected(.value, at: position)
        }
    }

    private mutating func skipLiteral(_ literal: StaticString) throws(JSONFault) {
        let start = position
        for offset in 0..<literal.utf8CodeUnitCount {
            guard skip(literal.utf8Start[offset]) else {
                throw .expected(.literal, at: position == bytes.count ? position : start)
            }
        }
    }

    /// RFC 8259 section 6: no leading zero or plus, digits on both sides of the point.
    mutating func skipNumber() throws(JSONFault) {
        _ = skip(ASCII.minus)
        if !skip(ASCII.zero) {
            try skipDigits()
        }
        if skip(ASCII.dot) {
            try skipDigits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(ASCII.plus) { _ = skip(ASCII.minus) }
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(JSONFault) {
        let start = position
        while next.isASCIIDigit { position += 1 }
        guard position > start else { throw .expected(.digit, at: position) }
    }

    // MARK: Containers

    /// Opens the object that is due. True when a member follows, which is due then; false when it was empty.
    mutating func enterObject() throws(JSONFault) -> Bool {
        try enter(object: true, closedBy: ASCII.closeBrace)
    }

    /// Opens the array that is due. True when an element follows, which is due then; false when it was empty.
    mutating func enterArray() throws(JSONFault) -> Bool {
        try enter(object: false, closedBy: ASCII.closeBracket)
    }

    /// Behind a member's value: true when another member is due, false when the object has ended.
    mutating func nextMember() throws(JSONFault) -> Bool {
        try nextEntry(closedBy: ASCII.closeBrace, or: .commaOrBrace)
    }

    /// Behind an element: true when another element is due, false when the array has ended.
    mutating func nextElement() throws(JSONFault) -> Bool {
        try nextEntry(closedBy: ASCII.closeBracket, or: .commaOrBracket)
    }

    private mutating func enter(object: Bool, closedBy end: UInt8) throws(JSONFault) -> Bool {
        guard nesting.open(object: object) else { throw .tooDeep(at: position) }
        position += 1
        skipSpace()
        guard skip(end) else { return true }
        nesting.close()
        return false
    }

    private mutating func nextEntry(closedBy end: UInt8, or expected: JSONExpectation) throws(JSONFault) -> Bool {
        skipSpace()
        if skip(ASCII.comma) {
            skipSpace()
            return true
        }
        guard skip(end) else { throw .expected(expected, at: position) }
        nesting.close()
        return false
    }

    /// A member's name, the colon, and the space up to the value. Gives the name.
    mutating func skipName() throws(JSONFault) -> JSONString {
        guard next == ASCII.quote else { throw .expected(.name, at: position) }
        let name = try skipString()
        skipSpace()
        guard skip(ASCII.colon) else { throw .expected(.colon, at: position) }
        skipSpace()
        return name
    }
}

/// Where the characters of a string lie, between its quotes.
struct JSONString {
    let range: Range<Int>
    /// Whether the bytes are other than the characters they stand for.
    let hasEscapes: Bool
}

extension JSONScanner {
    /// A string. Its bytes must be UTF-8 (RFC 8259 section 8.1), its control characters and escapes those of section 7.
    /// An escaped surrogate without its partner is within the grammar.
    mutating func skipString() throws(JSONFault) -> JSONString {
        let start = position + 1
        var at = start
        var hasEscapes = false
        while true {
            at = endOfPlainBytes(from: at)
            guard at < bytes.count else { throw .expected(.closingQuote, at: at) }
            switch bytes[at] {
            case ASCII.quote:
                position = at + 1
                return JSONString(range: start..<at, hasEscapes: hasEscapes)
            case ASCII.backslash:
                hasEscapes = true
                at = try endOfEscape(from: at)
            case 0x80...:
                at = try endOfCharacter(from: at)
            default:
                throw .expected(.escapedControlCharacter, at: at)
            }
        }
    }

    /// The first byte from `start` on that is not an ASCII character standing for itself, or the end.
    ///
    /// Looks at eight bytes at once: `(x - n) & ~x` has the top bit of a byte set where the byte is below `n`. A borrow
    /// can only spoil bytes above the first such one, and the first is all that is asked.
    private func endOfPlainBytes(from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        var at = start
        while bytes.count - at >= 8 {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            let quotes = word ^ (ones &* 0x22)
            let backslashes = word ^ (ones &* 0x5C)
            let controls = (word &- (ones &* 0x20)) & ~word
            let special =
                (controls | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | word) & tops
            guard special == 0 else { return at + special.trailingZeroBitCount >> 3 }
            at += 8
        }
        while at < bytes.count, 0x20..<0x80 ~= bytes[at], bytes[at] != ASCII.quote, bytes[at] != ASCII.backslash {
            at += 1
        }
        return at
    }

    private func endOfEscape(from backslash: Int) throws(JSONFault) -> Int {
        let at = backslash + 1
        guard at < bytes.count else { throw .expected(.escape, at: at) }
        switch bytes[at] {
        case ASCII.quote, ASCII.backslash, ASCII.slash, UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            return at + 1
        case UInt8(ascii: "u"):
            for digit in at + 1..<at + 5 {
                guard digit < bytes.count, bytes[digit].hexadecimalValue != nil else {
                    throw .expected(.hexadecimalDigits, at: digit)
                }
            }
            return at + 5
        default:
            throw .expected(.escape, at: at)
        }
    }

    /// The end of one character beyond ASCII: the table of RFC 3629 section 4, which leaves no room for overlong forms,
    /// surrogates, or anything above U+10FFFF.
    private func endOfCharacter(from start: Int) throws(JSONFault) -> Int {
        let second: ClosedRange<UInt8>
        let length: Int
        switch bytes[start] {
        case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
        case 0xE0: (second, length) = (0xA0...0xBF, 3)
        case 0xED: (second, length) = (0x80...0x9F, 3)
        case 0xE1...0xEF: (second, length) = (0x80...0xBF, 3)
        case 0xF0: (second, length) = (0x90...0xBF, 4)
        case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
        case 0xF4: (second, length) = (0x80...0x8F, 4)
        default: throw .expected(.utf8, at: start)
        }
        for at in start + 1..<start + length {
            guard at < bytes.count, (at == start + 1 ? second : 0x80...0xBF) ~= bytes[at] else {
                throw .expected(.utf8, at: at)
            }
        }
        return start + length
    }
}

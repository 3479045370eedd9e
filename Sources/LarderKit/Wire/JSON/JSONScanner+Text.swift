/// What a validated string says, its escapes resolved.
extension JSONScanner {
    /// Whether `string` stands for exactly the bytes of `name`.
    func says(_ name: [UInt8], _ string: JSONString) -> Bool {
        guard string.hasEscapes else {
            return string.range.count == name.count && bytes[string.range].elementsEqual(name)
        }
        return utf8(of: string) == name
    }

    /// The text of `string`, or `nil` when UTF-8 cannot say it: an escaped surrogate without its partner.
    func text(of string: JSONString) -> String? {
        guard string.hasEscapes else { return String(decoding: bytes[string.range], as: UTF8.self) }
        return utf8(of: string).map { String(decoding: $0, as: UTF8.self) }
    }

    private func utf8(of string: JSONString) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(string.range.count)
        var at = string.range.lowerBound
        while at < string.range.upperBound {
            let byte = bytes[at]
            guard byte == ASCII.backslash else {
                result.append(byte)
                at += 1
                continue
            }
            let escape = bytes[at + 1]
            at += 2
            switch escape {
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "n"): result.append(ASCII.lineFeed)
            case UInt8(ascii: "r"): result.append(ASCII.carriageReturn)
            case UInt8(ascii: "t"): result.append(ASCII.tab)
            case UInt8(ascii: "u"):
                guard let scalar = scalar(at: &at, before: string.range.upperBound) else { return nil }
                result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            default: result.append(escape)
            }
        }
        return result
    }

    /// The character of the `\u` escape whose digits start at `at`, and of a second one if they are a pair of
    /// surrogates (RFC 8259 section 7). Moves `at` behind them.
    private func scalar(at: inout Int, before end: Int) -> Unicode.Scalar? {
        let unit = codeUnit(at: at)
        at += 4
        guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
        guard at + 6 <= end, bytes[at] == ASCII.backslash, bytes[at + 1] == UInt8(ascii: "u") else { return nil }
        let trail = codeUnit(at: at + 2)
        guard UTF16.isTrailSurrogate(trail) else { return nil }
        at += 6
        return Unicode.Scalar(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(trail & 0x3FF)))
    }

    private func codeUnit(at start: Int) -> UInt16 {
        bytes[start..<start + 4].reduce(0) { $0 << 4 | UInt16($1.hexadecimalValue ?? 0) }
    }
}

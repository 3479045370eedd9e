/// The members of a comma-separated list (RFC 9110 section 5.6.1): without blanks around them, empty ones left out, commas in
/// quoted strings left alone.
enum ListMembers {
    static func split(_ value: String) -> [String] {
        var members: [String] = []
        var current: [UInt8] = []
        var isQuoted = false
        var isEscaped = false
        func end() {
            let text = trimmed(current[...])
            if !text.isEmpty { members.append(String(decoding: text, as: UTF8.self)) }
            current = []
        }
        for byte in value.utf8 {
            if byte == UInt8(ascii: ","), !isQuoted {
                end()
                continue
            }
            current.append(byte)
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            }
        }
        end()
        return members
    }

    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = bytes.firstIndex(where: { !$0.isBlank }), let last = bytes.lastIndex(where: { !$0.isBlank })
        else { return [] }
        return bytes[first...last]
    }
}

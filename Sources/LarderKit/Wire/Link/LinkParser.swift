/// Reads one `Link` field value: `#( "<" URI-Reference ">" *( ";" parameter ) )` (RFC 8288 section 3), with the liberties of
/// its appendix B.2. More careful than that only where reading on would take one member's text for another's.
struct LinkParser {
    let bytes: [UInt8]
    private var position = 0
    /// Whether a member was left out.
    private(set) var isGarbled = false

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func parse() -> [LinkValue] {
        var links: [LinkValue] = []
        while true {
            while let byte = next, byte.isBlank || byte == ASCII.comma { position += 1 }
            guard next != nil else { return links }
            if let link = link() {
                links.append(link)
            } else {
                isGarbled = true
                skipMember()
            }
        }
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = next, byte.isBlank { position += 1 }
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// `nil` when there is none. The position is then outside quotes and before the comma that ends the member.
    private mutating func link() -> LinkValue? {
        guard take(ASCII.less), let target = target(), let parameters = parameters() else { return nil }
        return LinkValue(target: target, parameters: parameters)
    }

    /// Up to behind the `>`; `nil`, and nothing taken, when there is none before the next `<`, which belongs to another link.
    private mutating func target() -> String? {
        var end = position
        while end < bytes.count, bytes[end] != ASCII.greater {
            if bytes[end] == ASCII.less { return nil }
            end += 1
        }
        guard end < bytes.count else { return nil }
        defer { position = end + 1 }
        return text(position..<end)
    }

    /// Up to the comma or the end. `nil` when something else stands in between.
    private mutating func parameters() -> [LinkValue.Parameter]? {
        var parameters: [LinkValue.Parameter] = []
        while true {
            skipBlanks()
            guard let byte = next, byte != ASCII.comma else { return parameters }
            guard take(ASCII.semicolon) else { return nil }
            skipBlanks()
            let name = self.name()
            // A semicolon with nothing behind it does no harm.
            if name.isEmpty { continue }
            skipBlanks()
            var value: String?
            if take(ASCII.equals) {
                skipBlanks()
                value = next == ASCII.quote ? quoted() : unquoted()
                if value == nil { return nil }
            }
            parameters.append(LinkValue.Parameter(name: name, value: value))
        }
    }

    /// In small letters; empty when there is none.
    private mutating func name() -> String {
        let start = position
        while let byte = next, byte.isTokenByte { position += 1 }
        return String(decoding: bytes[start..<position].map(\.asciiLowercased), as: UTF8.self)
    }

    /// Up to a semicolon or comma: more than a token, since media types and URIs are met without quotes. `nil` when a quote
    /// or another link begins in it.
    private mutating func unquoted() -> String? {
        let start = position
        var end = position
        while let byte = next, byte != ASCII.semicolon, byte != ASCII.comma {
            if byte == ASCII.quote || byte == ASCII.less { return nil }
            position += 1
            if !byte.isBlank { end = position }
        }
        return text(start..<end)
    }

    /// A quoted string (RFC 9110 section 5.6.4); `nil` when it does not end.
    private mutating func quoted() -> String? {
        var content: [UInt8] = []
        position += 1
        while let byte = next {
            position += 1
            if byte == ASCII.quote { return String(decoding: content, as: UTF8.self) }
            if byte == ASCII.backslash, let escaped = next {
                content.append(escaped)
                position += 1
            } else {
                content.append(byte)
            }
        }
        return nil
    }

    /// Up to the next comma outside quotes.
    private mutating func skipMember() {
        while let byte = next, byte != ASCII.comma {
            if byte == ASCII.quote { _ = quoted() } else { position += 1 }
        }
    }
}

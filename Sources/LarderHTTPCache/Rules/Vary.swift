package import LarderKit

extension HTTPRules {
    /// The names in an answer's `Vary`, in small letters, sorted, each once, `ignored` ones left out; `nil` where `*` is among them.
    package static func varyNames(of headers: HeaderFields, ignoring ignored: Set<String>) -> [String]? {
        var names: Set<String> = []
        for line in headers.values(of: "Vary") {
            for member in ListMembers.split(line) {
                if member == "*" { return nil }
                names.insert(member.lowercased())
            }
        }
        return names.subtracting(ignored.map { $0.lowercased() }).sorted()
    }

    /// The variant that `request` selects under these names.
    package static func variant(of request: HeaderFields, names: [String]) -> Variant {
        Variant(names.map { Variant.Field(name: $0, value: selectingValue(of: request, $0)) })
    }

    /// Whether an answer of this variant may serve the request (RFC 9111 section 4.1). More than equal variants: a stored
    /// `Content-Language` that is the request's first choice fits `Accept-Language`.
    package static func matches(_ stored: StoredAnswer, _ request: HeaderFields) -> Bool {
        stored.variant.fields.allSatisfy { field in
            let value = selectingValue(of: request, field.name)
            if value == field.value { return true }
            guard field.name == "accept-language", let language = stored.headers["Content-Language"] else {
                return false
            }
            return request[field.name].flatMap { Preferences($0) }?.firstChoice == language.lowercased()
        }
    }

    /// A field's value so that values that mean the same are the same, as far as that is sure: lines joined, no blanks around
    /// commas; the order of languages and codings that are equally welcome, and their case, make no difference.
    private static func selectingValue(of request: HeaderFields, _ name: String) -> String? {
        guard let value = request[name] else { return nil }
        switch name {
        case "cookie", "authorization", "proxy-authorization": return value
        case "accept-language", "accept-encoding": return Preferences(value)?.normalized ?? value
        default: return ListMembers.split(value).joined(separator: ", ")
        }
    }
}

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

/// What is welcome, and how much (RFC 9110 section 12.4.2).
private struct Preferences {
    private struct Preference {
        let name: String
        /// In thousandths.
        let quality: Int
    }

    /// The most welcome first, by name among equals.
    private let preferences: [Preference]

    /// `nil` where a weight cannot be read.
    init?(_ value: String) {
        var preferences: [Preference] = []
        for member in ListMembers.split(value.lowercased()) {
            let parts = member.split(separator: ";", omittingEmptySubsequences: false).map {
                String(decoding: ListMembers.trimmed(Array($0.utf8)[...]), as: UTF8.self)
            }
            guard let name = parts.first, parts.count <= 2 else { return nil }
            guard let quality = parts.count == 2 ? Self.quality(parts[1]) : 1000 else { return nil }
            preferences.append(Preference(name: name, quality: quality))
        }
        self.preferences = preferences.sorted { ($1.quality, $0.name) < ($0.quality, $1.name) }
    }

    var normalized: String {
        preferences.map { $0.quality == 1000 ? $0.name : "\($0.name);q=\($0.quality)" }.joined(separator: ", ")
    }

    /// The most welcome one, if no other is as welcome.
    var firstChoice: String? {
        guard let first = preferences.first, first.quality > 0, first.name != "*" else { return nil }
        return preferences.dropFirst().first?.quality == first.quality ? nil : first.name
    }

    private static func quality(_ text: String) -> Int? {
        guard text.hasPrefix("q=") else { return nil }
        let digits = Array(text.utf8.dropFirst(2))
        guard let whole = digits.first, whole == 0x30 || whole == 0x31 else { return nil }
        guard digits.count > 1 else { return whole == 0x31 ? 1000 : 0 }
        guard digits[1] == UInt8(ascii: "."), digits.count <= 5, digits[2...].allSatisfy(\.isDigit) else { return nil }
        let fraction = (0..<3).reduce(0) { $0 * 10 + (digits.count > 2 + $1 ? Int(digits[2 + $1]) - 0x30 : 0) }
        return whole == 0x31 ? (fraction == 0 ? 1000 : nil) : fraction
    }
}

/// What is welcome, and how much (RFC 9110 section 12.4.2).
struct Preferences {
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

    /// Whether it is named, and not to say that it is unwelcome.
    func welcomes(_ name: String) -> Bool { preferences.contains { $0.name == name && $0.quality > 0 } }

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

import LarderKit

/// Field values stand in messages with one character a byte (ISO 8859-1), and in Foundation as text.
enum WireText {
    /// What Foundation read of a field, as the bytes on the wire. It takes them for UTF-8 where they are.
    static func value(from text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        return String(String.UnicodeScalarView(text.utf8.map { Unicode.Scalar($0) }))
    }

    /// The text that Foundation is to send for these bytes: it writes UTF-8, so that others than ASCII get through where they
    /// make UTF-8.
    static func text(of value: String) -> String {
        var bytes: [UInt8] = []
        for scalar in value.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return value }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self) ?? value
    }
}

extension HeaderFields {
    /// Without the fields of these names, which are in small letters.
    func without(_ names: Set<String>) -> HeaderFields {
        HeaderFields(fields.filter { !names.contains($0.name.lowercased()) })
    }

    mutating func appendIfMissing(name: String, value: String) {
        if values(of: name).isEmpty { append(name: name, value: value) }
    }
}

/// Texts with one character a byte (ISO 8859-1), so that no byte of a field changes on its way through.
enum Latin1 {
    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        // ASCII is the same in both, and much faster.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Appends the bytes of a text. A character that is none, and one that would end a line, becomes a question mark.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            let byte = UInt8(exactly: scalar.value) ?? UInt8(ascii: "?")
            bytes.append(ByteClass.isControl(byte) ? UInt8(ascii: "?") : byte)
        }
    }
}

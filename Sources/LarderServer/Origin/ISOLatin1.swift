/// Text of header fields: one character a byte (ISO 8859-1), which loses none whatever it was meant to be.
extension String {
    init(isoLatin1 bytes: some Collection<UInt8>) {
        if bytes.allSatisfy({ $0 < 0x80 }) {
            self.init(decoding: bytes, as: UTF8.self)
        } else {
            self.init(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }

    /// The bytes it stands for, or `nil` if a character stands for none.
    var isoLatin1: [UInt8]? {
        if utf8.allSatisfy({ $0 < 0x80 }) { return Array(utf8) }
        var bytes: [UInt8] = []
        for scalar in unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// The same bytes read as UTF-8 where they are UTF-8.
    var isoLatin1AsUTF8: String {
        guard let bytes = isoLatin1 else { return self }
        return String(validating: bytes, as: UTF8.self) ?? self
    }
}

/// The characters that fields are built of.
extension UInt8 {
    var isDigit: Bool { 0x30...0x39 ~= self }
    var isLowercaseLetter: Bool { 0x61...0x7A ~= self }
    var isLetter: Bool { isLowercaseLetter || 0x41...0x5A ~= self }
    var isBlank: Bool { self == 0x20 || self == 0x09 }
    /// A character of a token (RFC 9110 section 5.6.2).
    var isTokenByte: Bool {
        isLetter || isDigit
            || [0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E]
                .contains(self)
    }
    var lowercasedASCII: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
}

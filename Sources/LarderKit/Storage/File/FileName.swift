/// A file name for any key: safe on every file system, also on those that ignore case.
///
/// Small letters, digits, `-`, `_` and inner dots stand for themselves; every other byte is `%` and two hex digits, so
/// that different keys have different names. A name that would be too long keeps its beginning and ends in `~` and a
/// digest of the whole key; `~` itself is always escaped. The digest is no cryptographic one: whoever reads the file
/// compares the key inside, so a collision costs a miss and never shows another key's value.
enum FileName {
    /// File systems allow 255 bytes; this leaves room for a suffix.
    static let longest = 200

    static func name(for key: String) -> String {
        guard !key.isEmpty else { return "%" }
        var name = ""
        for (index, byte) in key.utf8.enumerated() {
            switch byte {
            case 0x61...0x7A, 0x30...0x39, 0x2D, 0x5F:
                name.unicodeScalars.append(Unicode.Scalar(byte))
            case 0x2E where index > 0:
                name.append(".")
            default:
                name.append("%" + hex(byte))
            }
        }
        guard name.utf8.count > longest else { return name }
        return name.prefix(longest - 40) + "~" + digest(key)
    }

    /// Two 64-bit FNV-1a hashes from different starting points.
    private static func digest(_ key: String) -> String {
        let starts: [UInt64] = [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4]
        return starts.map { start in
            let hash = key.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
            return stride(from: 56, through: 0, by: -8).map { hex(UInt8(truncatingIfNeeded: hash >> UInt64($0))) }
                .joined()
        }.joined()
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return byte < 16 ? "0" + digits : digits
    }
}

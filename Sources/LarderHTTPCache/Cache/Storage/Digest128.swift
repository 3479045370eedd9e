/// A short name for a text: two texts do not have one name by accident. No protection against intent.
package enum Digest128 {
    package static func text(of text: String) -> String {
        var (first, second): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4)
        for byte in text.utf8 {
            first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            second = (second ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
            second ^= second >> 29
        }
        return String(first, radix: 16) + String(second, radix: 16)
    }
}

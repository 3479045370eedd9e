/// Bytes of which nothing is believed: every read is checked, and gives `nil` where there is nothing to read.
struct RawBytes: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    func byte(_ offset: Int) -> UInt8? {
        bytes.indices.contains(offset) ? bytes[offset] : nil
    }

    /// Two bytes, big-endian as all numbers of the format are.
    func uint16(_ offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - 2 else { return nil }
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    func uint32(_ offset: Int) -> UInt32? {
        guard offset >= 0, offset <= bytes.count - 4 else { return nil }
        return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    func slice(_ range: Range<Int>) -> ArraySlice<UInt8>? {
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
        return bytes[range]
    }

    /// A variable-length integer (<https://www.sqlite.org/fileformat2.html#varint>) and where it ends.
    func varint(_ offset: Int) -> (value: UInt64, end: Int)? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard let byte = byte(offset &+ index) else { return nil }
            if index == 8 { return (value << 8 | UInt64(byte), offset + 9) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return (value, offset + index + 1) }
        }
        return nil
    }
}

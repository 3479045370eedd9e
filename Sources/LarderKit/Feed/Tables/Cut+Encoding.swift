extension Cut {
    /// The cut as bytes that sort as cuts do, for an indexed column.
    ///
    /// ```
    /// bottom            00
    /// integer key       10 <8 bytes, big-endian, sign bit flipped> <side>
    /// bytes key         20 <bytes, 00 written as 00 FF> 00 <side>
    /// top               FF
    /// side              00 below, 01 above
    /// ```
    var encoded: [UInt8] {
        switch self {
        case .bottom: [0x00]
        case .top: [0xFF]
        case .below(let key): Self.encode(key, side: 0)
        case .above(let key): Self.encode(key, side: 1)
        }
    }

    private static func encode(_ key: SortKey, side: UInt8) -> [UInt8] {
        var bytes: [UInt8] = []
        switch key {
        case .integer(let number):
            bytes.reserveCapacity(10)
            bytes.append(0x10)
            let bits = UInt64(bitPattern: number) ^ (1 << 63)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
            }
        case .bytes(let text):
            bytes.reserveCapacity(text.count + 3)
            bytes.append(0x20)
            for byte in text {
                bytes.append(byte)
                if byte == 0 { bytes.append(0xFF) }
            }
            bytes.append(0)
        }
        bytes.append(side)
        return bytes
    }

    /// The cut that was encoded as `bytes`, or `nil` when they are no such thing.
    init?(encoded bytes: UnsafeRawBufferPointer) {
        switch (bytes.first, bytes.count) {
        case (0x00, 1):
            self = .bottom
        case (0xFF, 1):
            self = .top
        case (0x10, 10):
            let bits = bytes[1..<9].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            self.init(.integer(Int64(bitPattern: bits ^ (1 << 63))), side: bytes[9])
        case (0x20, 3...):
            var text: [UInt8] = []
            var index = 1
            while index < bytes.count - 2 {
                text.append(bytes[index])
                index += bytes[index] == 0 ? 2 : 1
            }
            self.init(.bytes(text), side: bytes[bytes.count - 1])
        default:
            return nil
        }
    }

    private init?(_ key: SortKey, side: UInt8) {
        switch side {
        case 0: self = .below(key)
        case 1: self = .above(key)
        default: return nil
        }
    }
}

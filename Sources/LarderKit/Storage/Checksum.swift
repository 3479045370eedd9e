import Foundation

/// A sum that shows whether bytes have changed by accident: cut, torn, zeroed. No protection against intent.
///
/// FNV-1a over words of eight bytes instead of single ones, four sums side by side, since each step of one waits for its
/// own multiplication: several gigabytes a second, on every platform alike.
struct Checksum {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Adds `data`. What counts is also where one piece ends and the next begins.
    mutating func add(_ data: Data) {
        data.withUnsafeBytes { add($0) }
    }

    /// Adds `bytes`, as ``add(_:)-(Data)`` does.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        mix(UInt64(bytes.count))
        // Different from the start, so that it counts which of them a word goes to.
        var (first, second, third, fourth) = (value, value &+ 1, value &+ 2, value &+ 3)
        let blocksEnd = bytes.count & ~31
        var offset = 0
        while offset < blocksEnd {
            first = Self.mixed(first, bytes.word(at: offset))
            second = Self.mixed(second, bytes.word(at: offset + 8))
            third = Self.mixed(third, bytes.word(at: offset + 16))
            fourth = Self.mixed(fourth, bytes.word(at: offset + 24))
            offset += 32
        }
        mix(first)
        mix(second)
        mix(third)
        mix(fourth)
        while offset < bytes.count {
            mix(UInt64(bytes[offset]))
            offset += 1
        }
    }

    /// Adds a number.
    mutating func mix(_ word: UInt64) {
        value = Self.mixed(value, word)
    }

    private static func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let product = (sum ^ word) &* 0x0000_0100_0000_01B3
        // Multiplying carries upwards alone: without this, the high half of a word would hardly count.
        return product ^ product >> 32
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

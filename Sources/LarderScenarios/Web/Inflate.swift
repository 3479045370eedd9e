import Foundation

/// Takes off the coding `gzip` (RFC 1951, RFC 1952), for bodies of cases: small ones, and no faster than they need.
struct Inflate {
    private var bytes: ArraySlice<UInt8>
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var output: [UInt8] = []

    private struct Malformed: Error {}

    /// `nil` for what is no whole gzip file of one member.
    static func gunzip(_ data: Data) -> Data? {
        let bytes = [UInt8](data)
        guard bytes.count >= 18, bytes[0] == 0x1F, bytes[1] == 0x8B, bytes[2] == 8 else { return nil }
        var start = 10
        let flags = bytes[3]
        if flags & 4 != 0 {
            guard bytes.count > start + 2 else { return nil }
            start += 2 + Int(bytes[start]) + Int(bytes[start + 1]) << 8
        }
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            guard start < bytes.count, let end = bytes[start...].firstIndex(of: 0) else { return nil }
            start = end + 1
        }
        if flags & 2 != 0 { start += 2 }
        guard start < bytes.count - 8 else { return nil }
        var inflate = Inflate(bytes: bytes[start..<(bytes.count - 8)])
        guard (try? inflate.run()) != nil else { return nil }
        let size = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        return inflate.output.count & 0xFFFF_FFFF == size ? Data(inflate.output) : nil
    }

    private init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    private mutating func take(_ count: Int) throws -> Int {
        while bitCount < count {
            guard let byte = bytes.popFirst() else { throw Malformed() }
            bits |= UInt32(byte) << UInt32(bitCount)
            bitCount += 8
        }
        defer {
            bits >>= UInt32(count)
            bitCount -= count
        }
        return Int(bits & (1 << UInt32(count) - 1))
    }

    private mutating func run() throws {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try stored()
            case 1: try block(Code(Self.fixedLengths), Code([Int](repeating: 5, count: 30)))
            case 2: try dynamic()
            default: throw Malformed()
            }
        }
    }

    private static let fixedLengths = (0..<288).map { $0 < 144 ? 8 : ($0 < 256 ? 9 : ($0 < 280 ? 7 : 8)) }

    private mutating func stored() throws {
        (bits, bitCount) = (0, 0)
        guard bytes.count >= 4 else { throw Malformed() }
        let length = Int(bytes[bytes.startIndex]) | Int(bytes[bytes.startIndex + 1]) << 8
        bytes = bytes.dropFirst(4)
        guard bytes.count >= length else { throw Malformed() }
        output += bytes.prefix(length)
        bytes = bytes.dropFirst(length)
    }

    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private mutating func dynamic() throws {
        let (literals, distances, count) = (try take(5) + 257, try take(5) + 1, try take(4) + 4)
        var lengths = [Int](repeating: 0, count: 19)
        for place in Self.order.prefix(count) { lengths[place] = try take(3) }
        let code = Code(lengths)
        var all: [Int] = []
        while all.count < literals + distances {
            let symbol = try self.symbol(code)
            switch symbol {
            case 16:
                guard let last = all.last else { throw Malformed() }
                all += [Int](repeating: last, count: try take(2) + 3)
            case 17: all += [Int](repeating: 0, count: try take(3) + 3)
            case 18: all += [Int](repeating: 0, count: try take(7) + 11)
            default: all.append(symbol)
            }
        }
        try block(Code(Array(all[..<literals])), Code(Array(all[literals..<(literals + distances)])))
    }

    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145, 8193, 12289, 16385, 24577,
    ]

    private mutating func block(_ literals: Code, _ distances: Code) throws {
        while true {
            let symbol = try self.symbol(literals)
            if symbol < 256 {
                output.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol - 257 < Self.lengthBases.count else { throw Malformed() }
            let length = Self.lengthBases[symbol - 257] + (try take(Self.lengthBits[symbol - 257]))
            let far = try self.symbol(distances)
            guard far < Self.distanceBases.count else { throw Malformed() }
            let distance = Self.distanceBases[far] + (try take(max(0, far / 2 - 1)))
            guard distance <= output.count else { throw Malformed() }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }

    /// A canonical Huffman code: how many of each length, and the symbols in order.
    private struct Code {
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int] = []

        init(_ lengths: [Int]) {
            for length in lengths { counts[length] += 1 }
            counts[0] = 0
            for length in 1..<16 { symbols += lengths.indices.filter { lengths[$0] == length } }
        }
    }

    private mutating func symbol(_ code: Code) throws -> Int {
        var (value, first, index) = (0, 0, 0)
        for length in 1..<16 {
            value |= try take(1)
            let count = code.counts[length]
            if value - first < count { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw Malformed()
    }
}

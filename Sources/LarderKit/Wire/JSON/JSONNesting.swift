/// Which containers are open, as one bit each: no allocation, no recursion, and a limit.
struct JSONNesting {
    /// How deep arrays and objects may nest. RFC 8259 section 9 lets a parser set a limit; SQLite's are 1000 and 2000.
    static let limit = 512

    private var objects = SIMD8<UInt64>()
    private(set) var depth = 0

    /// False, and nothing is opened, when the limit is reached.
    mutating func open(object: Bool) -> Bool {
        guard depth < Self.limit else { return false }
        let bit = UInt64(1) << UInt64(truncatingIfNeeded: depth & 63)
        if object { objects[depth >> 6] |= bit } else { objects[depth >> 6] &= ~bit }
        depth += 1
        return true
    }

    mutating func close() {
        depth -= 1
    }

    /// Whether the innermost open container is an object. Asked only while one is open.
    var isInObject: Bool {
        objects[(depth - 1) >> 6] & (1 << UInt64(truncatingIfNeeded: (depth - 1) & 63)) != 0
    }
}

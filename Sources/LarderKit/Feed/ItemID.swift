/// The identity of an item within a feed: exactly the characters the server served.
///
/// A number and its string form are one id, every digit is kept, and two ids are equal when their UTF-8 bytes are:
/// unlike `String`, which takes canonically equivalent texts for one ("é" composed and decomposed).
public struct ItemID: Sendable {
    /// A whole number written in the one way that has no sign but a minus and no leading zero is kept as a number: most ids
    /// are, and 8 bytes are compared, hashed and stored at a fraction of the cost of 19 digits.
    private enum Storage: Sendable {
        case number(Int64)
        /// Never the digits of such a number.
        case text(String)
    }

    private let storage: Storage

    public init(_ rawValue: String) {
        var text = rawValue
        let number = text.withUTF8 { Int64(canonicalDecimal: $0) }
        storage = number.map { .number($0) } ?? .text(rawValue)
    }

    public init(_ number: some BinaryInteger) {
        storage = Int64(exactly: number).map { .number($0) } ?? .text(String(number))
    }

    /// The id that these bytes say, which must be UTF-8.
    init(utf8 bytes: UnsafeRawBufferPointer) {
        let number = bytes.withMemoryRebound(to: UInt8.self) { Int64(canonicalDecimal: $0) }
        storage = number.map { .number($0) } ?? .text(String(decoding: bytes, as: UTF8.self))
    }

    public var rawValue: String {
        switch storage {
        case .number(let number): number.description
        case .text(let text): text
        }
    }

    /// The number that the id is, if it is one and fits.
    var number: Int64? {
        guard case .number(let number) = storage else { return nil }
        return number
    }
}

extension Int64 {
    /// The number whose ``description`` has just these bytes, or `nil`.
    fileprivate init?(canonicalDecimal digits: UnsafeBufferPointer<UInt8>) {
        let isNegative = digits.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        // 19 digits fit into the magnitude whatever they are.
        guard 1...19 ~= digits.count - start else { return nil }
        var magnitude: UInt64 = 0
        for index in start..<digits.count {
            let digit = digits[index] &- 0x30
            guard digit <= 9 else { return nil }
            magnitude = magnitude &* 10 &+ UInt64(digit)
        }
        if digits[start] == 0x30, isNegative || digits.count > 1 { return nil }
        if isNegative {
            guard magnitude <= Int64.min.magnitude else { return nil }
            self = 0 &- Int64(truncatingIfNeeded: magnitude)
        } else {
            guard magnitude <= UInt64(Int64.max) else { return nil }
            self = Int64(magnitude)
        }
    }
}

extension ItemID: Hashable {
    public static func == (left: ItemID, right: ItemID) -> Bool {
        switch (left.storage, right.storage) {
        case (.number(let left), .number(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.number, .text), (.text, .number): false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch storage {
        case .number(let number): hasher.combine(number)
        case .text(let text): hasher.combine(exactly: text)
        }
    }
}

extension ItemID: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) {
        self.init(value)
    }

    public var description: String { rawValue }
}

extension Hasher {
    /// Combines the UTF-8 bytes of `text`, for types whose equality is that of bytes.
    mutating func combine(exactly text: String) {
        var text = text
        text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
        combine(0xFF as UInt8)
    }
}

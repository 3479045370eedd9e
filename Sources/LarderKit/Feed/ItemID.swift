/// The identity of an item within a feed: exactly the characters the server served.
///
/// A number and its string form are one id, every digit is kept, and two ids are equal when their UTF-8 bytes are:
/// unlike `String`, which takes canonically equivalent texts for one ("é" composed and decomposed).
public struct ItemID: Sendable {
    public let rawValue: String

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    public init(_ number: some BinaryInteger) {
        rawValue = String(number)
    }
}

extension ItemID: Hashable {
    public static func == (left: ItemID, right: ItemID) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(exactly: rawValue)
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

/// Where an item stands in its feed: a greater key is newer.
///
/// Feeds ordered by id compute it from the id; the others assign positions. SQLite sorts every integer before every
/// blob and blobs byte by byte, which is exactly the order here.
enum SortKey: Sendable, Hashable {
    case integer(Int64)
    case bytes([UInt8])
}

extension SortKey: Comparable {
    static func < (left: SortKey, right: SortKey) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left < right
        case (.integer, .bytes): true
        case (.bytes, .integer): false
        case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
        }
    }
}

extension SortKey {
    /// The key of `id` in a feed whose ids compare as `order` says.
    ///
    /// A decimal number without leading zeros that fits 64 bits is its own key. A longer one is its length and its digits,
    /// and so follows all shorter ones. Whatever is no such number ("007", "-1", "x") has no place among numbers: it
    /// stands above them, where a page that holds it is seen to be out of order and proves nothing.
    init(_ id: ItemID, order: Paging.IDOrder) {
        switch order {
        case .text:
            self = .bytes(Array(id.rawValue.utf8))
        case .decimal:
            if let number = id.number, number >= 0 {
                self = .integer(number)
                return
            }
            let text = id.rawValue.utf8
            let isDecimal = !text.isEmpty && text.allSatisfy { (0x30...0x39).contains($0) }
            let isCanonical = isDecimal && (text.count == 1 || text.first != 0x30)
            if isCanonical, text.count <= UInt16.max {
                self = .bytes([Self.longDecimal, UInt8(text.count >> 8), UInt8(text.count & 0xFF)] + text)
            } else {
                self = .bytes([Self.notDecimal] + text)
            }
        }
    }

    private static let longDecimal: UInt8 = 0x01
    private static let notDecimal: UInt8 = 0x02
}

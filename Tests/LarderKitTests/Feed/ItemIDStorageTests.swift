import Testing

@testable import LarderKit

@Suite struct ItemIDStorageTests {
    /// Ids as servers serve them, numbers at and beyond every limit among them.
    static let texts = [
        "0", "1", "-1", "00", "-0", "01", "-01", "+1", "1.0", "1e5", " 1", "1 ", "-", "", "x", "١",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "9999999999999999999", "10000000000000000000", "340282366920938463463374607431768211456", "e\u{301}", "\u{e9}",
    ]

    @Test(arguments: texts) func anIDKeepsEveryCharacter(text: String) {
        #expect(ItemID(text).rawValue.utf8.elementsEqual(text.utf8))
        let bytes = Array(text.utf8)
        #expect(bytes.withUnsafeBytes { ItemID(utf8: $0) } == ItemID(text))
    }

    @Test func idsAreEqualExactlyWhenTheirBytesAre() {
        for left in Self.texts {
            for right in Self.texts {
                let isSame = left.utf8.elementsEqual(right.utf8)
                #expect((ItemID(left) == ItemID(right)) == isSame, "\(left) and \(right)")
            }
        }
        #expect(Set(Self.texts.map { ItemID($0) }).count == Self.texts.count)
    }

    @Test func aNumberAndItsStringFormAreOneID() {
        for number in [0, 1, -1, 1_132_462_081_198_069_383, Int64.max, .min] {
            #expect(ItemID(number) == ItemID(number.description))
            #expect(ItemID(number).hashValue == ItemID(number.description).hashValue)
        }
        #expect(ItemID(UInt64.max) == "18446744073709551615")
    }

    @Test func decimalIDsOfAnyLengthSortAsNumbers() {
        let ascending = [
            "0", "9", "10", "9223372036854775807", "9223372036854775808", "9999999999999999999",
            "10000000000000000000", "340282366920938463463374607431768211456",
        ]
        let keys = ascending.map { SortKey(ItemID($0), order: .decimal) }
        #expect(keys == keys.sorted())
        #expect(Set(keys).count == keys.count)
        // No numbers in this order, and so above all that are.
        for text in ["-1", "007", "x", ""] {
            #expect(SortKey(ItemID(text), order: .decimal) > keys[keys.count - 1])
        }
    }
}

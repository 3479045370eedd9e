import Foundation
import LarderKit
import Testing

@Suite struct ItemIDTests {
    @Test func `a number and its text are one id, and every digit is kept`() {
        #expect(ItemID(42) == "42")
        #expect(ItemID(UInt64.max) == "18446744073709551615")
        #expect(ItemID(-7) == "-7")
        #expect(ItemID("3653247040368672768").rawValue == "3653247040368672768")
        #expect(Set([ItemID(1), "1", Int64(1).itemID, UInt32(1).itemID, "1".itemID]).count == 1)
    }

    @Test func `ids that read alike are different ids`() {
        let ids: [ItemID] = [
            "1", "01", "1 ", "1.0", "+1", "", "\0", "1\0", "A", "a", "\u{E9}", "e\u{301}", "\u{212B}", "\u{C5}",
        ]
        #expect(Set(ids).count == ids.count)
        for (index, id) in ids.enumerated() { #expect(ids.firstIndex(of: id) == index) }
    }

    @Test func `a UUID is its text in small letters`() throws {
        let id = try #require(UUID(uuidString: "123E4567-E89B-12D3-A456-426614174000"))
        #expect(id.itemID == "123e4567-e89b-12d3-a456-426614174000")
    }

    @Test func `every integer is an id`() {
        let ids: [any ItemIDConvertible] = [
            7, 7 as Int8, 7 as Int16, 7 as Int32, 7 as Int64, 7 as UInt, 7 as UInt8, 7 as UInt16, 7 as UInt32,
            7 as UInt64,
        ]
        #expect(ids.allSatisfy { $0.itemID == "7" })
        #expect(UInt.max.itemID == "18446744073709551615")
        #expect(Int8.min.itemID == "-128")
    }
}

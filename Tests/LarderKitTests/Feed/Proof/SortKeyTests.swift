import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

@Suite struct SortKeyTests {
    /// Lowest first.
    private static let decimals: [ItemID] = [
        "0", "1", "8", "9", "10", "11", "99", "100", "101", "738529527931269425", "738529527931269426",
        "9007199254740992", "9007199254740993", "9223372036854775806", "9223372036854775807", "9223372036854775808",
        "18446744073709551615", "18446744073709551616", "99999999999999999999",
        "1000000000000000000000000000000000000000", "1000000000000000000000000000000000000001",
        "10000000000000000000000000000000000000000",
    ].sorted { left, right in
        (left.rawValue.count, left.rawValue) < (right.rawValue.count, right.rawValue)
    }

    private func key(_ id: ItemID) -> SortKey { SortKey(id, order: .decimal) }

    @Test func `decimal ids of any length compare as numbers`() {
        for (low, lower) in Self.decimals.enumerated() {
            for upper in Self.decimals[(low + 1)...] {
                #expect(key(lower) < key(upper), "\(lower) \(upper)")
                #expect(!(key(upper) < key(lower)))
            }
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `random numbers compare by length and then digit by digit`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func number() -> String {
            let count = Int.random(in: 1...(Bool.random(using: &random) ? 45 : 20), using: &random)
            let digits = (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            let canonical = digits.drop { $0 == "0" }
            return canonical.isEmpty ? "0" : String(canonical)
        }
        for _ in 0..<200 {
            let (left, right) = (number(), number())
            #expect((key(ItemID(left)) < key(ItemID(right))) == ((left.count, left) < (right.count, right)))
        }
    }

    @Test(arguments: [
        "", "007", "00", "-1", "+1", "1.0", " 10", "10 ", "1e3", "x", "١", String(repeating: "9", count: 70_000),
    ])
    func `what is no number stands above all numbers`(text: String) throws {
        let highest = try #require(Self.decimals.last)
        #expect(key(ItemID(text)) > key(highest))
    }

    @Test func `two ids never share a key`() {
        let ids = Self.decimals + ["", "7", "007", "00", "-0", "\u{E9}", "e\u{301}", "a\0", "a"]
        for order in [Paging.IDOrder.decimal, .text] {
            #expect(Set(ids.map { SortKey($0, order: order) }).count == ids.count)
        }
    }

    @Test func `text ids compare byte by byte`() {
        let sorted: [ItemID] = [
            "", "\0", "\0\0", "\u{1}", "10", "9", "A", "a", "a\0", "aa", "e\u{301}", "é", "ÿ", "\u{10FFFF}",
        ]
        for (lower, upper) in zip(sorted, sorted.dropFirst()) {
            #expect(SortKey(lower, order: .text) < SortKey(upper, order: .text))
        }
    }

    @Test func `SQLite sorts keys as they compare`() throws {
        let texts: [ItemID] = ["", "\0", "a", "a\0", "ab", "\u{10FFFF}"]
        let keys =
            (Self.decimals + ["007", "", "-1"]).map(key) + texts.map { SortKey($0, order: .text) }
            + [.integer(.min), .integer(-1)]
        let database = try Database(.memory)
        let stored = try database.writeSync { db in
            try db.executeScript("CREATE TABLE list (key NOT NULL UNIQUE)")
            for key in Set(keys) {
                try db.withStatement("INSERT INTO list VALUES (?1)") { statement in
                    try statement.bind(key, at: 1)
                    try statement.run()
                }
            }
            return try db.withStatement("SELECT key FROM list ORDER BY key") { statement in
                try statement.collect { try $0.sortKey(0) }
            }
        }
        #expect(stored == Set(keys).sorted())
    }
}

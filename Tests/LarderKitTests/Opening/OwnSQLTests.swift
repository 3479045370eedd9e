import Foundation
import LarderKit
import LarderSQLite
import LarderTestKit
import Testing

/// An app's own SQL on the cache file.
@Suite struct OwnSQLTests {
    private let world = TestWorld()

    struct Item: Codable, Sendable, Identifiable {
        let id: String
    }

    private struct Row: Hashable {
        let partition: String
        let feed: String
        let id: String
        let body: String
        let storedAt: Double
    }

    private func rows(_ larder: Larder) throws -> [Row] {
        try larder.read { db in
            try db.query("SELECT partition, feed, id, body, stored_at FROM larder_item ORDER BY partition, feed, id") {
                row in
                Row(
                    partition: try row.text(0), feed: try row.text(1), id: try row.text(2),
                    body: String(decoding: try row.data(3), as: UTF8.self), storedAt: try row.double(4))
            }
        }
    }

    @Test(arguments: [
        (
            "decimal", Paging.byID(.decimal),
            ["36532470403686727689999", "9223372036854775808", "9223372036854775807", "100", "9", "0"]
        ),
        ("not canonical", .byID(.decimal), ["007", "-1", "x"]),
        ("text", .byID(.text), ["ä", "b", "B", "a\0b", "10", "01"]),
        ("position", .afterItem(), ["9", "zebra", "007", "e\u{301}", "\u{E9}", ""]),
        ("ranked", .afterItem(order: .ranked), ["1", "2"]),
    ])
    func `the view shows the items of every kind of feed, by the ids the server gave them`(
        name: String, paging: Paging, ids: [String]
    ) async throws {
        let larder = Larder.inMemory(environment: world.environment)
        for partition in ["", "ann"] {
            let feed = larder.partition(partition).feed(name, paging: paging) { _ in Page(ids.map(Item.init)) }
            _ = try await feed.page(.newest)
        }
        let rows = try rows(larder)
        #expect(rows.count == 2 * ids.count)
        for partition in ["", "ann"] {
            let own = rows.filter { $0.partition == partition }
            // Compared as bytes: to a String, two of these are the same.
            #expect(Set(own.map { Array($0.id.utf8) }) == Set(ids.map { Array($0.utf8) }))
        }
        for row in rows {
            #expect(row.feed == name)
            let item = try JSONDecoder().decode(Item.self, from: Data(row.body.utf8))
            #expect(item.id.utf8.elementsEqual(row.id.utf8))
            // No two answers come at the same time.
            #expect((0...0.005).contains(row.storedAt - world.clock.now().timeIntervalSince1970))
        }
    }

    @Test func `tables of one's own live beside, in transactions`() async throws {
        let folder = try TestFolder()
        do {
            let larder = try Larder(.folder(folder.url), environment: world.environment)
            try await larder.write { db in
                try db.executeScript("CREATE TABLE draft (text TEXT NOT NULL)")
                try db.execute("INSERT INTO draft VALUES (\("one"))")
            }
            await #expect(throws: SQLiteError.self) {
                try await larder.write { db in
                    try db.execute("INSERT INTO draft VALUES (\("two"))")
                    try db.executeScript("INSERT INTO nowhere VALUES (1)")
                }
            }
            larder.close()
        }
        let larder = try Larder(.folder(folder.url), environment: world.environment)
        #expect(try larder.read { db in try db.query("SELECT text FROM draft") { try $0.text(0) } } == ["one"])
    }

    @Test func `reading cannot write`() throws {
        let folder = try TestFolder()
        let larder = try Larder(.folder(folder.url), environment: world.environment)
        #expect(throws: SQLiteError.self) { try larder.read { db in try db.executeScript("CREATE TABLE t (a)") } }
    }
}

import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// Rows prove themselves: one of which anything that is served or concluded from has changed is not shown as if it were right.
@Suite struct RowChecksumTests {
    private let world = TestWorld()
    private let larder: Larder

    init() { larder = .inMemory(environment: world.environment) }

    private func sum(_ build: (inout RowChecksum) -> Void) -> Int64 {
        var sum = RowChecksum(.item)
        build(&sum)
        return sum.value
    }

    @Test func `columns of different kinds, lengths and places add up to different sums`() {
        let none: Int64? = nil
        let noText: String? = nil
        let sums = [
            sum { _ in }, sum { $0.add(Int64(0)) }, sum { $0.add(Int64(1)) }, sum { $0.add(none) }, sum { $0.add("") },
            sum { $0.add("0") }, sum { $0.add(blob: []) }, sum { $0.add(blob: [48]) },
            sum {
                $0.add("a")
                $0.add("bc")
            },
            sum {
                $0.add("ab")
                $0.add("c")
            },
            sum {
                $0.add(none)
                $0.add(Int64(0))
            },
            sum {
                $0.add(Int64(0))
                $0.add(noText)
            },
        ]
        #expect(Set(sums).count == sums.count)
    }

    @Test func `the function in SQL adds up the same`() async throws {
        var sum = RowChecksum(.entry)
        sum.add("part\0ition")
        sum.add(Int64.min)
        sum.add(String?.none)
        sum.add(blob: [0, 255, 7])
        sum.add(SortKey.bytes([1]))
        let value = sum.value
        let sql: SQL = """
            SELECT larder_checksum('entry', \("part\0ition"), \(Int64.min), NULL, \(Data([0, 255, 7])), \(Data([1])))
            """
        #expect(try larder.read { db in try db.first(sql) { try $0.int64(0) } } == value)
    }

    private static let damages = [
        "body = x'32'", "stamp = stamp + 1", "stored_at = stored_at + 1", "lifetime = 7", "etag = 'W/\"x\"'",
        "last_modified = 'x'", "while_revalidate = 1", "if_error = 1", "size = 3", "blob = 'aa/b'", "checksum = 0",
        "body_checksum = 0", "partition = 'other'", "key = 'other'", "codec = codec + 1",
        "checksum = 'x'", "size = 1.5",
    ]

    @Test(arguments: damages)
    func `a value of which a column has changed is damaged, and replaced by the next answer`(damage: String)
        async throws
    {
        let origin = ScriptedFetch<Void, Int>(.answer(1), .answer(2))
        let resource = larder.common.resource("k", maxAge: .seconds(60)) { try await origin() }
        _ = try await resource.read()
        try await larder.write { db in
            try db.executeScript("PRAGMA foreign_keys = OFF")
            try db.executeScript("INSERT INTO larder_codec VALUES (2, 'x', 1); UPDATE larder_entry SET \(damage)")
        }
        // What is decoded in memory is still right.
        larder.core.tier.removeAll()
        let isElsewhere = damage.hasPrefix("key") || damage.hasPrefix("partition")
        if isElsewhere {
            #expect(try resource.peek() == nil)
            let thief = Partition(core: larder.core, name: damage.hasPrefix("key") ? "" : "other")
                .resource(damage.hasPrefix("key") ? "other" : "k") { 0 }
            #expect(throws: LarderError.self) { try thief.peek() }
        } else {
            #expect(throws: LarderError.self) { try resource.peek() }
        }
        #expect(try await resource.read().value == 2)
        #expect(try resource.peek()?.value == 2)
        try origin.verify()
    }

    private func feed(_ answers: ScriptedFetch<PageRequest, Page<String>>) -> Feed<String> {
        larder.common.feed("f", id: \.self, paging: .byID(.text)) { try await answers($0) }
    }

    @Test(arguments: ["body = x'2278'", "codec = codec + 1", "checksum = 1", "feed = feed + 0.0"])
    func `an item that has changed costs itself, and comes back with the next answer`(damage: String) async throws {
        let page = Page(["c", "b", "a"], next: nil)
        let feed = feed(ScriptedFetch(.answer(page), .answer(page)))
        _ = try await feed.page()
        try await larder.write { db in
            try db.executeScript("INSERT INTO larder_codec VALUES (2, 'x', 1)")
            try db.executeScript("UPDATE larder_feed_item SET \(damage) WHERE key = x'61'")
        }
        let stored = try #require(try feed.peek(limit: 3))
        #expect(stored.value.items == (damage.hasPrefix("feed") ? ["c", "b", "a"] : ["c", "b"]))
        let again = try await feed.page(policy: .networkOnly)
        #expect(again.value.items == ["c", "b", "a"])
        #expect(again.warnings.isEmpty)
    }

    @Test(arguments: [
        "low = x'01'", "stamp = stamp + 1", "at = at + 1", "lifetime = 99", "feed = feed + 1",
    ])
    func `a stretch of which anything has changed proves nothing`(damage: String) async throws {
        let feed = feed(ScriptedFetch(.answer(Page(["c", "b"]))))
        _ = try await feed.page()
        try await larder.write { db in
            try db.executeScript(
                "UPDATE larder_segment SET \(damage) WHERE low = (SELECT max(low) FROM larder_segment)")
        }
        let stored = try feed.peek(limit: 2)
        #expect(stored?.value.isComplete != true)
    }

    @Test func `a feed's row that is another feed's shows none of that one's items`() async throws {
        let feed = feed(ScriptedFetch(.answer(Page(["c", "b"], next: nil))))
        _ = try await feed.page()
        let other = larder.partition("anna").feed("secret", id: \.self, paging: .byID(.text)) { _ in
            Page(["mine"], next: nil)
        }
        _ = try await other.page()
        try await larder.write { db in
            try db.executeScript(
                """
                UPDATE larder_feed SET name = 'gone' WHERE name = 'f';
                UPDATE larder_feed SET name = 'f', partition = '' WHERE name = 'secret';
                """)
        }
        larder.core.forgetFeedStates(in: "")
        #expect(throws: LarderError.self) { try feed.peek() }
    }

    @Test func `what stands around items and has changed is left out`() async throws {
        let body = Data(#"{"items":[{"id":1}],"accounts":[7]}"#.utf8)
        let feed: Feed<Data> = larder.common.feedOfBytes(
            "f", json: try JSONItems(at: "$.items", keepsEnvelope: true), paging: .byID
        ) { _ in RawAnswer(status: 200, headers: ["Content-Type": "application/json"], body: body) }
        #expect(try await feed.page().value.envelopes.count == 1)
        try await larder.write { db in try db.executeScript("UPDATE larder_envelope SET body = x'7b7d'") }
        #expect(try feed.peek()?.value.envelopes == [])
    }

    @Test func `a feed whose row is damaged does not hide the others`() async throws {
        _ = try await feed(ScriptedFetch(.answer(Page(["a"])))).page()
        let other = larder.common.feed("other", id: \.self, paging: .byID(.text)) { _ in Page(["b", "c"]) }
        _ = try await other.page()
        try await larder.write { db in try db.executeScript("UPDATE larder_feed SET checksum = 7 WHERE name = 'f'") }
        #expect(try await larder.feeds().map(\.name) == ["other"])
        try await larder.common.remove(item: "b")
        #expect(try other.peek()?.value.items == ["c"])
    }
}

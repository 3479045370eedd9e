import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// A snapshot that is not what it should be, be it by accident or by intent.
@Suite struct SnapshotDamageTests {
    let world: SnapshotWorld

    init() throws { world = try SnapshotWorld() }

    private func kind(of file: URL, into larder: Larder) async -> StorageError.Kind? {
        do {
            try await larder.importSnapshot(from: file)
            return nil
        } catch {
            return error.kind
        }
    }

    /// Runs SQL on the file, as somebody else might.
    private func tamper(_ sql: String) async throws {
        let database = try Database(.file(world.file.path))
        try await database.withWriter { db in
            try RowChecksum.register(on: db)
            try db.executeScript("PRAGMA writable_schema = 1; \(sql); PRAGMA journal_mode = DELETE")
        }
        database.close()
    }

    @Test func whatWasGivenUpForRoomIsNotStoredAndNoDamage() async throws {
        try await world.put("large", size: 100_000, in: world.source.common)
        let blobs = try #require(world.source.core.sqliteStore.blobs)
        blobs.giveUp(blobs.settled(now: .distantFuture).map(\.name))
        let report = try await world.source.exportSnapshot(to: world.file)
        #expect(report.values == 0 && report.leftOut.isEmpty)
    }

    @Test func whatIsNoSnapshotIsSaidToBeNone() async throws {
        let folder = world.folder
        try Data("<html>sign in</html>".utf8).write(to: folder.url("page"))
        try Data().write(to: folder.url("empty"))
        try await world.put("k", size: 10, in: world.source.common)

        #expect(await kind(of: folder.url("nowhere"), into: world.target) == .missing)
        #expect(await kind(of: folder.url("page"), into: world.target) == .notALarder)
        #expect(await kind(of: folder.url("empty"), into: world.target) == .notALarder)
        #expect(await kind(of: folder.url("source"), into: world.target) == .notALarder)
        let cache = folder.url("source").appendingPathComponent("cache.sqlite")
        #expect(await kind(of: cache, into: world.target) == .notALarder)
    }

    @Test(arguments: [
        ("PRAGMA user_version = 2", StorageError.Kind.newerFormat),
        ("PRAGMA user_version = 0", .corrupt),
        ("PRAGMA application_id = 7", .notALarder),
        ("CREATE TABLE more (a)", .corrupt),
        ("DROP TABLE snapshot_value; CREATE VIEW snapshot_value AS SELECT 1 AS partition", .corrupt),
        ("CREATE TRIGGER t AFTER INSERT ON snapshot_item BEGIN SELECT 1; END", .corrupt),
        ("UPDATE snapshot_about SET stamp = stamp + 1", .corrupt),
        ("DELETE FROM snapshot_about", .corrupt),
        ("INSERT INTO snapshot_about SELECT * FROM snapshot_about", .corrupt),
    ])
    func aFileOfAnotherMakeIsRefused(_ sql: String, _ expected: StorageError.Kind) async throws {
        try await world.fill(world.source)
        try await world.source.exportSnapshot(to: world.file)
        try await tamper(sql)

        #expect(await kind(of: world.file, into: world.target) == expected)
        #expect(try await CacheContents(world.target) == CacheContents(world.fresh()))
    }

    /// An error of the cache has it repaired; one of the snapshot is told apart from those.
    @Test(arguments: ["UPDATE snapshot_about SET stamp = 1", "PRAGMA user_version = 0", "PRAGMA application_id = 1"])
    func aDamagedSnapshotIsNoReasonToRepairTheCache(_ sql: String) async throws {
        try await world.fill(world.source)
        try await world.source.exportSnapshot(to: world.file)
        try await tamper(sql)
        let file = SnapshotFile(path: world.file.path)

        #expect(throws: SnapshotTrouble.self) {
            try world.target.core.database.read { _ in try file.read { db in _ = try file.about(in: db) } }
        }
    }

    @Test func anItemThatIsLostLeavesItsStretchInPieces() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...20)
        let feed = world.source.common.feed("home", paging: .byID, fetch: server.fetchPage)
        _ = try await feed.page(limit: 10)
        _ = try await feed.page(.older(than: "11"), limit: 10)
        try await world.source.exportSnapshot(to: world.file)
        try await tamper("DELETE FROM snapshot_item WHERE key = 15")

        let report = try await world.target.importSnapshot(from: world.file)

        #expect(report.items == 19 && report.leftOut == [.damaged: 1])
        let there = world.target.common.feed("home", paging: .byID, fetch: server.fetchPage)
        let gaps = try there.gaps()
        #expect(gaps.contains(Gap(above: "16", below: "14")))
        #expect(!gaps.contains { $0.below == "9" }, "what has lost nothing holds together")
        #expect(try #require(try there.timeline()).value.isAtEnd == false || gaps.count > 1)
    }

    @Test func anItemThatIsDamagedHereIsAGapThere() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...10)
        let feed = world.source.common.feed("home", paging: .byID, fetch: server.fetchPage)
        _ = try await feed.page(limit: 5)
        _ = try await feed.page(.older(than: "6"), limit: 5)
        try await world.put("good", size: 3, in: world.source.common)
        try await world.put("bad", size: 3, in: world.source.common)
        try await world.source.write { db in
            try db.execute("UPDATE larder_feed_item SET body = x'00' WHERE key = 5")
            try db.execute("UPDATE larder_entry SET etag = 'other' WHERE key = 'bad'")
        }

        let report = try await world.source.exportSnapshot(to: world.file)
        try await world.target.importSnapshot(from: world.file)

        #expect(report.leftOut == [.damaged: 2] && report.values == 1 && report.items == 9)
        let there = world.target.common.feed("home", paging: .byID, fetch: server.fetchPage)
        #expect(try there.gaps() == [Gap(above: "6", below: "4")])
    }

    @Test func rowsOfAnotherHandMayBeAnything() async throws {
        try await world.fill(world.source)
        try await world.source.exportSnapshot(to: world.file)
        // Their checksums are right, as far as whoever wants to do harm can make them.
        try await tamper(
            """
            UPDATE snapshot_value SET stored_at = \(Int64.max), checksum = 7 WHERE key = 'empty';
            UPDATE snapshot_value SET stamp = 'x' WHERE key LIKE 'a/%';
            UPDATE snapshot_segment SET high = x'20' WHERE rowid % 2 = 0;
            UPDATE snapshot_segment SET low = zeroblob(100000) WHERE rowid = 1;
            UPDATE snapshot_item SET key = \(Int64.min) WHERE rowid = 1;
            UPDATE snapshot_item SET key = 1.5, id = x'00' WHERE rowid = 2;
            UPDATE snapshot_edge SET position = \(Int64.min), shift = \(Int64.max);
            INSERT INTO snapshot_item SELECT * FROM snapshot_item;
            INSERT INTO snapshot_feed SELECT id + 100, partition, name, paging, latest, largest_page, kind, edge_count,
                edge_sum, checksum FROM snapshot_feed
            """)

        let report = try await world.target.importSnapshot(from: world.file)

        #expect(report.values == 3 && report.items == 58)
        let (mine, theirs) = (try await Claims(world.source), try await Claims(world.target))
        try theirs.holdTrue(beside: mine)
    }

    /// A few bytes changed, or the end cut off, hundreds of times: nothing that is taken in is anything but what was there.
    @Test func noFlippedBitIsTakenForAnythingElse() async throws {
        try await world.fill(world.source)
        try await world.source.exportSnapshot(to: world.file, partitions: .named("", "anna"))
        let sound = try Data(contentsOf: world.file)
        let mine = try await Claims(world.source)
        var random = SplitMix64(seed: 4711)
        var (refused, whole, partial) = (0, 0, 0)
        for round in 0..<300 {
            var bytes = sound
            if round % 5 == 4 {
                bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
            } else {
                // Most of the file is one body or another: the head and the pages' heads get more than their share.
                for _ in 0...(round % 4) {
                    let page = Int.random(in: 0..<bytes.count / 8192, using: &random) * 8192
                    let reach = [100, 300, 8192][round % 3]
                    bytes[page + Int.random(in: 0..<reach, using: &random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &random)
                }
            }
            let file = world.folder.url("round")
            try Data(bytes).write(to: file)
            let larder = Larder.inMemory(environment: world.world.environment)
            do {
                let report = try await larder.importSnapshot(from: file)
                if report.leftOut[.damaged] == nil { whole += 1 } else { partial += 1 }
            } catch {
                refused += 1
                #expect([.corrupt, .notALarder, .newerFormat, .notPermitted, .other].contains(error.kind), "\(error)")
                #expect(try await CacheContents(larder, partitions: ["", "anna"]) == CacheContents(world.fresh()))
            }
            try await Claims(larder).holdTrue(beside: mine)
        }
        #expect(refused > 30 && partial > 30, "refused \(refused), in part \(partial), whole \(whole)")
    }
}

/// What a cache says of its values and feeds, to be held against what another one knows.
struct Claims {
    struct Feed {
        let items: [SortKey: Data]
        let segments: [Segment]

        func keys(in span: Span) -> Set<SortKey> { Set(items.keys.filter { span.contains($0) }) }
    }

    let values: Set<CacheContents.Value>
    let feeds: [StoreKey: Feed]

    init(_ larder: Larder) async throws {
        values = try await CacheContents(larder, partitions: ["", "anna"]).values
        feeds = try larder.core.database.read { db in
            let all = try StoredFeed.all(in: db).map { feed in
                let items = try ItemTable(feed: feed.id, order: feed.order)
                    .items(next: .below, to: .top, limit: 1_000_000, in: db)
                return (
                    StoreKey(partition: feed.partition, key: feed.name),
                    Feed(
                        items: Dictionary(items.map { ($0.key, $0.body) }) { first, _ in first },
                        segments: try SegmentTable(feed: feed.id).segments(touching: Span(.bottom, .top), in: db))
                )
            }
            return Dictionary(all) { first, _ in first }
        }
    }

    /// Every value and item is one of the other's, and what is said to be all that lies in a stretch is that.
    func holdTrue(beside other: Claims) throws {
        guard values.isSubset(of: other.values) else { throw Violation("a value that was never stored") }
        for (name, feed) in feeds {
            guard let original = other.feeds[name] else { throw Violation("a feed that never was") }
            for (key, body) in feed.items where original.items[key] != body {
                throw Violation("an item that never was")
            }
            var reach = Cut.bottom
            for segment in feed.segments {
                guard segment.span.low >= reach else { throw Violation("two stretches overlap") }
                reach = segment.span.high
                guard feed.keys(in: segment.span) == original.keys(in: segment.span) else {
                    throw Violation("a hole that looks whole")
                }
                // One item alone claims nothing; a stretch is one that was proven there, by an answer of that time.
                if case .below(let key) = segment.span.low, segment.span == Span(of: key) { continue }
                guard original.segments.contains(where: { $0.span.intersection(segment.span) == segment.span }) else {
                    throw Violation("a stretch that was never proven")
                }
            }
        }
    }
}

import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// What an answer does to what is stored, where a random history would meet it too seldom.
@Suite struct FeedWriterTests {
    private let database: Database

    init() throws {
        database = try Database(.memory)
        try SchemaSetup.run(on: database, path: nil)
    }

    private struct Answer {
        var request = PageRequest(limit: 5)
        var ids: [ItemID?]
        var order: Int64
        var follows = PageFollowing.unknown
    }

    /// Applies answers one after the other; gives what each changed, and the runs that are stored at the end.
    private func apply(_ answers: [Answer], paging: Paging) throws -> (changes: [FeedChange], runs: [[ItemID]]) {
        try database.writeSync { db in
            let writer = FeedWriter(partition: "me", name: "home", paging: paging)
            let changes = try answers.map { answer in
                try writer.apply(
                    IncomingPage(
                        request: answer.request, ids: answer.ids,
                        bodies: .separate(answer.ids.map { Data("\(String(describing: $0))".utf8) }),
                        follows: answer.follows, codec: CodecID(name: "test", version: 1),
                        stamp: Stamp(order: answer.order, at: answer.order, lifetime: nil), storedAt: answer.order),
                    in: db)
            }
            let reader = FeedReader(feed: try writer.openRow(in: db).id, paging: paging)
            let runs = try StoredFeedState(reader, in: db).runs.map { $0.items.map(\.id) }.filter { !$0.isEmpty }
            return (changes, runs)
        }
    }

    @Test(arguments: [Paging.byID(), .afterItem()], [PageFollowing.unknown, .nothing])
    func `an empty answer over stored items has to come twice, whatever it says of itself`(
        paging: Paging, follows: PageFollowing
    ) throws {
        let (changes, runs) = try apply(
            [
                Answer(ids: ["3", "2", "1"], order: 1), Answer(ids: [], order: 2, follows: follows),
                Answer(ids: [], order: 3, follows: follows),
            ], paging: paging)
        #expect(changes[1].removed == [] && changes[1].distrustsEmptyAnswer)
        #expect(changes[2].removed == ["3", "2", "1"] && !changes[2].distrustsEmptyAnswer)
        #expect(runs == [])
    }

    @Test func `two empty answers have to follow each other`() throws {
        let (changes, runs) = try apply(
            [
                Answer(ids: ["3", "2", "1"], order: 1), Answer(ids: [], order: 2), Answer(ids: ["3"], order: 3),
                Answer(ids: [], order: 4),
            ], paging: .byID)
        #expect(changes[3].distrustsEmptyAnswer && runs == [["3", "2", "1"]])
    }

    @Test func `an empty answer counts only if it was asked for after the items that it would remove`() throws {
        let (changes, runs) = try apply(
            [Answer(ids: ["3"], order: 4), Answer(ids: [], order: 2), Answer(ids: [], order: 5)], paging: .byID)
        #expect(changes.map(\.distrustsEmptyAnswer) == [false, true, true] && runs == [["3"]])
    }

    @Test func `empty answers about parts of an emptied feed confirm the one about all of it`() throws {
        let older = PageRequest(below: "3", limit: 5)
        let (changes, runs) = try apply(
            [
                Answer(ids: ["3", "2", "1"], order: 1), Answer(ids: [], order: 2),
                Answer(request: older, ids: [], order: 3),
            ],
            paging: .byID)
        #expect(changes[2].removed == ["2", "1"] && runs == [["3"]])
    }

    @Test func `a page that holds only the bound's item over stored items has to come twice, and ends the feed`() throws
    {
        let older = PageRequest(below: "3", limit: 5)
        for paging in [Paging.byID(), .afterItem()] {
            let (changes, runs) = try apply(
                [
                    Answer(ids: ["3", "2"], order: 1), Answer(request: older, ids: ["3"], order: 2),
                    Answer(request: older, ids: ["3"], order: 3),
                ], paging: paging)
            #expect(changes[1].removed == [] && changes[2].removed == ["2"] && runs == [["3"]])
            try database.writeSync { db in try db.executeScript("DELETE FROM larder_feed") }
        }
    }

    @Test func `a repeated item does not make later full pages seem short`() throws {
        let paging = Paging.byID(shortPages: .proveTheEnd)
        let (_, runs) = try apply(
            [
                Answer(ids: ["9", "9", "8", "7"], order: 1),
                Answer(request: PageRequest(limit: 9), ids: ["9", "8", "7"], order: 2),
                Answer(request: PageRequest(below: "3", limit: 9), ids: ["2"], order: 3),
            ], paging: paging)
        #expect(runs == [["9", "8", "7"], ["2"]])
        let isAtEnd = try database.read { db in
            let reader = FeedReader(feed: 1, paging: paging)
            return try reader.stretch(at: .older(than: "7"), limit: 3, in: db).isAtEnd
        }
        #expect(!isAtEnd)
    }

    @Test func `an item is at one place, also when its new one is not settled`() throws {
        let (_, runs) = try apply(
            [
                Answer(ids: ["d", "c", "b", "a"], order: 1), Answer(ids: ["x", "d", "c"], order: 4),
                Answer(ids: ["a", "d", "c"], order: 3),
            ], paging: .afterItem())
        #expect(runs == [["x", "d", "c", "b", "a"]])
    }
}

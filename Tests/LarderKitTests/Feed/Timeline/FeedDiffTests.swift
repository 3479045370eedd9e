import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// How timelines become others, on random histories of the tables beneath them.
@Suite struct FeedDiffTests {
    @Test func aListIsCutIntoWhatStaysAndWhatGoes() {
        #expect([].longestIncreasing() == [])
        #expect([0, 1, 2].longestIncreasing() == [0, 1, 2])
        #expect([5, 0, 1, 2].longestIncreasing() == [1, 2, 3])
        #expect([2, 1, 0].longestIncreasing().count == 1)
        #expect([3, 4, 0, 5, 1, 6].longestIncreasing() == [0, 1, 3, 5])
    }

    @Test(arguments: HistoryDrive.seeds(rounds: 8, from: 1))
    func theDiffMakesOfTheOldTimelineTheNewOne(seed: UInt64) throws {
        let database = try Database(.memory)
        try SchemaSetup.run(on: database, path: nil)
        try database.writeSync { db in
            var random = SplitMix64(seed: seed)
            let isByID = seed.isMultiple(of: 2)
            let limit = seed.isMultiple(of: 3) ? 300 : Int.max
            var list = TimelineTables(order: isByID ? .byID(.decimal) : .byPosition(.ranked))
            try list.fill(700, in: db)
            var seen = [try list.read(after: nil, touched: nil, limit: limit, in: db)]

            for _ in 0..<12 {
                var touched: [Span] = []
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    touched += try list.change(using: &random, in: db)
                }
                let fresh = try list.read(after: nil, touched: nil, limit: limit, in: db)
                let next = try list.read(after: seen[seen.count - 1], touched: touched, limit: limit, in: db)
                #expect(next.all == fresh.all)

                let old = seen.randomElement(using: &random) ?? next
                for (from, to) in [(seen[seen.count - 1], next), (old, next), (old, fresh), (next, old)] {
                    let diff = FeedDiff(from: from, to: to)
                    try check(diff, from.all, to.all)
                    if isByID { #expect(diff.moves.isEmpty, "where ids tell the place, nothing moves") }
                }
                #expect(FeedDiff(from: next, to: fresh).isEmpty)
                seen.append(next)
            }
        }
    }

    private func check(_ diff: FeedDiff, _ old: [TimelineRows.Row], _ new: [TimelineRows.Row]) throws {
        #expect(diff.applied(to: old.map(\.id), taking: new.map(\.id)) == new.map(\.id))
        // Nothing is named that did not change.
        let (before, after) = (Set(old.map(\.id)), Set(new.map(\.id)))
        #expect(diff.removals.ranges.joined().allSatisfy { !after.contains(old[$0].id) })
        #expect(diff.insertions.ranges.joined().allSatisfy { !before.contains(new[$0].id) })
        #expect(diff.moves.allSatisfy { old[$0.from].id == new[$0.to].id })
        let versions = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0.version) })
        let changed = new.indices.filter { index in
            versions[new[index].id].map { $0 != new[index].version } ?? false
        }
        #expect(diff.updates.ranges.flatMap(\.self) == changed)
    }

    @Test func whatComesOnTopAgainIsOneMove() throws {
        let database = try Database(.memory)
        try SchemaSetup.run(on: database, path: nil)
        try database.writeSync { db in
            var list = TimelineTables(order: .byPosition(.newestOnTop))
            try list.fill(1000, in: db)
            let old = try list.read(after: nil, touched: nil, limit: .max, in: db)
            let touched = try list.move(from: 700, to: 0, in: db)
            let new = try list.read(after: old, touched: touched, limit: .max, in: db)

            let diff = FeedDiff(from: old, to: new)

            #expect(diff.moves == [.init(from: 700, to: 0)])
            #expect(diff.insertions.isEmpty && diff.removals.isEmpty && diff.updates.isEmpty)
            #expect(new.index(of: old.entry(at: 700).id) == 0)
        }
    }
}

extension FeedDiff {
    /// The old rows changed as the diff says; what is inserted is taken out of `new`.
    func applied<Row>(to old: [Row], taking new: [Row]) -> [Row] {
        let leaving = Set(removals.ranges.joined()).union(moves.map(\.from))
        var rest = old.indices.filter { !leaving.contains($0) }.map { old[$0] }[...]
        var coming: [Int: Row] = [:]
        for index in insertions.ranges.joined() { coming[index] = new[index] }
        for move in moves { coming[move.to] = old[move.from] }
        return (0..<rest.count + coming.count).compactMap { coming[$0] ?? rest.popFirst() }
    }
}

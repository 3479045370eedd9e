import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// A cache under a small budget, against what it may have kept.
@Suite(.timeLimit(.minutes(5))) struct BudgetModelTests {
    private struct Model {
        /// When each thing was last used, as exactly as that is known.
        var used: [StoreKey: Int64] = [:]
        var pinned: Set<StoreKey> = []
    }

    private static let budget = 2_000_000
    private static let partitions = ["", "ada", "bob"]

    @Test(arguments: 0..<12)
    func `the budget is kept by the least recently used, and nothing that is pinned or new goes`(seed: UInt64)
        async throws
    {
        var random = SplitMix64(seed: seed)
        let world = try BudgetWorld(Self.budget)
        // What is read from memory alone is known less exactly.
        world.core.tier.setLimit(0)
        var model = Model()
        for _ in 0..<120 {
            let partition = Self.partitions.randomElement(using: &random) ?? ""
            let key = StoreKey(partition: partition, key: "k\(Int.random(in: 0..<14, using: &random))")
            // Of each key one place, so that one name is one thing.
            let storage: ResourceOptions.Storage = key.key.hasSuffix("3") ? .files : .database
            let value = world.value(key.key, in: partition, storage: storage)
            var latest: StoreKey?
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let size = [500, 20_000, 60_000, 150_000, 300_000].randomElement(using: &random) ?? 0
                if try await refusal(of: size, value) {
                    // Only what is pinned keeps room from being made.
                    #expect(!model.pinned.isEmpty)
                } else {
                    model.used[key] = world.world.clock.now().millisecondsSince1970
                    latest = key
                }
            case 6..<8:
                if try value.peek() != nil {
                    #expect(model.used[key] != nil)
                    let now = world.world.clock.now().millisecondsSince1970
                    if now - (model.used[key] ?? 0) >= AccessMarks.granularity { model.used[key] = now }
                }
            case 8:
                let isPinned = !model.pinned.contains(key) && model.pinned.count < 3
                try await value.pin(isPinned)
                if isPinned { model.pinned.insert(key) } else { model.pinned.remove(key) }
            default:
                await world.world.advance(by: .seconds(Int.random(in: 1...7200, using: &random)))
            }
            await world.settle()
            try await check(&model, world, latest: latest)
        }
        _ = try await world.larder.tidy()
        try await check(&model, world, latest: nil)
        #expect(try world.larder.usage().total <= Self.budget)
        #expect(world.events.all.contains { if case .trimmed = $0 { true } else { false } })
    }

    /// Stores a value; says whether it was refused for want of room.
    private func refusal(of size: Int, _ value: Resource<Data>) async throws -> Bool {
        do throws(LarderError) { try await value.store(Data(repeating: 1, count: size)) } catch {
            guard case .storage(let trouble) = error, trouble.kind == .overBudget else { throw error }
            return true
        }
        return false
    }

    private func check(_ model: inout Model, _ world: BudgetWorld, latest: StoreKey?) async throws {
        let usage = try world.larder.usage()
        #expect(usage.total <= Self.budget + BudgetKeeper.step(Self.budget))
        let stored = Set(try await world.larder.resources().map(\.key))
        #expect(stored.isSubset(of: model.used.keys))
        let gone = Set(model.used.keys).subtracting(stored)
        #expect(gone.isDisjoint(with: model.pinned))
        if let latest { #expect(stored.contains(latest)) }
        let newestGone = gone.compactMap { model.used[$0] }.max() ?? .min
        let oldestKept = stored.subtracting(model.pinned).compactMap { model.used[$0] }.min() ?? .max
        #expect(gone.isEmpty || newestGone <= oldestKept + AccessMarks.granularity)
        for key in gone { model.used[key] = nil }
        // What the database says of large values is what lies there.
        let blobs = world.folder.contents().filter { $0.hasPrefix("blobs/") && $0.utf8.count == 41 }
        let named = try world.larder.read { db in
            try db.query("SELECT 'blobs/' || blob FROM larder_entry WHERE blob IS NOT NULL") { try $0.text(0) }
        }
        #expect(Set(blobs) == Set(named))
    }

    @Test(arguments: 0..<8)
    func `a feed never claims what was trimmed`(seed: UInt64) async throws {
        typealias Item = SimulatedFeedServer.Item
        var random = SplitMix64(seed: seed)
        let world = try BudgetWorld(nil)
        let server = try SimulatedFeedServer(.decimal, holding: 1...400)
        let feed: Feed<Item> = world.larder.common.feed(
            "home", paging: .byID(parameters: [.since, .min, .max]), fetch: server.fetchPage)
        var newest = 400
        for _ in 0..<25 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                let count = Int.random(in: 1...60, using: &random)
                _ = try server.insert(newest + 1...newest + count)
                newest += count
                try await feed.refresh()
            case 1, 2: try await feed.loadOlder(limit: .random(in: 5...100, using: &random))
            case 3: if let gap = try feed.gaps().first { try await feed.fill(gap) }
            case 4: await world.world.advance(by: .seconds(Int.random(in: 1...9000, using: &random)))
            default:
                let excess = Int.random(in: 1...40_000, using: &random)
                _ = try await TrimRun(core: world.core).run(excess: excess, inUse: world.larder.usage().database)
            }
            var above: Int?
            for row in try feed.timeline()?.value ?? Timeline() {
                switch row {
                case .item(let id, _):
                    let number = try #require(Int(id.rawValue))
                    if let above { #expect(number == above - 1) }
                    above = number
                case .gap: above = nil
                case .undecodable, .vanished: Issue.record("a row is damaged")
                }
            }
            if try feed.timeline()?.value.isAtEnd == true { #expect(above == 1) }
        }
    }
}

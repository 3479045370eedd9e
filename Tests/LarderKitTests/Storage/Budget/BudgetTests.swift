import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(5))) struct BudgetTests {
    @Test
    func `the newest of many large values stay, what is pinned never goes, and the budget is kept at each moment`()
        async throws
    {
        let budget = 20_000_000
        let world = try BudgetWorld(budget)
        try await world.store("large", 3_000_000)
        try await world.value("large").pin()
        for number in 1...40 {
            try await world.store("k\(number)", 1_000_000)
            #expect(try world.larder.usage().total <= budget)
        }
        await world.settle()
        let keys = try await world.keys()
        #expect(keys.isSuperset(of: (26...40).map { "k\($0)" }))
        #expect(keys.contains("large") && !keys.contains("k1"))
        #expect(try world.bytesOnDisk() <= budget)
        #expect(try world.larder.usage().pinned == 3_000_000)
        #expect(try world.larder.pins() == [Pin(.resource, name: "large")])
        #expect(
            world.events.all.contains {
                if case .trimmed(let count, let bytes) = $0 { count > 0 && bytes > 0 } else { false }
            })
        // What is told of it is what the disk has.
        let blobs = world.folder.contents().filter { $0.hasPrefix("blobs/") && $0.count > 10 }
        #expect(blobs.count == keys.count)
    }

    @Test(arguments: [true, false])
    func `what a damaged row says of its size costs nothing else`(isPinned: Bool) async throws {
        let world = try BudgetWorld(4_000_000)
        for number in 1...5 { try await world.store("k\(number)", 100_000) }
        if isPinned { try await world.value("k5").pin() }
        try await world.larder.write { db in
            try db.execute("UPDATE larder_entry SET size = \(1 << 41) WHERE key = 'k5'")
        }
        #expect(try await world.core.trimToBudget().isEmpty)
        #expect(try world.larder.usage().excess == 0)
        try await world.store("k6", 1_000_000)
        await world.settle()
        for number in [1, 2, 3, 4, 6] { #expect(try world.value("k\(number)").peek() != nil) }
    }

    @Test func `what was read lately outlives what was written after it`() async throws {
        let world = try BudgetWorld(4_000_000)
        try await world.store("read", 500_000)
        try await world.store("left", 500_000)
        await world.world.advance(by: .seconds(7200))
        #expect(try world.value("read").peek()?.value.count == 500_000)
        for number in 1...6 { try await world.store("k\(number)", 500_000) }
        await world.settle()
        let keys = try await world.keys()
        #expect(keys.contains("read") && !keys.contains("left") && keys.contains("k6"))
    }

    @Test func `what is read from memory alone counts as used`() async throws {
        let world = try BudgetWorld(4_000_000)
        try await world.store("read", 300_000)
        try await world.store("left", 300_000)
        for _ in 0..<3 {
            await world.world.advance(by: .seconds(3700))
            #expect(try world.value("read").peek() != nil)
            try await world.value("other").store(Data(count: 10))
        }
        #expect(world.core.tier.counters.count > 0)
        for number in 1...11 { try await world.store("k\(number)", 300_000) }
        await world.settle()
        let keys = try await world.keys()
        #expect(keys.contains("read") && !keys.contains("left"))
    }

    @Test func `files, rows and large values go in one order`() async throws {
        let world = try BudgetWorld(3_000_000)
        try await world.store("file", 200_000, storage: .files)
        try await world.store("row", 10_000)
        try await world.store("blob", 200_000)
        try await world.store("kept", 200_000, storage: .files)
        try await world.value("kept", storage: .files).pin()
        for number in 1...14 {
            try await world.store("k\(number)", 200_000, storage: number.isMultiple(of: 2) ? .files : .database)
        }
        await world.settle()
        let keys = try await world.keys()
        #expect(keys.isDisjoint(with: ["file", "row", "blob"]))
        #expect(keys.isSuperset(of: ["kept", "k14", "k13", "k12"]))
        let usage = try world.larder.usage()
        #expect(usage.total <= 3_000_000 && usage.files > 0 && usage.blobs > 0 && usage.database > 0)
        #expect(usage.pinned > 200_000)
    }

    @Test(arguments: [ResourceOptions.Storage.database, .files])
    func `a value larger than the budget is refused, and nothing goes for it`(_ storage: ResourceOptions.Storage)
        async throws
    {
        let world = try BudgetWorld(2_000_000)
        try await world.store("old", 100_000, storage: storage)
        try await world.store("big", 100_000, storage: storage)
        let error = await #expect(throws: LarderError.self) {
            try await world.store("big", 2_000_001, storage: storage)
        }
        guard case .storage(let trouble)? = error else { throw try #require(error) }
        #expect(trouble.kind == .overBudget)
        #expect(trouble.description.contains("2000001") && trouble.description.contains("2000000"))
        #expect(try await world.keys() == ["old", "big"])
        #expect(try world.value("big", storage: storage).peek()?.value.count == 100_000)
    }

    @Test func `a value that came and has no room is shown, and the older one stays`() async throws {
        let world = try BudgetWorld(2_000_000)
        let large = Data(count: 2_500_000)
        let resource = world.larder.common.bytes("big") { _ in
            RawAnswer(body: large)
        }
        try await resource.store(Data("small".utf8))
        let reading = try await resource.read(.networkOnly)
        #expect(reading.value == large)
        guard case .notKept(let error)? = reading.warnings.first else { return #expect(Bool(false), "no warning") }
        #expect(error.kind == .overBudget)
        #expect(try resource.peek()?.value == Data("small".utf8))
    }

    @Test func `what is left beside pinned things bounds a value`() async throws {
        let world = try BudgetWorld(2_000_000)
        try await world.store("pinned", 1_200_000)
        try await world.value("pinned").pin()
        try await world.store("other", 100_000)
        let error = await #expect(throws: LarderError.self) { try await world.store("big", 900_000) }
        guard case .storage(let trouble)? = error else { throw try #require(error) }
        #expect(trouble.kind == .overBudget && trouble.description.contains("1200000 are pinned"))
        #expect(try await world.keys() == ["pinned", "other"])
        // It may be replaced by one that is larger.
        try await world.store("pinned", 1_500_000)
        #expect(try await world.keys().contains("pinned"))
    }

    @Test func `a pin holds before there is a value, and after it is replaced, until it is let go`() async throws {
        let world = try BudgetWorld(2_000_000)
        let value = world.value("pinned")
        #expect(try !value.isPinned())
        try await value.pin()
        #expect(try value.isPinned())
        try await world.store("pinned", 200_000)
        try await world.store("pinned", 300_000)
        for number in 1...12 { try await world.store("k\(number)", 200_000) }
        #expect(try await world.keys().contains("pinned"))
        #expect(try await world.larder.resources().first { $0.key.key == "pinned" }?.isPinned == true)
        try await value.pin(false)
        for number in 13...24 { try await world.store("k\(number)", 200_000) }
        #expect(try await !world.keys().contains("pinned"))
    }

    @Test func `signing out ends pins`() async throws {
        let world = try BudgetWorld(2_000_000)
        try await world.value("p", in: "ada").pin()
        try await world.value("p").pin()
        #expect(try world.larder.pins().map(\.partition) == ["", "ada"])
        try await world.larder.partition("ada").signOut()
        #expect(try world.larder.pins() == [Pin(.resource, name: "p")])
    }

    @Test func `no account crowds out another`() async throws {
        let world = try BudgetWorld(nil, perPartition: 1_000_000)
        try await world.store("k", 300_000, in: "bob")
        for number in 1...9 { try await world.store("k\(number)", 200_000, in: "ada") }
        await world.settle()
        #expect(try await world.keys(in: "bob") == ["k"])
        let keys = try await world.keys(in: "ada")
        #expect(keys.contains("k9") && !keys.contains("k1"))
        let sizes = try await world.larder.bytesPerPartition()
        #expect(sizes["bob"] == 300_000)
        #expect(try #require(sizes["ada"]) <= 1_000_000 && sizes["ada"] ?? 0 >= 800_000)
    }

    @Test func `what is not used for long goes when there is time`() async throws {
        let world = try BudgetWorld(nil, unusedFor: .seconds(86_400))
        try await world.store("left", 1000)
        try await world.store("file", 1000, storage: .files)
        try await world.store("pinned", 1000)
        try await world.value("pinned").pin()
        try await world.store("read", 1000)
        await world.world.advance(by: .seconds(80_000))
        _ = try world.value("read").peek()
        await world.world.advance(by: .seconds(10_000))
        try await world.store("new", 1000)
        let report = try await world.larder.tidy()
        #expect(report.trimmed.values == 2)
        #expect(try await world.keys() == ["pinned", "read", "new"])
    }

    @Test func `who follows a value that is trimmed is told`() async throws {
        let world = try BudgetWorld(2_000_000)
        try await world.store("followed", 200_000, tags: ["t"])
        var iterator = world.value("followed").updates(refresh: .never).makeAsyncIterator()
        #expect(await iterator.next(isolation: nil)?.value != nil)
        for number in 1...12 { try await world.store("k\(number)", 200_000) }
        await world.settle()
        #expect(await iterator.next(isolation: nil)?.value == nil)
        #expect(try world.larder.read { db in try db.first("SELECT count(*) FROM larder_tag") { try $0.int(0) } } == 0)
    }

    @Test func `what a trim takes away is known before the first`() async throws {
        let world = try BudgetWorld(nil)
        for number in 1...20 { try await world.store("k\(number)", 100_000) }
        let usage = try world.larder.usage()
        #expect(usage.excess == 0)
        #expect(try await world.larder.wouldRemove().isEmpty)
        let forecast = try await world.larder.wouldRemove(trimmingTo: usage.total - 450_000)
        #expect(forecast.values == 5 && forecast.bytes == 500_000)
        #expect(try await world.keys().count == 20)
        let run = TrimRun(core: world.core)
        let amount = try await run.run(excess: 450_000, inUse: usage.database).amount
        #expect(amount == forecast)
    }

    @Test func `a clock that was ahead keeps nothing for ever`() async throws {
        let world = try BudgetWorld(2_000_000)
        let now = world.world.clock.now()
        world.world.clock.set(wall: now.addingTimeInterval(1e7))
        try await world.store("early", 300_000)
        world.world.clock.set(wall: now)
        for number in 1...12 { try await world.store("k\(number)", 200_000) }
        await world.settle()
        let keys = try await world.keys()
        #expect(!keys.contains("early") && keys.contains("k12"))
    }

    @Test func `a burst of writes does not run ahead of its budget`() async throws {
        let world = try BudgetWorld(4_000_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...40 {
                group.addTask {
                    try await world.value("k\(number)").store(Data(repeating: 7, count: 200_000))
                    // At most, the others are being written.
                    #expect(try world.larder.usage().total <= 4_000_000 + 40 * 200_000)
                }
            }
            try await group.waitForAll()
        }
        #expect(try world.larder.usage().total <= 4_000_000)
    }
}

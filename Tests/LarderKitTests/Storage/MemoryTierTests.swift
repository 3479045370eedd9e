import Foundation
import LarderSQLite
import Synchronization
import Testing

@testable import LarderKit

@Suite struct MemoryTierTests {
    /// A source of marks: another one after each ``commit()``.
    private let database: Database

    init() throws {
        database = try Database(.memory)
    }

    private var mark: CommitMark { database.commitMark }

    private func commit() throws {
        try database.writeSync { try $0.execute("SELECT 1") }
    }

    private func key(_ key: String, partition: String = "", type: any Sendable.Type = Int.self) -> MemoryTier.Key {
        MemoryTier.Key(
            place: StoreKey(partition: partition, key: key), storage: "database", codec: CodecID(name: "json"),
            type: type)
    }

    private func metadata(_ stamp: Int64 = 1) -> EntryMetadata {
        EntryMetadata(codec: CodecID(name: "json"), stamp: stamp, storedAt: Date(timeIntervalSince1970: 0))
    }

    private func put(_ value: Int, _ key: String, size: Int = 100, partition: String = "", in tier: MemoryTier) {
        tier.insert(value, metadata(), size: size, for: self.key(key, partition: partition), mark: mark)
    }

    private func value(_ key: String, partition: String = "", in tier: MemoryTier) -> Int? {
        switch tier.value(for: self.key(key, partition: partition), as: Int.self, mark: mark) {
        case .fresh(let kept), .unverified(let kept): kept.value
        case nil: nil
        }
    }

    @Test func `what was put comes back, with its metadata`() throws {
        let tier = MemoryTier()
        tier.insert("Ada", metadata(7), size: 10, for: key("a", type: String.self), mark: mark)
        guard case .fresh(let kept)? = tier.value(for: key("a", type: String.self), as: String.self, mark: mark) else {
            Issue.record("no fresh hit")
            return
        }
        #expect(kept.value == "Ada")
        #expect(kept.metadata == metadata(7))
        #expect(tier.counters.hits == 1)
    }

    @Test func `another key, partition, storage, codec or type is another value`() {
        let tier = MemoryTier()
        put(1, "a", in: tier)
        let place = StoreKey(key: "a")
        let json = CodecID(name: "json")
        let others = [
            key("b"), key("a", partition: "p"), key("a", type: Int64.self),
            MemoryTier.Key(place: place, storage: "files", codec: json, type: Int.self),
            MemoryTier.Key(place: place, storage: "database", codec: CodecID(name: "json", version: 2), type: Int.self),
        ]
        for other in others { #expect(tier.value(for: other, as: Int.self, mark: mark) == nil) }
        #expect(value("a", in: tier) == 1)
    }

    @Test func `a value of another type than the key says is not kept, nor given`() {
        let tier = MemoryTier()
        tier.insert("1", metadata(), size: 1, for: key("a"), mark: mark)
        #expect(tier.counters.count == 0)
        put(1, "a", in: tier)
        let isGiven = tier.value(for: key("a"), as: String.self, mark: mark) != nil
        #expect(!isGiven)
    }

    @Test func `keys are told apart by their bytes`() {
        let tier = MemoryTier()
        put(1, "caf\u{E9}", in: tier)
        #expect(value("cafe\u{301}", in: tier) == nil)
    }

    @Test func `after a commit a value is unverified, until it is confirmed`() throws {
        let tier = MemoryTier()
        put(1, "a", in: tier)
        try commit()
        let mark = mark
        guard case .unverified? = tier.value(for: key("a"), as: Int.self, mark: mark) else {
            Issue.record("not unverified")
            return
        }
        #expect(tier.counters.hits == 0)
        #expect(tier.confirm(key("a"), metadata(), at: mark))
        guard case .fresh? = tier.value(for: key("a"), as: Int.self, mark: mark) else {
            Issue.record("not fresh")
            return
        }
    }

    @Test(arguments: [Int64?.none, 2])
    func `a value that the store no longer holds goes`(stamp: Int64?) throws {
        let tier = MemoryTier()
        put(1, "a", in: tier)
        try commit()
        #expect(!tier.confirm(key("a"), stamp.map(metadata), at: mark))
        #expect(value("a", in: tier) == nil)
        #expect(tier.counters == MemoryTier.Counters())
    }

    @Test func `confirming what is not there confirms nothing`() {
        let tier = MemoryTier()
        #expect(!tier.confirm(key("a"), metadata(), at: mark))
        #expect(value("a", in: tier) == nil)
    }

    @Test func `a later value takes the place of an earlier one`() {
        let tier = MemoryTier()
        put(1, "a", size: 1000, in: tier)
        put(2, "a", size: 10, in: tier)
        #expect(value("a", in: tier) == 2)
        #expect(tier.counters.count == 1)
        #expect(tier.counters.cost == 10 + MemoryTier.overhead)
    }

    @Test func `the least recently used goes first`() {
        let cost = 100 + MemoryTier.overhead
        let tier = MemoryTier(limit: 5 * cost)
        for number in 0..<5 { put(number, "\(number)", in: tier) }
        #expect(value("0", in: tier) == 0)
        put(5, "5", in: tier)
        #expect((0..<6).map { value("\($0)", in: tier) } == [0, nil, 2, 3, 4, 5])
        tier.setLimit(2 * cost)
        #expect((0..<6).map { value("\($0)", in: tier) } == [nil, nil, nil, nil, 4, 5])
        #expect(tier.counters.cost == 2 * cost)
    }

    @Test func `a large value is not kept, nor the one before it`() {
        let tier = MemoryTier(limit: 4 * (1000 + MemoryTier.overhead))
        put(1, "a", size: 1000, in: tier)
        #expect(value("a", in: tier) == 1)
        put(2, "a", size: 1001, in: tier)
        #expect(value("a", in: tier) == nil)
        #expect(tier.counters.count == 0)
    }

    @Test func `with a limit of nothing, nothing is kept`() {
        let tier = MemoryTier(limit: 0)
        put(1, "a", in: tier)
        #expect(value("a", in: tier) == nil)
    }

    @Test func `a partition goes as a whole, and no other with it`() {
        let tier = MemoryTier()
        for number in 0..<10 { put(number, "\(number)", partition: number.isMultiple(of: 2) ? "ada" : "bob", in: tier) }
        tier.removeAll(in: "ada")
        #expect((0..<10).allSatisfy { value("\($0)", partition: "ada", in: tier) == nil })
        #expect(tier.counters.count == 5)
        #expect(value("3", partition: "bob", in: tier) == 3)
        tier.removeAll()
        #expect(tier.counters.count == 0)
        #expect(tier.counters.cost == 0)
    }

    @Test func `a value that is not wanted any more is not kept`() {
        let tier = MemoryTier()
        tier.insert(1, metadata(), size: 1, for: key("a"), mark: mark) { false }
        #expect(value("a", in: tier) == nil)
    }

    @Test func `a value may come back to the tier when it goes`() {
        /// As an app's own class may.
        final class Caller: Sendable {
            let tier: MemoryTier
            let key: MemoryTier.Key

            init(_ tier: MemoryTier, _ key: MemoryTier.Key) {
                self.tier = tier
                self.key = key
            }

            deinit { tier.remove(key) }
        }
        let tier = MemoryTier(limit: 8 * (100 + MemoryTier.overhead))
        for number in 0..<20 {
            let key = key("\(number % 10)", type: Caller.self)
            tier.insert(Caller(tier, key), metadata(), size: 100, for: key, mark: mark)
        }
        tier.removeAll(in: "")
        #expect(tier.counters.count == 0)
    }

    /// Beside a list that is searched from end to end.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `it holds what a plain list by last use would`(seed: UInt64) {
        var random = Random(state: seed)
        let limit = 4000
        let tier = MemoryTier(limit: limit)
        var list: [(key: Int, value: Int, cost: Int)] = []
        for round in 0..<2000 {
            let key = Int(random.next() % 12)
            switch random.next() % 8 {
            case 0..<3:
                let size = Int(random.next() % 900)
                put(round, "\(key)", size: size, in: tier)
                list.removeAll { $0.key == key }
                let cost = size + MemoryTier.overhead
                if cost <= limit / 4 { list.append((key, round, cost)) }
                while list.reduce(0, { $0 + $1.cost }) > limit { list.removeFirst() }
            case 3:
                tier.remove(self.key("\(key)"))
                list.removeAll { $0.key == key }
            default:
                let found = list.firstIndex { $0.key == key }
                #expect(value("\(key)", in: tier) == found.map { list[$0].value })
                if let found { list.append(list.remove(at: found)) }
            }
            #expect(tier.counters.count == list.count)
            #expect(tier.counters.cost == list.reduce(0) { $0 + $1.cost })
        }
    }

    @Test func `many may use it at once`() async throws {
        let tier = MemoryTier(limit: 50 * (100 + MemoryTier.overhead))
        let mark = mark
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<2000 {
                        let number = (round * 7 + task * 13) % 80
                        let key = key("\(number)", partition: "\(number % 3)")
                        switch tier.value(for: key, as: Int.self, mark: mark) {
                        case .fresh(let kept), .unverified(let kept): #expect(kept.value == number)
                        case nil: tier.insert(number, metadata(), size: 100, for: key, mark: mark)
                        }
                        if round % 500 == 0 { tier.removeAll(in: "\(task % 3)") }
                    }
                }
            }
        }
        #expect(tier.counters.count <= 50)
        #expect(tier.counters.cost == tier.counters.count * (100 + MemoryTier.overhead))
    }
}

private struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}

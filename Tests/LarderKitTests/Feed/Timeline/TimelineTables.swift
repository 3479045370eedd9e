import Foundation
import LarderSQLite

@testable import LarderKit

/// The tables of one feed, changed by hand.
struct TimelineTables {
    let order: Paging.Order
    let meter = TimelineMeter()
    private let feed: Int64 = 1
    private var clock: Int64 = 0
    private var nextID = 0

    init(order: Paging.Order) {
        self.order = order
    }

    private var items: ItemTable { ItemTable(feed: feed, order: order) }
    private var segments: SegmentTable { SegmentTable(feed: feed) }

    func read(
        after old: TimelineRows?, touched: [Span]?, limit: Int, in db: borrowing Connection
    ) throws -> TimelineRows {
        try TimelineReader(feed: feed, order: order, meter: meter)
            .rows(after: old, touched: touched, limit: limit, in: db)
    }

    mutating func fill(_ count: Int, in db: borrowing Connection) throws {
        for number in 1...count { try put(at: Int64(number) * 1000, in: db) }
        let top = Cut.above(.integer(Int64(count) * 1000))
        _ = try segments.claim([Span(.bottom, top), Span(top, .top)], stamp: stamp(), in: db)
    }

    private mutating func stamp() -> Stamp {
        clock += 1
        return Stamp(order: clock, at: clock, lifetime: nil)
    }

    private mutating func put(at key: Int64, id: ItemID? = nil, in db: borrowing Connection) throws {
        clock += 1
        nextID += 1
        let isByID = if case .byID = order { true } else { false }
        let id = isByID ? ItemID(key) : id ?? ItemID("i\(nextID)")
        let body = Data("\(clock)".utf8)
        try db.withStatement(ItemTable.upsert) { upsert in
            try body.withUnsafeBytes { body in
                try items.run(
                    upsert, PagePlacement.Item(index: 0, id: id, key: .integer(key)), body: body, codec: 1,
                    storedAt: clock)
            }
        }
    }

    /// Some change, and where it was.
    mutating func change(
        using random: inout some RandomNumberGenerator, in db: borrowing Connection
    ) throws -> [Span] {
        let keys = try items.keys(in: Span(.bottom, .top), in: db)
        guard keys.count > 1 else { return [] }
        let place = Int.random(in: 0..<keys.count, using: &random)
        guard case .integer(let key) = keys[place] else { return [] }
        let reach = Span(
            .below(keys[place]), .above(keys[min(keys.count - 1, place + Int.random(in: 0..<90, using: &random))]))
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            try items.remove(keys[place], in: db)
            return [Span(of: keys[place])]
        case 1:
            for key in try items.keys(in: reach, in: db) { try items.remove(key, in: db) }
            return [reach]
        case 2:
            // Another state of the same item.
            try put(at: key, id: try items.id(at: keys[place], in: db), in: db)
            return [Span(of: keys[place])]
        case 3:
            try put(at: key + 1, in: db)
            return [Span(of: .integer(key + 1))]
        case 4:
            return try insertOnTop(3, in: db)
        case 5:
            try segments.release(reach, before: stamp(), in: db)
            return [reach]
        case 6:
            _ = try segments.claim([reach], stamp: stamp(), in: db)
            return [reach]
        default:
            if case .byID = order { return [] }
            return try move(
                from: keys.count - 1 - place, to: Int.random(in: 0..<keys.count - 1, using: &random), in: db)
        }
    }

    /// New items, and the word that there are none above them.
    mutating func insertOnTop(_ count: Int64, in db: borrowing Connection) throws -> [Span] {
        guard case .integer(let highest) = try items.keys(in: Span(.bottom, .top), in: db).last else { return [] }
        for step in 1...count { try put(at: highest + step * 1000, in: db) }
        let (low, high) = (Cut.above(.integer(highest)), Cut.above(.integer(highest + count * 1000)))
        _ = try segments.claim([Span(low, high), Span(high, .top)], stamp: stamp(), in: db)
        return [Span(low, .top)]
    }

    /// Moves an item among all, counted from the top.
    mutating func move(from: Int, to: Int, in db: borrowing Connection) throws -> [Span] {
        let keys = try items.keys(in: Span(.bottom, .top), in: db)
        let old = keys[keys.count - 1 - from]
        guard let id = try items.id(at: old, in: db) else { return [] }
        let stored = try version(of: old, in: db)
        let rest = keys.filter { $0 != old }
        guard case .integer(let below) = rest[rest.count - 1 - to] else { return [] }
        let key = to == 0 ? below + 1000 : below + 2
        guard try items.id(at: .integer(key), in: db) == nil else { return [] }
        try items.remove(old, in: db)
        let version = clock
        clock = stored - 1
        try put(at: key, id: id, in: db)
        clock = max(version, clock)
        return [Span(of: old), Span(of: .integer(key))]
    }

    private func version(of key: SortKey, in db: borrowing Connection) throws -> Int64 {
        try db.withStatement("SELECT stored_at FROM larder_feed_item WHERE feed = ?1 AND key = ?2") { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(key, at: 2)
            return try statement.step() ? try statement.row.int64(0) : 0
        }
    }
}

extension TimelineRows {
    struct Row: Hashable {
        let id: TimelineRowID
        let version: Int64?
    }

    var all: [Row] {
        (0..<count).map { index in
            let row = row(at: index)
            return Row(id: row.id, version: row.entry?.version)
        }
    }
}

import Foundation
import LarderSQLite
import LarderTestKit

@testable import LarderKit

/// A server, the tables of a feed of it, and what is known of how one came from the other.
final class FeedWorld {
    typealias Fault = SimulatedFeedServer.Fault

    /// An answer under way.
    struct Flight {
        let request: PageRequest
        let page: IncomingPage
        let version: Int
    }

    /// Whether a page shows nothing but the bound it is counted from, or by position any bound.
    func showsNothing(_ flight: Flight) -> Bool {
        let request = flight.request
        let near = request.countedFrom == .newest ? request.below : request.above
        let bounds = setup.order.isByID ? [near] : [request.above, request.below]
        return flight.page.ids.allSatisfy { $0 != nil && bounds.contains($0) }
    }

    let setup: FeedSetup
    let server: SimulatedFeedServer
    let writer: FeedWriter
    let reader: FeedReader
    let codec = CodecID(name: "test", version: 1)
    var log: [String] = []

    private(set) var inFlight: [Flight] = []
    private(set) var clock: Int64 = 0
    private var inserted = 0
    private var listings: [Int: Listing] = [:]

    // What the checks need to know of the past.

    /// The version of the list that the answer with this stamp was made from.
    var versions: [Int64: Int] = [:]
    /// Answers that showed nothing where there was something.
    var lies: Set<Int64> = []
    /// The bounds of answers that were made as if the bounds had not been sent, or by items that are not shown.
    var ignoredBounds: Set<ItemID> = []
    /// The latest stamp as of which the cache knows where an item is, or that it is gone.
    var known: [ItemID: Int64] = [:]
    var removedAt: [ItemID: Int64] = [:]
    /// The last item at each key.
    var owners: [SortKey: ItemID] = [:]
    var emptyAnswers: [(request: PageRequest, stamp: Int64)] = []
    var hasBumped = false

    /// The feed as one who follows it saw it last, and where it has changed since; `nil` for anywhere.
    var timeline: TimelineRows?
    var touched: [Span]? = []

    /// Items that keep their places on the server and are not shown.
    var hidden: Set<ItemID> = []

    init(_ setup: FeedSetup, name: String, in db: borrowing Connection) throws {
        self.setup = setup
        server = SimulatedFeedServer(setup.order, rules: setup.rules)
        writer = FeedWriter(partition: name, name: name, paging: setup.paging, spacing: setup.spacing)
        reader = FeedReader(feed: try writer.openRow(in: db).id, paging: setup.paging)
    }

    /// What a reader could see at a version.
    struct Listing {
        let ids: [ItemID]
        let places: [ItemID: Int]
        let texts: [ItemID: String]
    }

    func listing(at version: Int) -> Listing {
        if let listing = listings[version] { return listing }
        let list = server.list(at: version)
        let listing = Listing(
            ids: list.map(\.itemID),
            places: Dictionary(uniqueKeysWithValues: list.enumerated().map { ($1.itemID, $0) }),
            texts: Dictionary(uniqueKeysWithValues: list.map { ($0.itemID, $0.text) }))
        listings[version] = listing
        return listing
    }

    func take(_ step: FeedHistory.Step, in db: borrowing Connection) throws {
        switch step {
        case .insert, .delete, .edit, .move, .hide:
            changeServer(step)
        case .ask(let question):
            try ask(question, in: db)
            if !setup.areAnswersLate || inFlight.count > 4 { try land(0, in: db) }
        case .land(let number):
            guard !inFlight.isEmpty else { return }
            try land(number % inFlight.count, in: db)
        case .remove(let number):
            try remove(number, in: db)
        }
    }

    func landAll(in db: borrowing Connection) throws {
        while !inFlight.isEmpty { try land(inFlight.count - 1, in: db) }
    }

    /// Sends a request and applies its answer.
    func exchange(_ request: PageRequest, in db: borrowing Connection) throws {
        send(request)
        try landAll(in: db)
    }

    func nextStamp() -> Int64 {
        clock += 1
        return clock
    }

    func send(_ flight: Flight) {
        inFlight.append(flight)
    }

    private func land(_ index: Int, in db: borrowing Connection) throws {
        guard inFlight.indices.contains(index) else { return }
        let flight = inFlight.remove(at: index)
        let before = try StoredFeedState(reader, in: db)
        let change = try writer.apply(flight.page, in: db)
        touch(change.touched)
        let after = try StoredFeedState(reader, in: db)
        log.append("  @\(flight.page.stamp.order) lands: \(change.summary)")
        if showsNothing(flight) { emptyAnswers.append((flight.request, flight.page.stamp.order)) }
        learn(after, before, flight, moved: Set(change.moved))
        try checkChange(change, flight, before, after)
        try check(after, in: db)
    }

    private func learn(_ after: StoredFeedState, _ before: StoredFeedState, _ flight: Flight, moved: Set<ItemID>) {
        for item in before.items where after.byID[item.id] == nil {
            known[item.id] = max(known[item.id] ?? 0, flight.page.stamp.order)
        }
        for item in after.items {
            known[item.id] = max(known[item.id] ?? 0, item.stamp)
        }
        // Keys that have been spread tell nothing of those that had no item.
        let isSpread = after.items.contains { item in
            before.byID[item.id].map { $0.key != item.key } ?? false && !moved.contains(item.id)
        }
        // So do those of items that were not stored, since they were known to be gone.
        let isGone = flight.page.ids.contains { $0.flatMap { removedAt[$0] } ?? 0 > flight.page.stamp.order }
        if isSpread || isGone { owners = [:] }
        for item in after.items { owners[item.key] = item.id }
    }

    private func remove(_ number: Int, in db: borrowing Connection) throws {
        let ids = try candidates(in: db)
        guard !ids.isEmpty else { return }
        let id = ids[number % ids.count]
        let stamp = nextStamp()
        touch(try reader.items.key(of: id, in: db).map { [Span(of: $0)] } ?? [])
        log.append("  @\(stamp) \(id) is known to be gone")
        try GoneItems(partition: writer.partition)
            .insert(id, stamp: Stamp(order: stamp, at: stamp, lifetime: nil), in: db)
        removedAt[id] = stamp
        known[id] = stamp
        let after = try StoredFeedState(reader, in: db)
        guard after.byID[id] == nil else { throw Violation("\(id) was removed and is stored") }
        try check(after, in: db)
    }

    /// The stored ids, newest first, then some that the server has or had.
    func candidates(in db: borrowing Connection) throws -> [ItemID] {
        let stored = try reader.items.items(next: .below, to: .top, limit: 1000, in: db).map(\.id)
        let others = Set(server.ids).union(known.keys).subtracting(stored)
        return stored + others.sorted { $0.rawValue < $1.rawValue }.prefix(3)
    }

    // MARK: The server

    private func changeServer(_ step: FeedHistory.Step) {
        let ids = server.ids
        do {
            switch step {
            case .insert(let number):
                try insert(number, ids)
            case .delete(let number) where !ids.isEmpty:
                let id = ids[number % ids.count]
                log.append("v\(try server.delete(id)): without \(id)")
            case .edit(let number) where !ids.isEmpty:
                let id = ids[number % ids.count]
                log.append("v\(try server.edit(id, text: "text of \(server.version + 1)")): \(id) edited")
            case .move(let number, let place) where !ids.isEmpty:
                let id = ids[number % ids.count]
                hasBumped = true
                if setup.order == .ranked {
                    log.append("v\(try server.move(id, to: place % ids.count)): \(id) moved to \(place % ids.count)")
                } else {
                    log.append("v\(try server.bump(id)): \(id) on top again")
                }
            case .hide(let number) where !ids.isEmpty:
                let id = ids[number % ids.count]
                log.append("v\(try server.hide(id)): \(id) hidden")
                hidden.insert(id)
            case .delete, .edit, .move, .hide, .ask, .land, .remove:
                break
            }
        } catch {
            // Hidden entries take places too: such a change is none.
        }
    }

    private func insert(_ number: Int, _ ids: [ItemID]) throws {
        switch setup.order {
        case .decimal, .text:
            let pool = setup.order == .decimal ? Self.decimalIDs : Self.textIDs
            let id = pool[number % pool.count]
            log.append("v\(try server.insert(id)): with \(id)")
        case .newestOnTop, .ranked:
            inserted += 1
            let id = ItemID("i\(inserted)")
            if setup.order == .ranked {
                log.append("v\(try server.insert(id, at: number % (ids.count + 1))): with \(id)")
            } else {
                log.append("v\(try server.insert(id)): with \(id) on top")
            }
        }
    }

    /// Numbers on both sides of every change of length or of form.
    private static let decimalIDs: [ItemID] =
        [0, 1, 2, 8, 9, 10, 11].map { ItemID($0) } + (90...110).map { ItemID($0) }
        + (0...4).map { ItemID(UInt64(Int64.max) - 2 + $0) } + [ItemID(UInt64.max)]
        + ["99999999999999999999999999999999999999999", "100000000000000000000000000000000000000000"]

    private static let textIDs: [ItemID] =
        ["", "\0", "\0\0", "A", "a", "a\0", "a\0\u{1}", "aa", "ab", "e\u{301}", "é", "ÿ", "\u{10FFFF}", "z"]
        + (0..<20).map { ItemID("k\($0)") }
}

extension FeedChange {
    var summary: String {
        var parts: [String] = []
        if !inserted.isEmpty { parts.append("inserted \(inserted)") }
        if !updated.isEmpty { parts.append("updated \(updated)") }
        if !moved.isEmpty { parts.append("moved \(moved)") }
        if !removed.isEmpty { parts.append("removed \(removed)") }
        if distrustsEmptyAnswer { parts.append("distrusted") }
        return parts.isEmpty ? "nothing new" : parts.joined(separator: ", ")
    }
}

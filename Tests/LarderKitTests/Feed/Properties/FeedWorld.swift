import Foundation
import LarderSQLite
import LarderTestKit

@testable import LarderKit

/// A server, the tables of a feed of it, and what is known of how one came from the other.
final class FeedWorld: FeedWitness {
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
    let writer: FeedWriter
    let reader: FeedReader
    let codec = CodecID(name: "test", version: 1)
    var log: [String] = []

    private(set) var inFlight: [Flight] = []
    private(set) var clock: Int64 = 0
    private var changes: ServerChanges

    var emptyAnswers: [(request: PageRequest, stamp: Int64)] = []

    /// The feed as one who follows it saw it last, and where it has changed since; `nil` for anywhere.
    var timeline: TimelineRows?
    var touched: [Span]? = []

    init(_ setup: FeedSetup, name: String, in db: borrowing Connection) throws {
        self.setup = setup
        let server = SimulatedFeedServer(setup.order, rules: setup.rules)
        changes = ServerChanges(server)
        writer = FeedWriter(partition: name, name: name, paging: setup.paging, spacing: setup.spacing)
        reader = FeedReader(feed: try writer.openRow(in: db).id, paging: setup.paging)
        super.init(server, order: setup.paging.order)
        areAnswersLate = setup.areAnswersLate
    }

    func take(_ step: FeedHistory.Step, in db: borrowing Connection) throws {
        switch step {
        case .change(let change):
            log += [changes.take(change)].compactMap { $0 }
            hasBumped = changes.hasMoved
            hidden = changes.hidden
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
        // So do those of items that were not stored, since they were known to be gone.
        let isGone = flight.page.ids.contains { $0.flatMap { removedAt[$0] } ?? 0 > flight.page.stamp.order }
        learn(
            after, before, asOf: flight.page.stamp.order, moved: Set(change.moved), areKeysTold: !isGone)
        try checkChange(change, flight, before, after)
        try check(after, reader, at: Int(clock), in: db)
        try checkTimeline(after.runs.map { $0.items.map(\.id) }.filter { !$0.isEmpty }, in: db)
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
        try check(after, reader, at: Int(clock), in: db)
        try checkTimeline(after.runs.map { $0.items.map(\.id) }.filter { !$0.isEmpty }, in: db)
    }

    /// The stored ids, newest first, then some that the server has or had.
    func candidates(in db: borrowing Connection) throws -> [ItemID] {
        let stored = try reader.items.items(next: .below, to: .top, limit: 1000, in: db).map(\.id)
        let others = Set(server.ids).union(known.keys).subtracting(stored)
        return stored + others.sorted { $0.rawValue < $1.rawValue }.prefix(3)
    }
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

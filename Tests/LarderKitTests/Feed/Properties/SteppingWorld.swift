import Foundation
import LarderSQLite
import LarderTestKit
import Synchronization

@testable import LarderKit

/// A server, a feed of it as an app uses it, and what is known of how one came from the other.
final class SteppingWorld: FeedWitness {
    typealias Item = SimulatedFeedServer.Item
    typealias Exchange = SteppingOrigin.Exchange

    let setup: SteppingSetup
    let origin: SteppingOrigin
    let world = TestWorld()
    private let name: String
    private let folder: URL?
    private(set) var larder: Larder
    private(set) var feed: Feed<Item>
    private(set) var step = 0
    var log: [String] = []
    private var emptyStamps: [Int64] = []
    private var keptAnchor: (id: ItemID, wasStored: Bool)?

    /// - Parameter folder: Where the cache lies; in memory without one, and then it is never opened again.
    init(_ history: SteppingHistory, folder: URL?) throws {
        setup = history.setup
        name = "feed"
        self.folder = folder
        let server = SimulatedFeedServer(setup.order, rules: setup.rules)
        origin = SteppingOrigin(server)
        for number in 0..<history.initial {
            origin.state.withLock { state in _ = state.changes.take(.insert(number * 7)) }
        }
        larder = try Self.open(folder, world)
        feed = Self.feed(setup, larder, origin, name)
        super.init(server, order: setup.paging.order)
        goesOnFromPlaces = setup.kind != .item
        log.append("v\(server.version): \(server.ids.map(\.rawValue.debugDescription).joined(separator: " "))")
    }

    private static func open(_ folder: URL?, _ world: TestWorld) throws -> Larder {
        try folder.map { try Larder(.folder($0), environment: world.environment) }
            ?? .inMemory(environment: world.environment)
    }

    private static func feed(
        _ setup: SteppingSetup, _ larder: Larder, _ origin: SteppingOrigin, _ name: String
    ) -> Feed<Item> {
        let (core, options) = (larder.core, FeedOptions(fruitlessPages: setup.fruitlessPages))
        let maxAge = setup.freshSteps.map { Duration.milliseconds($0) }
        /// The request's own stamp is the one before the next.
        @Sendable func stamp() -> Int64 { core.stamps.next(at: core.environment.clock.now()).order - 1 }
        guard setup.isRaw else {
            return larder.common.feed(name, paging: setup.paging, maxAge: maxAge, options: options) { request in
                try origin.page(request, stamp: stamp())
            }
        }
        var json = JSONItems()
        if setup.kind == .cursor, let inside = try? JSONItems(at: "$.items", next: "$.next_cursor") { json = inside }
        return larder.common.feed(name, json: json, paging: setup.paging, maxAge: maxAge, options: options) { request in
            origin.answer(request, stamp: stamp())
        }
    }

    // MARK: Steps

    func take(_ step: SteppingStep) async throws {
        self.step += 1
        await world.advance(by: .milliseconds(1))
        let before = try stored()
        switch step {
        case .change(let change):
            origin.state.withLock { state in
                if let line = state.changes.take(change) { state.log.append(line) }
            }
        case .call(let call, let upset):
            try await take(call, upset, before)
        case .trim(let count):
            try await forget("all but \(count)", before) { try await feed.trim(to: .newest(count)) }
        case .forget(let first, let second):
            guard !before.items.isEmpty else { return }
            let (first, second) = (first % before.items.count, second % before.items.count)
            let (above, below) = (before.items[min(first, second)].id, before.items[max(first, second)].id)
            try await forget("\(above) to \(below)", before) { try await feed.trim(between: above, and: below) }
        case .remove(let number):
            try await remove(number, before)
        case .anchor(let number):
            guard !before.items.isEmpty else { return }
            let id = before.items[number % before.items.count].id
            try await feed.keep(anchor: id)
            keptAnchor = (id, true)
        case .restart:
            try restart(before)
        }
        try check(stored())
    }

    private func forget(_ what: String, _ before: StoredFeedState, _ body: () async throws -> Void) async throws {
        log.append("  forget \(what)")
        try await body()
        let after = try stored()
        for item in after.items where before.byID[item.id] == nil { throw Violation("\(item.id) came by forgetting") }
    }

    private func remove(_ number: Int, _ before: StoredFeedState) async throws {
        let ids = before.items.map(\.id) + server.ids
        guard !ids.isEmpty else { return }
        let id = ids[number % ids.count]
        if server.ids.contains(id) { log.append("v\(try server.delete(id)): without \(id)") }
        let stamp = try feed.look { [feed] _, db in
            let row = try FeedRow.load(partition: feed.key.partition, name: feed.key.key, in: db)
            return max(row?.latest ?? 0, try GoneItems(partition: feed.key.partition).latest(in: db))
        }
        try await larder.common.remove(item: id)
        let removed = try feed.look { [feed] _, db in try GoneItems(partition: feed.key.partition).latest(in: db) }
        guard removed > stamp else { throw Violation("the removal of \(id) is stamped \(removed), after \(stamp)") }
        log.append("  @\(removed) \(id) is known to be gone")
        removedAt[id] = removed
        known[id] = removed
        guard try stored().byID[id] == nil else { throw Violation("\(id) was removed and is stored") }
    }

    private func restart(_ before: StoredFeedState) throws {
        guard folder != nil else { return }
        let gaps = try feed.gaps()
        let anchor = try feed.anchor()
        let onward = try feed.look { reader, db in try reader?.olderStep(limit: 3, in: db) }
        larder.close()
        larder = try Self.open(folder, world)
        feed = Self.feed(setup, larder, origin, name)
        log.append("  opened again")
        let after = try stored()
        guard before.items == after.items, before.segments == after.segments else {
            throw Violation("after a restart \(after.items) are stored, not \(before.items)")
        }
        guard try feed.gaps() == gaps, try feed.anchor() == anchor,
            try feed.look({ reader, db in try reader?.olderStep(limit: 3, in: db) }) == onward
        else { throw Violation("a restart has changed the gaps, the anchor or what comes next") }
    }

    // MARK: What is stored

    /// Looks at the feed's tables; what is thrown is thrown as it is.
    private func look<R>(_ body: (FeedReader?, borrowing Connection) throws -> R) throws -> R {
        try feed.look { reader, db in
            do { return Result<R, any Error>.success(try body(reader, db)) } catch { return .failure(error) }
        }.get()
    }

    func stored() throws -> StoredFeedState {
        try look { [setup] reader, db in
            // Before the first answer there is no row: a reader of no feed finds nothing.
            try StoredFeedState(reader ?? FeedReader(feed: -1, paging: setup.paging), in: db) { body in
                (try? JSONDecoder().decode(Item.self, from: body).text) ?? "undecodable"
            }
        }
    }

    private func check(_ state: StoredFeedState) throws {
        try look { reader, db in
            if let reader { try check(state, reader, at: step, in: db) }
        }
        if let keptAnchor, !state.items.isEmpty {
            let found = try feed.anchor()
            guard let found, state.byID[found] != nil, state.byID[keptAnchor.id] == nil || found == keptAnchor.id else {
                throw Violation("the anchor \(keptAnchor.id) is found at \(String(describing: found))")
            }
        }
        // What an app sees says the same.
        var rows: [String] = []
        for run in state.runs.map(\.items).filter({ !$0.isEmpty }) {
            if !rows.isEmpty { rows.append("gap") }
            rows += run.map { "\($0.id)" }
        }
        let shown = try feed.timeline().map { Array($0.value) } ?? []
        let gaps = shown.compactMap { row in if case .gap(let gap) = row { gap } else { nil } }
        let seen = shown.map { row in
            switch row {
            case .item(let id, _), .undecodable(let id): "\(id)"
            case .vanished(let id): "\(id) vanished"
            case .gap: "gap"
            }
        }
        guard seen == rows else { throw Violation("the timeline shows \(seen), stored are \(rows)") }
        guard try feed.gaps() == gaps else { throw Violation("the gaps are \(try feed.gaps()), shown \(gaps)") }
    }

    /// Learns from the answers to a call.
    func learn(from exchanges: [Exchange], _ before: StoredFeedState, _ after: StoredFeedState, moved: Set<ItemID>) {
        for exchange in exchanges where exchange.answer.status == 200 {
            note(exchange)
        }
        let stamp = exchanges.last?.stamp ?? 0
        let isGone = exchanges.contains { exchange in
            exchange.answer.ids.contains { removedAt[$0] ?? 0 > exchange.stamp }
        }
        learn(after, before, asOf: stamp, moved: moved, areKeysTold: !isGone)
    }

    private func note(_ exchange: Exchange) {
        let (request, answer) = (exchange.request, exchange.answer)
        versions[exchange.stamp] = answer.version
        let list = listing(at: answer.version)
        if showsNothing(exchange) { emptyStamps.append(exchange.stamp) }
        guard setup.kind == .item else {
            if showsNothing(exchange), answer.hasMore { lies.insert(exchange.stamp) }
            return
        }
        let missing = [request.above, request.below].compactMap { $0 }.filter { list.places[$0] == nil }
        ignoredBounds.formUnion(missing.filter { hidden.contains($0) })
        let isUnanswerable = !setup.order.isByID && !missing.isEmpty && setup.rules.missingAnchor == .empty
        let shown = answer.ids.contains { isInside($0, request, list) }
        if !shown, isUnanswerable || list.ids.contains(where: { isInside($0, request, list) }) {
            lies.insert(exchange.stamp)
        }
    }

    func showsNothing(_ exchange: Exchange) -> Bool {
        exchange.answer.status == 200
            && exchange.answer.ids.allSatisfy(bounds(of: exchange.request).contains)
    }

    /// The bounds whose own items on a page are no items of it. By id the far one shows that the page reaches it.
    private func bounds(of request: PageRequest) -> [ItemID?] {
        guard setup.order.isByID else { return [request.above, request.below] }
        return [request.countedFrom == .newest ? request.below : request.above]
    }

    /// Whether the cache has been shown nothing in the place of an item since it was last shown it.
    func hasEarlierEmptyAnswer(after stamp: Int64, before later: Int64) -> Bool {
        emptyStamps.contains { $0 > stamp && $0 < later }
    }

    func takeOriginLog() {
        origin.state.withLock { state in
            log += state.log
            state.log = []
            hidden = state.changes.hidden
            hasBumped = state.changes.hasMoved
            // What has moved away from a place is known there no more.
            if goesOnFromPlaces { ignoredBounds.formUnion(state.changes.hidden.union(state.changes.moved)) }
        }
    }
}

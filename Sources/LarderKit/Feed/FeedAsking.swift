import Foundation
import LarderSQLite

/// The two halves of a fetch: asking the server for a page, and taking what came into the tables.
struct FeedAsking<Item: Sendable>: Sendable {
    let feed: Feed<Item>
    var probe: HeldProbe?

    typealias Landed = FeedFetch<Item>.Landed

    private var core: LarderCore { feed.core }
    private var state: FeedState { core.feedState(feed.key) }

    /// A page that is far larger than asked for is cut to this size.
    static func largestPage(for request: PageRequest) -> Int { max(request.limit, 10_000) }

    func ask(_ request: PageRequest) async throws -> IncomingPage {
        guard feed.paging.canAsk(request) else {
            throw FetchFailure(.other, "by the feed's paging, its server cannot be asked for items at that place")
        }
        let clock = core.environment.clock
        var stamp = core.stamps.next(at: clock.now(), after: (try? latest()) ?? 0)
        let asking = Asking(
            core: core, origin: feed.origin, subject: subject, timeout: feed.options.fetchTimeout,
            retry: feed.options.retry, probe: probe)
        let fetched = try await asking.run {
            try await feed.fetch(request)
        } outcome: {
            $0.follows == .unchanged ? .notModified(bytesSaved: 0) : .value(bytes: $0.bodies.size)
        }.cut(to: Self.largestPage(for: request), countedFrom: request.countedFrom)
        guard fetched.follows != .unchanged || request.validators != nil else {
            throw FetchFailure(.wrongAnswer, "the page was called unchanged, which was not asked")
        }
        if feed.paging.usesContinuations, case .more(let continuation) = fetched.follows,
            !feed.paging.goesOn(by: continuation)
        {
            throw FetchFailure(
                .wrongAnswer, "what the page gave to go on with is of another kind than the feed's paging")
        }
        stamp.at -= fetched.initialAge.milliseconds
        stamp.lifetime = fetched.lifetime?.milliseconds
        return IncomingPage(
            request: request, ids: fetched.ids, bodies: fetched.bodies, follows: fetched.follows, codec: feed.codec.id,
            stamp: stamp, storedAt: core.stamps.arrival(at: clock.now()), validators: fetched.validators,
            isForeign: fetched.isForeign, envelope: fetched.envelope, leftOut: fetched.leftOut)
    }

    /// What the stamp of a new request has to be later than.
    func latest() throws -> Int64 {
        let partition = feed.key.partition
        return try core.database.withReader { db in
            max(
                try FeedRow.load(partition: partition, name: feed.key.key, in: db)?.latest ?? 0,
                try GoneItems(partition: partition).latest(in: db), try FenceTable(partition: partition).latest(in: db))
        }
    }

    /// Whether the newest page, if that is what is to be asked for, has been asked for with this stamp or a later one.
    func isStored(_ request: PageRequest, since stamp: Int64) throws -> Bool {
        guard request.isOfTheHead else { return false }
        return try feed.stretch(at: .newest, limit: request.limit).isKnown(since: stamp)
    }

    /// Takes a page into the tables. What could not be kept is in what landed, with the reason.
    ///
    /// - Parameter lease: What is given back along with it, when this is the last request.
    func take(_ page: IncomingPage, givingBack lease: Lease? = nil) async throws(SignedOut) -> Landed {
        var landed = Landed(page: page)
        let writer = writer
        let admission = Admission(
            partition: feed.partition, name: feed.key.key, tags: feed.options.tags, stamp: page.stamp.order)
        do {
            try await core.admit(page.bodies.size)
            let change = try await core.along { along in
                try await core.database.write { db -> FeedChange? in
                    try lease?.release(in: db)
                    try along.save(in: db)
                    switch try admission.verdict(in: db) {
                    case .signedOut: throw SignedOut()
                    case .outdated, .removed: return nil
                    case .admitted: break
                    }
                    try TagTable.save(admission, in: db)
                    return try writer.apply(page, in: db)
                }
            }
            lease?.settle()
            guard let change else {
                core.meter.note(.superseded(subject))
                landed.isSuperseded = true
                return landed
            }
            landed.change = change
            state.remember(row: landed.change.feed, for: feed.paging)
            core.publish(landed.change, of: feed.key)
            countGap(below: page)
            await core.wrote(page.bodies.size + (page.envelope?.count ?? 0), in: feed.key.partition)
        } catch let error as SignedOut {
            throw error
        } catch {
            core.meter.note(.notKept(subject))
            landed.storageError = .wrapping(error)
        }
        return landed
    }

    /// Counts a gap that a page of the head has left.
    private func countGap(below page: IncomingPage) {
        guard page.request.isOfTheHead, let last = page.ids.compactMap({ $0 }).last else { return }
        let gap = try? core.database.read { db in try feed.reader(in: db)?.gap(below: last, in: db) }
        if gap != nil { core.meter.note(.gapFound(subject)) }
    }

    var subject: LarderEvent.Subject { core.meter.subject(.feed, feed.key) }

    /// A continuation or an item that the server no longer knows is not asked from again. The items stay, and reading on starts
    /// further up, or from the head.
    func drop(_ request: PageRequest, after failure: FetchFailure) async {
        switch failure.kind {
        case _ where failure.isOfAnother: return
        case .gone, .unexpectedStatus(400), .unexpectedStatus(422): break
        default: return
        }
        // What cannot be dropped now is dropped the next time.
        try? await core.database.write { [feed] db in
            try feed.partition.check(in: db)
            guard let reader = try feed.reader(in: db) else { return }
            switch (request.continuation, request.edge) {
            case (.some, let mark?): try reader.edges.remove(mark, in: db)
            case (nil, let mark?): try reader.loseAnchor(at: mark.cut, in: db)
            case (nil, nil): try reader.loseAnchor(request.below, in: db)
            case (.some, nil): break
            }
        }
        // Whether there is a way to read on may be another matter now.
        core.changes.post(.feed(feed.key), touched: [])
    }

    /// Forgets an edge that has turned out to lead elsewhere.
    func remove(_ mark: EdgeMark) async throws {
        try await core.database.write { [feed] db in
            try feed.partition.check(in: db)
            try feed.reader(in: db)?.edges.remove(mark, in: db)
        }
    }

    /// Whether only the page above a page with a number can tell whether the two are neighbours.
    func needsCheck(_ page: IncomingPage) throws -> Bool {
        guard case .pageNumber = feed.paging.kind, feed.paging.neighbours == .areChecked, page.request.edge != nil
        else { return false }
        let writer = writer
        return try core.database.read { db in try !writer.isHeld(page, in: db) }
    }

    /// The ids of the stored items from an edge upwards without a gap, newest first: as many as a page has, or fewer.
    func stored(above edge: EdgeMark, count: Int) throws -> [ItemID] {
        try core.database.read { db in
            guard let reader = try feed.reader(in: db),
                let last = try reader.items.neighbour(.above, of: edge.cut, in: db)?.id
            else { return [] }
            let others = try reader.stretch(at: .newer(than: last), limit: count, in: db).items.suffix(count - 1)
            return others.map(\.id) + [last]
        }
    }

    func areStored(_ ids: [ItemID]) throws -> Bool {
        try core.database.read { db in
            guard let reader = try feed.reader(in: db) else { return false }
            return try ids.allSatisfy { try reader.items.key(of: $0, in: db) != nil }
        }
    }

    func edge(_ mark: EdgeMark) throws -> FeedEdge? {
        try core.database.read { db in
            guard let edge = try feed.reader(in: db)?.edges.edge(at: mark.cut, in: db), edge.stamp == mark.stamp else {
                return nil
            }
            return edge
        }
    }

    /// The edge right below a stored item.
    func edgeMark(below id: ItemID) throws -> EdgeMark? {
        try core.database.read { db in
            guard let reader = try feed.reader(in: db), let key = try reader.items.key(of: id, in: db) else {
                return nil
            }
            return try reader.edges.edge(at: .below(key), in: db)?.mark
        }
    }

    private var writer: FeedWriter {
        FeedWriter(
            partition: feed.key.partition, name: feed.key.key, paging: feed.paging,
            fruitlessPages: max(1, feed.options.fruitlessPages), keep: feed.options.keep,
            sharing: feed.options.sharing, now: feed.now.millisecondsSince1970)
    }
}

import Foundation
import LarderSQLite

/// Asks the server for a page and takes the answer into the tables. One flight an exact request, one request of a feed at
/// a time.
struct FeedFetch<Item: Sendable>: Sendable {
    let feed: Feed<Item>

    typealias Landing = Result<Landed, FetchFailure>

    /// What a flight brings home.
    struct Landed: Sendable {
        let page: IncomingPage
        var change = FeedChange()
        /// Why the page could not be kept, if it could not.
        var storageError: StorageError?
    }

    func land(
        _ request: PageRequest, patience: Duration?
    ) async throws(CancellationError) -> Flights.Outcome<Landing> {
        try await feed.core.flights.value(
            for: key(request), patience: patience, clock: feed.core.environment.clock,
            operation: feed.core.changes.tracking(.feed(feed.key), operation(request)))
    }

    func start(_ request: PageRequest) {
        feed.core.flights.start(
            key(request), operation: feed.core.changes.tracking(.feed(feed.key), operation(request)))
    }

    private func key(_ request: PageRequest) -> Flights.Key {
        Flights.Key(
            place: feed.key, kind: "feed \(feed.paging.fingerprint)", request: request,
            type: ObjectIdentifier(Landing.self))
    }

    private func operation(_ request: PageRequest) -> @Sendable () async -> Landing {
        { [feed] in
            let state = feed.core.feedState(feed.key)
            return await state.gate.pass {
                do {
                    try Task.checkCancellation()
                    return .success(try await Self.fetch(request, feed, state))
                } catch {
                    return .failure(.wrapping(error))
                }
            }
        }
    }

    private static func fetch(_ request: PageRequest, _ feed: Feed<Item>, _ state: FeedState) async throws -> Landed {
        guard feed.paging.canAsk(request) else {
            throw FetchFailure(.other, "by the feed's paging, its server cannot be asked for items at that place")
        }
        let core = feed.core
        let clock = core.environment.clock
        let latest = try core.database.withReader { db in
            let row = try FeedRow.load(partition: feed.key.partition, name: feed.key.key, in: db)
            return max(row?.latest ?? 0, try GoneItems(partition: feed.key.partition).latest(in: db))
        }
        var stamp = core.stamps.next(at: clock.now(), after: latest)
        let fetched = try await withDeadline(feed.options.fetchTimeout, clock: clock) { try await feed.fetch(request) }
        stamp.at -= fetched.initialAge.milliseconds
        stamp.lifetime = fetched.lifetime?.milliseconds

        let page = IncomingPage(
            request: request, ids: fetched.ids, bodies: fetched.bodies, follows: fetched.follows, codec: feed.codec.id,
            stamp: stamp, storedAt: state.arrival(at: clock.now()))
        var landed = Landed(page: page)
        let writer = FeedWriter(partition: feed.key.partition, name: feed.key.key, paging: feed.paging)
        do {
            landed.change = try await core.database.write { db in try writer.apply(page, in: db) }
            state.remember(row: landed.change.feed, for: feed.paging)
            core.publish(landed.change, of: feed.key)
        } catch {
            landed.storageError = .wrapping(error)
        }
        return landed
    }
}

extension FeedChange {
    /// What was wrong with the answer, as a reading says it.
    public var warnings: [ReadingWarning] {
        var warnings: [ReadingWarning] = []
        if oddities.withoutID > 0 { warnings.append(.itemsWithoutID(count: oddities.withoutID)) }
        if oddities.duplicates > 0 { warnings.append(.duplicates(count: oddities.duplicates)) }
        if oddities.outsideInterval > 0 { warnings.append(.outsideInterval(count: oddities.outsideInterval)) }
        if oddities.isOutOfOrder { warnings.append(.outOfOrder) }
        if unplaced > 0 { warnings.append(.notPlaced(count: unplaced)) }
        if distrustsEmptyAnswer { warnings.append(.emptyAnswerDistrusted) }
        return warnings
    }
}

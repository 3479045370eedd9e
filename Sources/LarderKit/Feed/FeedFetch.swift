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
            for: key(request), patience: patience, clock: feed.core.environment.clock, operation: operation(request))
    }

    func start(_ request: PageRequest) {
        feed.core.flights.start(key(request), operation: operation(request))
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
        let asking = FeedAsking(feed: feed)
        let page: IncomingPage
        do {
            page = try await asking.ask(request)
        } catch let failure as FetchFailure {
            await asking.drop(request, after: failure)
            throw failure
        }
        if try asking.needsCheck(page) { return try await NumberedPages(asking: asking).settle(page) }
        return await asking.take(page)
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
        if leftOut > 0 { warnings.append(.cutToSize(leftOut: leftOut)) }
        if distrustsEmptyAnswer { warnings.append(.emptyAnswerDistrusted) }
        warnings += troubles
        return warnings
    }
}

import Foundation
import LarderSQLite

/// Asks the server for a page and takes the answer into the tables. One flight an exact request, one request of a feed at
/// a time.
struct FeedFetch<Item: Sendable>: Sendable {
    let feed: Feed<Item>
    var probe: HeldProbe?
    /// Tells whether what is to be asked for has come by other ways since that was decided: by its stamp.
    var come: (@Sendable () -> Int64?)?

    typealias Landing = Result<Arrival, FetchFailure>

    /// What a flight brings home.
    enum Arrival: Sendable {
        case page(Landed)
        /// Somebody else has asked for something of the feed meanwhile, by a request with this stamp or a later one.
        case bySomebodyElse(stamp: Int64)
    }

    /// A page that came.
    struct Landed: Sendable {
        let page: IncomingPage
        var change = FeedChange()
        /// Why the page could not be kept, if it could not.
        var storageError: StorageError?
        /// The app has said since that the feed has changed, so that the page was not kept.
        var isSuperseded = false
    }

    func land(
        _ request: PageRequest, patience: Duration?
    ) async throws(Flights.Trouble) -> Flights.Outcome<Landing> {
        try await feed.core.flights.value(
            for: plan(request), patience: patience, clock: feed.core.environment.clock,
            onJoining: { feed.core.meter.note(.joined(feed.core.meter.subject(.feed, feed.key))) },
            operation: operation(request))
    }

    func start(_ request: PageRequest) {
        feed.core.flights.start(plan(request), operation: operation(request))
    }

    func plan(_ request: PageRequest) -> FlightMachine.Plan {
        FlightMachine.Plan(
            key: Flights.Key(
                place: feed.key, kind: "feed \(feed.paging.fingerprint)", request: request,
                type: ObjectIdentifier(Landing.self), generation: feed.partition.generation),
            tags: feed.options.tags, lane: feed.key, origin: feed.options.origin)
    }

    private func operation(_ request: PageRequest) -> @Sendable () async -> Landing {
        let (feed, core, probe, come, key) = (feed, feed.core, probe, come, plan(request).key)
        return core.changes.tracking(.feed(feed.key)) {
            let asking = FeedAsking(feed: feed, probe: probe)
            do {
                try Task.checkCancellation()
                try feed.partition.check()
                return try await core.leased(
                    .feed(feed.key), isShared: true, after: try asking.latest(), longest: feed.options.longestFetch,
                    asking.subject
                ) { lease in
                    if let stamp = come?() { return .success(.bySomebodyElse(stamp: stamp)) }
                    return .success(.page(try await Self.fetch(request, asking, lease)))
                } taking: { stamp in
                    guard try asking.latest() >= stamp else { return nil }
                    // Who waits looks at what has been brought, and asks for what has not. Where nobody does, this is to ask.
                    let isAwaited = core.flights.waiterCount(of: key) ?? 0 > 0
                    guard try isAwaited || asking.isStored(request, since: stamp) else { return nil }
                    return .success(.bySomebodyElse(stamp: stamp))
                }
            } catch {
                return .failure(core.failure(of: error, in: feed.partition))
            }
        }
    }

    private static func fetch(
        _ request: PageRequest, _ asking: FeedAsking<Item>, _ lease: Lease?
    ) async throws -> Landed {
        let page: IncomingPage
        do {
            page = try await asking.ask(request)
        } catch let failure as FetchFailure {
            await asking.drop(request, after: failure)
            throw failure
        }
        if try asking.needsCheck(page) { return try await NumberedPages(asking: asking).settle(page) }
        return try await asking.take(page, givingBack: lease)
    }
}

extension FeedOptions {
    /// How long a fetch takes at most, with all that is asked again and with pages that are checked.
    var longestFetch: Duration { (fetchTimeout.asWait + (retry.attempts > 1 ? retry.budget : .zero)) * 3 }
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

import Foundation

/// One read of a page: looks at what is stored, asks the planner, and does what it says.
struct FeedRead<Item: Sendable>: Sendable {
    let feed: Feed<Item>
    let position: FeedPosition
    let limit: Int
    let policy: ReadPolicy

    func run() async throws(LarderError) -> Reading<FeedPage<Item>> {
        let stretch = try feed.stretch(at: position, limit: limit)
        let now = feed.now
        let facts = stretch.isKnown ? StoredFacts(stretch, maxAge: feed.maxAge, now: now) : nil
        let planner = Planner(policy: policy, staleIfError: feed.options.staleIfError)
        switch planner.plan(stored: facts, connectivity: feed.core.environment.connectivity.current) {
        case .notStored:
            throw .notStored
        case .serve(let reason):
            return try feed.reading(of: stretch, source: .cache, reason: reason)
        case .serveAndFetch:
            FeedFetch(feed: feed).start(request(for: stretch, now: now))
            return try feed.reading(of: stretch, source: .cache, reason: .staleWhileRevalidate)
        case .fetch(let patience, let fallback, let impatience):
            return try await fetch(request(for: stretch, now: now), patience: patience, fallback, impatience)
        }
    }

    /// What is missing, when what is there is fresh; else the whole page.
    private func request(for stretch: Stretch, now: Date) -> PageRequest {
        guard let missing = stretch.missing, isCachePreferred, stretch.areFresh(maxAge: feed.maxAge, now: now)
        else { return stretch.whole }
        return missing
    }

    private var isCachePreferred: Bool {
        switch policy.kind {
        case .cacheFirst, .staleWhileRevalidate, .cacheOnly: true
        case .networkFirst, .networkOnly: false
        }
    }

    private func fetch(
        _ request: PageRequest, patience: Duration?, _ fallback: Plan.Fallback, _ impatience: ReadingReason
    ) async throws(LarderError) -> Reading<FeedPage<Item>> {
        let outcome: Flights.Outcome<FeedFetch<Item>.Landing>
        do throws(CancellationError) {
            outcome = try await FeedFetch(feed: feed).land(request, patience: patience)
        } catch {
            throw .cancelled
        }
        switch outcome {
        case .landed(.success(let landed)):
            return try reading(of: landed)
        case .landed(.failure(let failure)):
            guard fallback == .stored, !failure.isAnswer else { throw .fetch(failure) }
            return try standIn(.networkFailed, failure)
        case .late:
            return try standIn(impatience, nil)
        }
    }

    private func reading(of landed: FeedFetch<Item>.Landed) throws(LarderError) -> Reading<FeedPage<Item>> {
        if let error = landed.storageError { return try asItCame(landed.page, [.notKept(error)]) }
        let stretch = try feed.stretch(at: position, limit: limit)
        if !stretch.isKnown, isNext(landed) { return try asItCame(landed.page, landed.change.warnings) }
        return try feed.reading(
            of: stretch, source: .network, reason: .fetched, warnings: landed.change.warnings,
            freshStamp: landed.page.stamp.order)
    }

    /// What is stored, in place of what the network did not give. Read again, since it may have changed meanwhile.
    private func standIn(
        _ reason: ReadingReason, _ failure: FetchFailure?
    ) throws(LarderError) -> Reading<FeedPage<Item>> {
        let stretch = try feed.stretch(at: position, limit: limit)
        guard stretch.isKnown else { throw failure.map { .fetch($0) } ?? .notStored }
        return try feed.reading(of: stretch, source: .cache, reason: reason, failure: failure)
    }

    /// A page that came is shown all the same, as it came, when it could not be kept, or when it continues from an item
    /// that is not stored and so has no place to be read from.
    private func asItCame(
        _ page: IncomingPage, _ warnings: [ReadingWarning]
    ) throws(LarderError) -> Reading<FeedPage<Item>> {
        var items: [Item] = []
        var ids: [ItemID] = []
        var undecodable: [UndecodableItem] = []
        let bounds = [page.request.above, page.request.below]
        for sighting in Sightings(page.ids).list.filter({ !bounds.contains($0.id) }).prefix(limit) {
            do {
                let body = try page.bodies.withBytes(at: sighting.index) { Data($0) }
                items.append(try feed.codec.decode(body))
                ids.append(sighting.id)
            } catch {
                undecodable.append(UndecodableItem(id: sighting.id, error: error))
            }
        }
        let warnings = warnings + (undecodable.isEmpty ? [] : [.undecodableItems(undecodable)])
        return Reading(
            value: FeedPage(
                items: items, ids: ids, isComplete: ids.count == limit, isAtEnd: false, oldest: ids.last,
                newest: ids.first),
            source: .network, storedAt: Date(millisecondsSince1970: page.stamp.at),
            age: .milliseconds(max(0, feed.now.millisecondsSince1970 - page.stamp.at)), isStale: false,
            reason: .fetched, warnings: warnings)
    }

    /// Whether a page holds, by the server's word, the items next to the one that the position names, and that one has no
    /// place in the feed. The newest above an item are not next to it: there may be others between.
    private func isNext(_ landed: FeedFetch<Item>.Landed) -> Bool {
        let page = landed.page
        guard case .byPosition = feed.paging.order, !page.ids.isEmpty, !landed.change.oddities.isOutOfOrder else {
            return false
        }
        return switch position {
        case .newest: false
        case .older(let id): page.request.below == id
        case .newer(let id): page.request.above == id && page.request.countedFrom == .oldest
        }
    }
}

import Foundation

/// One read of a page: looks at what is stored, asks the planner, and does what it says.
struct FeedRead<Item: Sendable>: Sendable {
    let feed: Feed<Item>
    let position: FeedPosition
    let limit: Int
    let policy: ReadPolicy

    func run() async throws(LarderError) -> Reading<FeedPage<Item>> {
        let stretch: Stretch
        do throws(LarderError) {
            stretch = try feed.stretch(at: position, limit: limit)
        } catch {
            // What cannot be looked at does not hinder asking.
            guard case .storage(let trouble) = error, trouble.kind != .closed, policy.kind != .cacheOnly else {
                throw error
            }
            let request = FeedReader.request(for: position, paging: feed.paging, limit: limit)
            return try await fetch(request, patience: nil, .none, lookFailedBy: trouble)
        }
        let now = feed.now
        let facts = stretch.isKnown ? StoredFacts(stretch, maxAge: feed.maxAge, now: now) : nil
        if let stall = stall(of: stretch, now: now) {
            return try feed.reading(of: stretch, source: .cache, reason: .nothingToAsk, warnings: [.stalled(stall)])
        }
        var probe: HeldProbe?
        switch plan(facts, claiming: &probe) {
        case .notStored:
            throw .notStored
        case .refuse(let failure):
            core.meter.note(.heldBack(subject))
            throw .fetch(failure)
        case .serve(let reason, let failure):
            if failure != nil { core.meter.note(.heldBack(subject)) }
            let reading = try served(stretch, reason, failure)
            // A page of which nothing decodes is no page: the model has changed, and the server may know better.
            guard policy.kind != .cacheOnly, reading.value.items.isEmpty, !stretch.items.isEmpty else { return reading }
            return try await fetch(stretch.whole, patience: nil, .stored)
        case .serveAndFetch:
            FeedFetch(feed: feed, probe: probe, come: come(since: stretch)).start(request(for: stretch, now: now))
            return try served(stretch, .staleWhileRevalidate)
        case .fetch(let patience, let fallback, let impatience):
            return try await fetch(
                request(for: stretch, now: now), patience: patience, fallback, impatience, probe: probe,
                come: come(since: stretch))
        }
    }

    /// What a read does, given what is stored.
    private func plan(_ stored: StoredFacts?, claiming probe: inout HeldProbe?) -> Plan {
        plan(stored) { patience in core.networkFacts(of: feed.origin, patience: patience, claiming: &probe) }
    }

    /// - Parameter network: Looked at where the network may be asked.
    func plan(_ stored: StoredFacts?, network: (Patience) -> NetworkFacts) -> Plan {
        Planner(policy: policy, staleIfError: feed.options.staleIfError).plan(
            stored: stored, network: network(patience))
    }

    var patience: Patience { policy.patience ?? feed.options.patience }

    /// Why there is nothing to ask with for what lies beyond a page that is to be shown as it is.
    func stall(of stretch: Stretch, now: Date) -> StallReason? {
        guard stretch.isKnown, isCachePreferred, stretch.areFresh(maxAge: feed.maxAge, now: now) else { return nil }
        return stretch.stall
    }

    private var core: LarderCore { feed.core }
    private var subject: LarderEvent.Subject { core.meter.subject(.feed, feed.key) }

    private func served(
        _ stretch: Stretch, _ reason: ReadingReason, _ failure: FetchFailure? = nil
    ) throws(LarderError) -> Reading<FeedPage<Item>> {
        let reading = try feed.reading(of: stretch, source: .cache, reason: reason, failure: failure)
        let size = stretch.items.reduce(0) { $0 + $1.body.count }
        core.meter.note(.served(subject, reason, age: reading.age, isStale: reading.isStale, bytes: size))
        return reading
    }

    /// Tells whether all of the page has come since a look at it. Who asks for the network alone is not content with that.
    private func come(since look: Stretch) -> (@Sendable () -> Int64?)? {
        guard policy.kind != .networkOnly else { return nil }
        let seen = look.stamps.map(\.order).max() ?? .min
        return { [feed, position, limit] in
            guard let stretch = try? feed.stretch(at: position, limit: limit), stretch.isKnown,
                stretch.stamps.allSatisfy({ $0.order > seen && !$0.isInvalidated })
            else { return nil }
            return stretch.stamps.map(\.order).min()
        }
    }

    /// What is missing, when what is there is fresh; else the whole page.
    func request(for stretch: Stretch, now: Date) -> PageRequest {
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
        _ request: PageRequest, patience: Duration?, _ fallback: Plan.Fallback,
        _ impatience: ReadingReason = .patienceRanOut, lookFailedBy trouble: StorageError? = nil,
        probe: HeldProbe? = nil, come: (@Sendable () -> Int64?)? = nil
    ) async throws(LarderError) -> Reading<FeedPage<Item>> {
        let outcome: Flights.Outcome<FeedFetch<Item>.Landing>
        do throws(Flights.Trouble) {
            outcome = try await FeedFetch(feed: feed, probe: probe, come: come).land(request, patience: patience)
        } catch {
            guard case .circular = error, fallback == .stored, !feed.partition.isSignedOut else {
                throw LarderError(error, in: feed.partition)
            }
            return try standIn(.networkFailed, .circular)
        }
        // What came after the partition was signed out of is nobody's.
        if feed.partition.isSignedOut { throw .signedOut }
        switch outcome {
        case .landed(.success(.page(let landed))):
            return try reading(of: landed)
        case .landed(.success(.bySomebodyElse(let stamp))):
            let stretch = try feed.stretch(at: position, limit: limit)
            guard stretch.isKnown(since: stamp) else {
                return try await fetch(stretch.whole, patience: patience, fallback, impatience, lookFailedBy: trouble)
            }
            return try feed.reading(of: stretch, source: .network, reason: .fetched)
        case .landed(.failure(let failure)):
            if let trouble { throw .storage(trouble) }
            guard fallback == .stored, !failure.isAnswer || speaksOfTheBound(failure, request) else {
                throw .fetch(failure)
            }
            return try standIn(.networkFailed, failure)
        case .late:
            core.meter.note(.lateAnswer(subject))
            return try standIn(impatience, nil)
        }
    }

    /// Asked for what lies beyond an item, a server that knows no such item speaks of that one, not of the list.
    private func speaksOfTheBound(_ failure: FetchFailure, _ request: PageRequest) -> Bool {
        guard case .gone = failure.kind else { return false }
        return request.above != nil || request.below != nil
    }

    private func reading(of landed: FeedFetch<Item>.Landed) throws(LarderError) -> Reading<FeedPage<Item>> {
        var stretch: Stretch?
        var trouble = landed.storageError
        do throws(LarderError) {
            stretch = try feed.stretch(at: position, limit: limit)
        } catch {
            guard case .storage(let error) = error else { throw error }
            trouble = trouble ?? error
        }
        let warnings =
            landed.change.warnings + (trouble.map { [.notKept($0)] } ?? []) + (landed.isSuperseded ? [.superseded] : [])
        let isStored = stretch?.isKnown ?? false
        let isKept = trouble == nil && !landed.isSuperseded
        if !isKept || !isStored, isNext(landed) { return try asItCame(landed.page, warnings) }
        guard var stretch else { throw .storage(trouble ?? .corrupt("the feed cannot be read")) }
        if landed.change.distrustsEmptyAnswer || !isKept {
            guard isStored, policy.kind != .networkOnly else {
                throw trouble.map { .storage($0) } ?? .fetch(Self.distrust)
            }
            return try feed.reading(
                of: stretch, source: .cache, reason: isKept ? .networkFailed : .notKept,
                failure: isKept ? Self.distrust : nil, warnings: warnings)
        }
        if policy.kind == .networkOnly { stretch.keepOnly(landed.page, from: position) }
        return try feed.reading(
            of: stretch, source: .network, reason: .fetched, warnings: warnings, freshStamp: landed.page.stamp.order)
    }

    private static var distrust: FetchFailure {
        FetchFailure(
            .wrongAnswer, "the server showed no items where some are stored; it is believed if it does so again")
    }

    /// What is stored, in place of what the network did not give. Read again, since it may have changed meanwhile.
    private func standIn(
        _ reason: ReadingReason, _ failure: FetchFailure?
    ) throws(LarderError) -> Reading<FeedPage<Item>> {
        let stretch = try feed.stretch(at: position, limit: limit)
        guard stretch.isKnown else { throw failure.map { .fetch($0) } ?? .notStored }
        return try served(stretch, reason, failure)
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
                newest: ids.first, envelopes: [page.envelope].compactMap { $0 }),
            source: .network, storedAt: Date(millisecondsSince1970: page.stamp.at),
            age: .milliseconds(max(0, feed.now.millisecondsSince1970 - page.stamp.at)), isStale: false,
            reason: .fetched, warnings: warnings)
    }

    /// Whether a page holds, by the server's word, just the items that the position names: those from the top, or those
    /// next to an item. The newest above an item are not next to it: there may be others between.
    private func isNext(_ landed: FeedFetch<Item>.Landed) -> Bool {
        let page = landed.page
        guard !page.ids.isEmpty, !landed.change.oddities.isOutOfOrder, !feed.paging.mayShift(page) else { return false }
        return switch position {
        case .newest: page.request.above == nil && page.request.below == nil
        case .older(let id): page.request.below == id && page.request.countedFrom == .newest
        case .newer(let id): page.request.above == id && page.request.countedFrom == .oldest
        }
    }
}

extension Stretch {
    /// Leaves out what an answer did not bring, from the first such item on in the direction of reading.
    mutating func keepOnly(_ page: IncomingPage, from position: FeedPosition) {
        let ids = Set(page.ids.compactMap { $0 })
        let count = items.count
        switch position {
        case .newest, .older: items = Array(items.prefix { ids.contains($0.id) })
        case .newer: items = items.reversed().prefix { ids.contains($0.id) }.reversed()
        }
        stamps = stamps.filter { $0.order == page.stamp.order }
        guard items.count < count else { return }
        isComplete = false
        isAtEnd = false
    }
}

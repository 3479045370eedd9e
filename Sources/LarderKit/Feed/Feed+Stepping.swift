import Foundation
import LarderSQLite

/// The side of a gap that it is filled from.
public enum GapSide: String, Sendable, Hashable {
    /// Downward, from the item above the gap.
    case newer
    /// Upward, from the item below the gap.
    case older
}

extension Feed {
    /// Asks for what lies below everything that is stored: one step, by one request, or none when the feed is known to end
    /// there (``FeedChange/isAtEnd``). Pages with numbers may take up to two requests more
    /// (``Paging/Neighbours/areChecked``).
    ///
    /// What has changed may also lie further up: places that are counted from the top shift, and a place that is lost is gone on
    /// from the one above it. A loop ends at ``FeedChange/isAtEnd`` or at the warning ``ReadingWarning/stalled(_:)``, after which
    /// nothing is asked until the head has been (``Feed/refresh(limit:overlap:)``); of a ranked list that is the usual end
    /// (<doc:PagingKinds>).
    ///
    /// - Returns: What has changed.
    /// - Throws: When the request fails, or what came cannot be stored. What is stored stays.
    @discardableResult
    public func loadOlder(limit: Int = 20) async throws(LarderError) -> FeedChange {
        let limit = Self.clamped(limit)
        let step = try look { reader, db -> Onward? in
            guard let reader else { return .ask(paging.headRequest(limit: limit)) }
            return try reader.olderStep(limit: limit, in: db)
        }
        guard let step else {
            var change = change()
            change.isAtEnd = true
            return change
        }
        var change = try await take(step)
        let next = try look { reader, db in try reader.map { try $0.olderStep(limit: limit, in: db) } }
        change.isAtEnd = next.map { $0 == nil } ?? false
        if case .stalled(let reason)?? = next { change.stall(reason) }
        return change
    }

    /// Fills a gap by one step, from one of its sides; the app decides how far.
    ///
    /// It closes only on evidence. What is left of it is ``FeedChange/remaining``. Where the server's paging cannot be
    /// asked from the side that is wished for, the other one is taken. A gap that is none any more costs no request.
    ///
    /// Servers that page by cursor, link, number or offset are asked from above, and where nothing is known to go on with
    /// there, from further up or from the head: such a step may land above the gap first.
    @discardableResult
    public func fill(
        _ gap: Gap, from side: GapSide = .newer, limit: Int = 20
    ) async throws(LarderError) -> FeedChange {
        let limit = Self.clamped(limit)
        let plan = try look { reader, db -> (span: Span, step: Onward)? in
            guard let reader, let span = try reader.span(of: gap, in: db),
                let step = try reader.fillStep(gap, from: side, limit: limit, in: db)
            else { return nil }
            return (span, step)
        }
        guard let plan else { return change() }
        var change = try await take(plan.step)
        change.remaining = try look { reader, db in
            try reader?.remainder(of: gap, in: plan.span, from: side, in: db)
        }
        return change
    }

    /// Asks again for the newest stretch that was last asked for longer ago than `age`, by its range and not by the whole
    /// list: edits and deletions in it show.
    ///
    /// - Returns: What has changed, or `nil` when all that is stored is younger, and nothing was asked.
    /// - Complexity: O(number of answers the feed's proofs rest on), beside the request.
    @discardableResult
    public func revalidate(olderThan age: Duration, limit: Int = 20) async throws(LarderError) -> FeedChange? {
        let latest = now.millisecondsSince1970 - age.milliseconds
        let step = try look { reader, db in
            try reader?.revalidation(before: latest, limit: Self.clamped(limit), in: db)
        }
        guard let step else { return nil }
        return try await take(step)
    }

    private func take(_ step: Onward) async throws(LarderError) -> FeedChange {
        switch step {
        case .ask(let request):
            return try await land(request).change
        case .stalled(let reason):
            var change = change()
            change.stall(reason)
            return change
        }
    }

    /// A change that changes nothing.
    private func change() -> FeedChange {
        FeedChange(place: { [self] id in place(of: id) })
    }

    /// Sends a request and takes the answer in.
    func land(_ request: PageRequest) async throws(LarderError) -> FeedFetch<Item>.Landed {
        while true {
            let outcome: Flights.Outcome<FeedFetch<Item>.Landing>
            do throws(Flights.Trouble) {
                outcome = try await FeedFetch(feed: self).land(request, patience: nil)
            } catch {
                throw LarderError(error, in: partition)
            }
            if partition.isSignedOut { throw .signedOut }
            switch outcome {
            case .landed(.success(.page(var landed))):
                if let error = landed.storageError { throw .storage(error) }
                if landed.isSuperseded { landed.change.troubles.append(.superseded) }
                landed.change.place = { [self] id in place(of: id) }
                return landed
            case .landed(.success(.bySomebodyElse)):
                // What came is not what this asks for.
                continue
            case .landed(.failure(let failure)):
                throw .fetch(failure)
            case .late:
                throw .cancelled
            }
        }
    }

    /// Looks at the feed's tables in one snapshot; without a reader where nothing of the feed is stored.
    func look<R>(_ body: (FeedReader?, borrowing Connection) throws -> R) throws(LarderError) -> R {
        do {
            let result = try core.database.read { db in try body(reader(in: db), db) }
            try partition.check(after: core.database)
            return result
        } catch {
            throw core.noticing(error, in: partition)
        }
    }

    /// Where an item stands now; `nil` when it is not stored or cannot be looked at.
    private func place(of id: ItemID) -> SortKey? {
        let key = try? look { reader, db in try reader?.items.key(of: id, in: db) }
        return key ?? nil
    }
}

extension FeedChange {
    mutating func stall(_ reason: StallReason) {
        guard troubles.isEmpty else { return }
        troubles.append(.stalled(reason))
    }
}

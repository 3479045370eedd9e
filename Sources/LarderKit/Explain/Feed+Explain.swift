import Foundation
import LarderSQLite

extension Feed {
    /// What ``page(_:limit:policy:)`` would do now, and why; nothing of it is done.
    ///
    /// - Throws: When there is no telling: the larder is closed, or the partition was signed out of.
    /// - Complexity: Some indexed reads, and a decode of each item.
    public func explain(
        _ position: FeedPosition = .newest, limit: Int = 20, policy: ReadPolicy? = nil
    ) throws(LarderError) -> Explanation {
        try explain(position, limit: limit, policy: policy ?? self.policy, isDecoding: true)
    }

    /// - Parameter isDecoding: Whether the items are to be decoded by this feed's codec.
    func explain(
        _ position: FeedPosition, limit: Int, policy: ReadPolicy, isDecoding: Bool
    ) throws(LarderError) -> Explanation {
        let limit = Self.clamped(limit)
        let read = FeedRead(feed: self, position: position, limit: limit, policy: policy)
        let facts = core.networkFacts(of: origin, patience: read.patience)
        var stretch: Stretch?
        var trouble: String?
        do throws(LarderError) { stretch = try self.stretch(at: position, limit: limit) } catch {
            guard case .storage(let error) = error, error.kind != .closed else { throw error }
            trouble = error.description
        }
        let now = now
        var decision = Explanation.Decision.without(.unreadable, policy: policy)
        if let stretch {
            decision = try self.decision(of: read, stretch, facts, now, isDecoding: isDecoding)
            if case .wait(.undecodable) = decision { trouble = "none of the items that are stored decodes" }
        }
        let isWhole = decision == .wait(.undecodable)
        let request = stretch.flatMap { decision.asks && !isWhole ? read.request(for: $0, now: now) : nil }
        let page = Explanation.Page(
            items: stretch?.items.count ?? 0, isComplete: stretch?.isComplete ?? false,
            gapsBelow: gaps(below: position),
            asked: !decision.asks
                ? .nothing
                : stretch?.isKnown == true && request != nil && request != stretch?.whole ? .missing : .wholePage)
        return Explanation(
            subject: .feed(position), key: key.key,
            stored: stretch.flatMap { $0.isKnown ? explained($0, now) : nil }, trouble: trouble, page: page,
            policy: policy, patience: facts.patience, staleIfError: options.staleIfError,
            network: core.network(of: origin, named: options.origin, facts, .feed(key), isShared: true) {
                $0.hasPrefix("feed ")
            },
            tags: core.tags(options.tags, of: key), decision: decision)
    }

    private func decision(
        of read: FeedRead<Item>, _ stretch: Stretch, _ facts: NetworkFacts, _ now: Date, isDecoding: Bool
    ) throws(LarderError) -> Explanation.Decision {
        guard read.stall(of: stretch, now: now) == nil else { return .show(.nothingToAsk) }
        let stored = stretch.isKnown ? StoredFacts(stretch, maxAge: maxAge, now: now) : nil
        let plan = read.plan(stored) { _ in facts }
        if isDecoding, case .serve = plan, read.policy.kind != .cacheOnly, !stretch.items.isEmpty,
            try reading(of: stretch, source: .cache, reason: .peeked).value.items.isEmpty
        {
            return .wait(.undecodable)
        }
        return Explanation.Decision(plan, policy: read.policy, isStored: stored != nil)
    }

    private func explained(_ stretch: Stretch, _ now: Date) -> Explanation.Stored {
        let facts = StoredFacts(stretch, maxAge: maxAge, now: now)
        let served = stretch.stamps.compactMap(\.lifetime).filter { $0 >= 0 }.min()
        let codecs = Set(stretch.items.compactMap(\.codec))
        return Explanation.Stored(
            bytes: stretch.items.reduce(0) { $0 + $1.body.count },
            codec: codecs.count == 1 ? codecs.first.flatMap { try? core.codec($0) } : nil,
            storedAt: Date(millisecondsSince1970: stretch.storedAt ?? now.millisecondsSince1970), age: facts.age,
            lifetime: maxAge ?? .milliseconds(served ?? 0),
            lifetimeSource: maxAge != nil ? .app : served != nil ? .server : .none,
            isFresh: stretch.areFresh(maxAge: maxAge, now: now), staleFor: facts.staleFor,
            isInvalidated: facts.isInvalidated, validators: stretch.whole.validators?.names ?? [],
            stale: StaleWindows())
    }

    /// How many gaps there are from a position downwards; `nil` where they cannot be counted.
    private func gaps(below position: FeedPosition) -> Int? {
        try? core.database.read { db -> Int in
            guard let reader = try reader(in: db) else { return 0 }
            let gaps = try reader.gaps(in: db)
            let id: ItemID
            switch position {
            case .newest: return gaps.count
            case .older(let item), .newer(let item): id = item
            }
            guard let place = try reader.items.place(of: id, in: db) else { return 0 }
            return try gaps.count { gap in
                try reader.items.place(of: gap.above, in: db).map { $0 <= place } ?? false
            }
        }
    }
}

import LarderTestKit
import Synchronization

@testable import LarderKit

/// What an app calls, and what must hold of what it gets.
extension SteppingWorld {
    /// What came of a call.
    struct Outcome {
        var change: FeedChange?
        var gap: Gap?
        var isOlderStep = false
        var failure: FetchFailure?
        var exchanges: [Exchange] = []
        var isStalled: Bool {
            change?.warnings.contains { if case .stalled = $0 { true } else { false } } ?? false
        }
    }

    @discardableResult
    func take(
        _ call: SteppingStep.Call, _ upset: SteppingStep.Upset, _ before: StoredFeedState
    ) async throws -> Outcome {
        origin.begin(upset, stored: before.items.map(\.id))
        log.append("\(call)")
        var outcome = Outcome()
        do throws(LarderError) {
            try await perform(call, before, &outcome)
        } catch {
            guard case .fetch(let failure) = error else { throw Violation("\(call) threw \(error)") }
            outcome.failure = failure
        }
        server.clearFaults()
        takeOriginLog()
        outcome.exchanges = origin.state.withLock { $0.exchanges }
        if let failure = outcome.failure { log.append("    failed: \(failure)") }
        if let change = outcome.change {
            log.append("    \(change.summary)\(change.isAtEnd ? ", at the end" : ""), \(change.warnings)")
        }
        let after = try stored()
        learn(from: outcome.exchanges, before, after, moved: Set(outcome.change?.moved ?? []))
        log.append("    \(after.runs.map { "\($0.items.map(\.id))\($0.span.low == .bottom ? "." : "")" })")
        let most = setup.kind == .pageNumber ? 3 : 1
        guard outcome.exchanges.count <= most else { throw Violation("\(outcome.exchanges.count) requests at once") }
        try check(outcome, before, after)
        return outcome
    }

    private func perform(
        _ call: SteppingStep.Call, _ before: StoredFeedState, _ outcome: inout Outcome
    ) async throws(LarderError) {
        switch call {
        case .refresh(let limit):
            outcome.change = try await feed.refresh(limit: limit)
        case .older(let limit):
            outcome.isOlderStep = true
            outcome.change = try await feed.loadOlder(limit: limit)
        case .fill(let number, let side, let limit):
            let gaps = try feed.gaps()
            guard !gaps.isEmpty else { return }
            let gap = gaps[number % gaps.count]
            log.append("    \(gap)")
            outcome.gap = gap
            outcome.change = try await feed.fill(gap, from: side, limit: limit)
        case .page(let number, let kind, let limit, let isNetworkOnly):
            let ids = before.items.map(\.id)
            let position: FeedPosition =
                switch kind {
                case .older where !ids.isEmpty: .older(than: ids[number % ids.count])
                case .newer where !ids.isEmpty: .newer(than: ids[number % ids.count])
                case .newest, .older, .newer: .newest
                }
            log.append("    \(position)")
            _ = try await feed.page(position, limit: limit, policy: isNetworkOnly ? .networkOnly : nil)
        }
    }

    private func check(_ outcome: Outcome, _ before: StoredFeedState, _ after: StoredFeedState) throws {
        let gone = before.items.filter { after.byID[$0.id] == nil }
        for item in gone { try checkRemoval(item, outcome.exchanges) }
        for item in after.items where before.byID[item.id] == nil {
            let stamp = outcome.exchanges.map(\.stamp).max() ?? 0
            guard removedAt[item.id] ?? 0 < stamp else { throw Violation("\(item.id) was known to be gone") }
        }
        guard let change = outcome.change else { return }
        let new = Set(after.items.map(\.id)).subtracting(before.byID.keys)
        let isOne = outcome.exchanges.count <= 1
        guard isOne ? new == Set(change.inserted) : new.isSubset(of: change.inserted) else {
            throw Violation("new are \(new), reported as inserted \(change.inserted)")
        }
        let lost = Set(gone.map(\.id))
        guard isOne ? lost == Set(change.removed) : lost.isSubset(of: change.removed) else {
            throw Violation("gone are \(lost), reported as removed \(change.removed)")
        }
        if outcome.isOlderStep {
            let last = after.runs.last
            let isAtEnd =
                last?.span.low == .bottom
                && (after.items.isEmpty ? last?.span.high == .top : last?.items.isEmpty == false)
            guard change.isAtEnd == isAtEnd else { throw Violation("at the end or not: \(change.isAtEnd)") }
        }
        let gaps = try feed.gaps()
        if let remaining = change.remaining, !gaps.contains(remaining) {
            throw Violation("what remains is said to be \(remaining), and the gaps are \(gaps)")
        }
        if let gap = outcome.gap, change.remaining == nil, isOpen(gap, after) {
            throw Violation("\(gap) is said to be closed")
        }
    }

    /// Whether something between the items of a gap is still unknown.
    private func isOpen(_ gap: Gap, _ state: StoredFeedState) -> Bool {
        func run(_ id: ItemID) -> Int? { state.runs.firstIndex { $0.items.contains { $0.id == id } } }
        guard let above = run(gap.above), let below = run(gap.below) else { return false }
        return above < below
    }

    private func checkRemoval(_ item: StoredFeedState.Item, _ exchanges: [Exchange]) throws {
        guard setup.order != .ranked else { throw Violation("a ranked list lost \(item.id)") }
        let latest = exchanges.map(\.stamp).max() ?? 0
        guard item.stamp < latest else { throw Violation("\(item.id)@\(item.stamp) was removed by @\(latest)") }
        if setup.emptyPages == .mustComeTwice, exchanges.allSatisfy(showsNothing),
            !hasEarlierEmptyAnswer(after: item.stamp, before: latest)
        {
            throw Violation("one empty answer removed \(item.id)")
        }
        let isShown = exchanges.contains { exchange in
            exchange.answer.status == 200
                && (lies.contains(exchange.stamp) || listing(at: exchange.answer.version).places[item.id] == nil)
        }
        guard isShown || hasBumped || !ignoredBounds.isEmpty else {
            throw Violation("\(item.id) was removed and lives")
        }
    }
}

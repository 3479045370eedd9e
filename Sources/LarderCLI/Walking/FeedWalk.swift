import Foundation
import LarderKit

/// Brings a list in, step by step and one request at a time, until nothing is left to do, a limit is reached, somebody asks
/// it to stop, or the server gives no more. What it brought is stored after each step, so another walk goes on from there.
struct FeedWalk: Sendable {
    /// Why a walk is over.
    enum End: Sendable {
        case done
        /// As many requests as were allowed.
        case requestLimit
        /// Step after step brought nothing, and asked nothing new.
        case nothingNew
        case stalled(StallReason)
        /// By a signal.
        case interrupted(Int32)
        case failed(LarderError)
    }

    let feed: Feed<Data>
    /// The size of a page.
    let limit: Int
    let maxRequests: Int
    /// How many requests were sent.
    let requests: @Sendable () -> Int
    /// How many of them asked for what had not been asked for before.
    let questions: @Sendable () -> Int
    /// The signal by which somebody asks to stop.
    let signal: @Sendable () -> Int32?
    /// Whether the list is known to end below what is stored.
    let isWhole: @Sendable () async -> Bool
    /// Hears of each step.
    let progress: @Sendable (FeedTally) -> Void

    private(set) var tally = FeedTally()
    private(set) var end: End?
    /// Why something was left aside on the way.
    private var leftAside: End?

    /// How many steps in a row may bring nothing and ask nothing new: such as it takes to believe an empty answer.
    private static let patience = 3

    typealias Step = (Feed<Data>) async throws(LarderError) -> FeedChange

    init(
        _ session: FeedSession, limit: Int, maxRequests: Int = .max, signal: @escaping @Sendable () -> Int32? = { nil },
        progress: @escaping @Sendable (FeedTally) -> Void = { _ in }
    ) {
        feed = session.feed
        self.limit = limit
        self.maxRequests = maxRequests
        requests = { session.source.requests }
        questions = { session.source.questions }
        self.signal = signal
        isWhole = { await session.summary()?.isFloorProven == true }
        self.progress = progress
    }

    /// The head, then every gap, then what is older than everything stored.
    mutating func all() async {
        let limit = limit
        guard await step({ feed throws(LarderError) in try await feed.refresh(limit: limit) }) != nil else { return }
        await fillGaps()
        await loadOlder()
        end = end ?? leftAside ?? .done
    }

    /// One gap as far as it goes, from one of its sides.
    mutating func close(_ whole: Gap, from side: GapSide) async {
        let limit = limit
        var next: Gap? = whole
        var fruitless = 0
        while end == nil, let gap = next {
            let step: Step = { feed throws(LarderError) in try await feed.fill(gap, from: side, limit: limit) }
            let asked = questions()
            guard let change = await self.step(step) else { return }
            if let reason = change.stall { end = .stalled(reason) }
            // A step may have landed within the gap, and so have left another one behind.
            next = change.remaining ?? (gap == whole ? nil : whole)
            fruitless = next != gap || questions() > asked ? 0 : fruitless + 1
            if fruitless == Self.patience { end = end ?? .nothingNew }
        }
        end = end ?? .done
    }

    /// A single step.
    mutating func once(_ step: Step) async {
        guard let change = await self.step(step) else { return }
        end = change.stall.map { .stalled($0) } ?? .done
    }

    // MARK: Steps

    /// What a step has changed, or `nil` when the walk is over before it or by it.
    private mutating func step(_ step: Step) async -> FeedChange? {
        if let signal = signal() {
            end = .interrupted(signal)
            return nil
        }
        guard requests() < maxRequests else {
            end = .requestLimit
            return nil
        }
        do {
            let change = try await step(feed)
            tally.add(change)
            progress(tally)
            return change
        } catch {
            end = .failed(error)
            return nil
        }
    }

    private mutating func fillGaps() async {
        let limit = limit
        // A gap is filled downward: the item below it is the same until it is closed.
        var givenUp: Set<ItemID> = []
        var fruitless = 0
        while end == nil, let gaps = gaps(), let gap = gaps.first(where: { !givenUp.contains($0.below) }) {
            let step: Step = { feed throws(LarderError) in try await feed.fill(gap, from: .newer, limit: limit) }
            let asked = questions()
            guard let change = await self.step(step), let left = self.gaps() else { return }
            fruitless = left != gaps || questions() > asked ? 0 : fruitless + 1
            let isIdle = fruitless == Self.patience
            guard let reason: End = change.stall.map({ .stalled($0) }) ?? (isIdle ? .nothingNew : nil) else { continue }
            leftAside = leftAside ?? reason
            givenUp.insert(gap.below)
            fruitless = 0
        }
    }

    private mutating func loadOlder() async {
        let limit = limit
        var fruitless = 0
        while end == nil {
            if requests() >= maxRequests, await isWhole() { return }
            let step: Step = { feed throws(LarderError) in try await feed.loadOlder(limit: limit) }
            let asked = questions()
            guard let change = await self.step(step) else { return }
            if change.isAtEnd { return }
            let isFruitful = !change.inserted.isEmpty || !change.removed.isEmpty || questions() > asked
            fruitless = isFruitful ? 0 : fruitless + 1
            if let reason = change.stall { end = .stalled(reason) }
            if fruitless == Self.patience { end = end ?? .nothingNew }
        }
    }

    private mutating func gaps() -> [Gap]? {
        do {
            return try feed.gaps()
        } catch {
            end = .failed(error)
            return nil
        }
    }
}

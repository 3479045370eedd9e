public import Observation

/// A feed for a view: its rows, what the network does, and what went wrong, each where it can be shown.
///
/// ```swift
/// let model = FeedModel(home)          // what is stored is there when this returns
/// await model.run()                    // in SwiftUI: .task { await model.run() }
/// ```
///
/// It follows the feed while ``run(refresh:)`` runs, and no longer; its own calls bring it up to date at any time. Nothing
/// keeps it alive but those who hold it.
@MainActor @Observable public final class FeedModel<Item: Sendable> {
    /// The feed as a whole, as far as it is stored. Rows are decoded when they are touched.
    public private(set) var rows = Timeline<Item>()
    /// The rows with all there is to know about them; `nil` when nothing is stored.
    public private(set) var reading: Reading<Timeline<Item>>?
    /// What has changed in ``rows`` when they changed last.
    public private(set) var lastChange = FeedDiff()

    private var activity = Activity.idle
    private var readError: LarderError?
    private var callError: LarderError?
    private var calls = 0
    private var filling: Set<Gap> = []
    private var loadingOlder = 0
    @ObservationIgnored private var frameNumber = 0
    @ObservationIgnored private let follower: FeedFollower<Item>

    /// A model that shows what is stored, read on the caller's thread. What goes wrong is in ``error``.
    ///
    /// - Parameters:
    ///   - feed: The feed to show.
    ///   - limit: At most this many items, the newest; all of them, unless said otherwise.
    public init(_ feed: Feed<Item>, limit: Int? = nil) {
        follower = FeedFollower(feed, limit: limit)
        take(follower.look())
    }

    /// Follows the feed until the task is cancelled, the larder closed, or the partition signed out of.
    ///
    /// - Parameter refresh: When to ask the server.
    public func run(refresh: RefreshPolicy = .whenStale) async {
        await catchUp()
        let (watcher, isAsking) = follower.watch(refresh)
        if isAsking { activity = .loading }
        while let frame = await follower.next() { take(frame) }
        withExtendedLifetime(watcher) {}
    }

    // MARK: What a view shows beside the rows

    /// Whether a request of this feed is under way, whoever asked.
    public var isLoading: Bool { activity == .loading || calls > 0 }

    /// Whether any part of the rows is older than it may be to be shown without asking again: of a long list nearly always,
    /// since it is as old as its oldest part. ``run(refresh:)`` judges by the newest page alone.
    public var isStale: Bool { reading?.isStale ?? true }

    /// What went wrong last, if it has not gone right since. The rows stay.
    public var error: LarderError? {
        if let error = callError ?? readError { return error }
        return activity.failure.map { .fetch($0) }
    }

    /// Whether the feed is known to end with the last row.
    public var isAtEnd: Bool { rows.isAtEnd }

    /// Why reading on was given up until the next refresh, if it was.
    public var stall: StallReason? { rows.stall }

    /// Whether it makes sense to ask for older items now: the feed is not known to end, reading on was not given up
    /// (``stall``), and this model is not asking already.
    public var canLoadOlder: Bool { !isAtEnd && stall == nil && loadingOlder == 0 }

    /// Whether this model is filling a gap.
    public func isFilling(_ gap: Gap) -> Bool { filling.contains(gap) }

    // MARK: What a view does

    /// Asks for the head, as ``Feed/refresh(limit:overlap:)`` does. What goes wrong is in ``error``.
    ///
    /// - Returns: What has changed; `nil` when it went wrong.
    @discardableResult
    public func refresh(limit: Int = 20) async -> FeedChange? {
        await call { feed throws(LarderError) in try await feed.refresh(limit: limit) }
    }

    /// Asks for what lies below everything that is stored, as ``Feed/loadOlder(limit:)`` does.
    @discardableResult
    public func loadOlder(limit: Int = 20) async -> FeedChange? {
        loadingOlder += 1
        defer { loadingOlder -= 1 }
        return await call { feed throws(LarderError) in try await feed.loadOlder(limit: limit) }
    }

    /// Fills a gap by one step, as ``Feed/fill(_:from:limit:)`` does. One gap is filled once at a time.
    @discardableResult
    public func fill(_ gap: Gap, from side: GapSide = .newer, limit: Int = 20) async -> FeedChange? {
        guard filling.insert(gap).inserted else { return nil }
        defer { filling.remove(gap) }
        return await call { feed throws(LarderError) in try await feed.fill(gap, from: side, limit: limit) }
    }

    private func call(
        _ body: (Feed<Item>) async throws(LarderError) -> FeedChange
    ) async -> FeedChange? {
        calls += 1
        defer { calls -= 1 }
        let change: FeedChange?
        do throws(LarderError) {
            change = try await body(follower.feed)
            callError = nil
        } catch {
            change = nil
            callError = error.isOfTheCallAlone ? error : nil
        }
        await catchUp()
        return change
    }

    // MARK: Keeping up

    private func catchUp() async {
        take(await follower.lookAside())
    }

    /// Frames may overtake each other on their way here.
    private func take(_ frame: FeedFollower<Item>.Frame) {
        guard frame.number > frameNumber else { return }
        frameNumber = frame.number
        let fresh = frame.timeline?.value ?? Timeline()
        let changes = fresh.changes(since: rows)
        if !changes.isEmpty { lastChange = changes }
        // A view that shows rows is not drawn anew for what is none of theirs.
        if !changes.isEmpty || !fresh.isAlike(rows) { rows = fresh }
        reading = frame.timeline
        activity = frame.activity
        readError = frame.error
    }
}

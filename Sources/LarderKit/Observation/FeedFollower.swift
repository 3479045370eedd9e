import Synchronization

/// Follows one feed for one consumer: what the feed looks like now, made out of what it looked like before.
final class FeedFollower<Item: Sendable>: Sendable {
    /// The feed as it was at one look.
    struct Frame: Sendable {
        /// Counts the looks, so that of two frames it can be told which is the later one.
        let number: Int
        let timeline: Reading<Timeline<Item>>?
        let activity: Activity
        /// Why the feed could not be read; the timeline is that of the look before.
        let error: LarderError?
    }

    private struct Seen {
        var number = 0
        var state: TimelineState?
        /// Nothing was read yet, so that nothing is known of what has not been touched.
        var isUnread = true
    }

    let feed: Feed<Item>
    private let limit: Int?
    private let changes: ChangeFollower
    /// Held, so that what is decoded outlives the timelines it was decoded for.
    private let contents: TimelineContents<Item>
    private let seen = Mutex(Seen())

    init(_ feed: Feed<Item>, limit: Int?) {
        self.feed = feed
        self.limit = limit
        contents = TimelineContents(feed: feed)
        changes = feed.core.changes.follow(.feed(feed.key))
        if feed.partition.isSignedOut { changes.end() }
    }

    var isEnded: Bool { changes.isEnded }

    /// The feed as it is now: reads what was touched since the last look.
    func look() -> Frame {
        seen.withLock { seen in
            // The activity first: of a request that is over, what it brought is there to be read.
            let activity = changes.activity
            let news = changes.takeNews()
            var trouble: LarderError?
            do throws(LarderError) {
                if seen.isUnread || news.isChanged {
                    seen.state = try feed.timelineState(
                        after: seen.state, touched: seen.isUnread ? nil : news.touched, limit: limit)
                    seen.isUnread = false
                }
            } catch {
                changes.giveBack(news)
                trouble = error
            }
            seen.number += 1
            let timeline = seen.state.map { feed.reading(of: Timeline($0, contents: contents)) }
            return Frame(number: seen.number, timeline: timeline, activity: activity, error: trouble)
        }
    }

    /// The same off the caller's actor: reading belongs on no main thread that can wait for it.
    @concurrent func lookAside() async -> Frame { look() }

    /// The feed as it is at its next change; `nil` when there is nothing more to come, or the task is cancelled.
    @concurrent func next() async -> Frame? {
        await changes.changed() ? look() : nil
    }

    /// Asks the server for the newest page, where `policy` says so. Does not wait for the answer.
    ///
    /// - Returns: Whether it is being asked.
    func ask(_ policy: RefreshPolicy) -> Bool {
        guard policy != .never, !isEnded, let head = try? feed.stretch(at: .newest, limit: 20) else { return false }
        if policy == .whenStale, head.isFresh(maxAge: feed.maxAge, now: feed.now) { return false }
        FeedFetch(feed: feed).start(head.whole)
        return true
    }
}

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
                if seen.isUnread || news.isChanged || news.isSupposed {
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

    /// Asks the server for the newest page where `policy` says so, now and when there is reason to, for as long as the watcher
    /// is held.
    ///
    /// - Returns: Besides, what the network does for it now.
    func watch(_ policy: RefreshPolicy) -> (watcher: Refresher.Watcher, activity: Activity) {
        let feed = feed
        let watcher = feed.core.refresher.watch(.feed(feed.key), origin: feed.origin, policy) {
            feed.ask($0 ? .always : .whenStale)
        }
        let isAsking = !isEnded && feed.ask(policy.kind)
        return (watcher, isAsking ? .loading : changes.activity)
    }
}

extension Feed {
    /// Asks the server for the newest page in the background, unless what is stored need not be asked for, or the server is
    /// left alone.
    ///
    /// - Returns: Whether it is being asked.
    @discardableResult
    fileprivate func ask(_ kind: RefreshPolicy.Kind) -> Bool {
        guard kind != .never, !partition.isSignedOut else { return false }
        // What cannot be looked at is asked for, as by a read.
        let head = try? stretch(at: .newest, limit: 20)
        if kind == .whenStale, head?.isFresh(maxAge: maxAge, now: now) == true { return false }
        guard let probe = core.permission(toAsk: .feed(key), of: origin) else { return false }
        FeedFetch(feed: self, probe: probe).start(
            head?.whole ?? FeedReader.request(for: .newest, paging: paging, limit: 20))
        return true
    }
}

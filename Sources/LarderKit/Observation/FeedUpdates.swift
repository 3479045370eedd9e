/// A feed as it is, and how it became so.
public struct FeedSnapshot<Item: Sendable>: Sendable {
    /// What is stored; `nil` when nothing is.
    public let timeline: Reading<Timeline<Item>>?
    /// What has changed in the rows since the element before, which had none where there was no timeline.
    public let changes: FeedDiff
    public let activity: Activity
    /// Why the feed could not be read. The timeline is then that of the element before.
    public let error: LarderError?
}

extension Feed {
    /// The feed from now on: what is stored, at once, and then after each change, whichever handle of the feed caused it.
    ///
    /// Each consumer has changes of its own, relative to what it got before. To one that is slow the latest state comes
    /// next, with all changes in one. Failures do not end the sequence and take nothing away; it ends when the larder is
    /// closed or the partition signed out of, and for a task that is cancelled.
    ///
    /// - Parameters:
    ///   - limit: At most this many items, the newest; all of them, unless said otherwise.
    ///   - refresh: When to ask the server, for as long as the sequence is iterated.
    public func updates(
        limit: Int? = nil, refresh: RefreshPolicy = .whenStale
    ) -> some AsyncSequence<FeedSnapshot<Item>, Never> & Sendable {
        FeedUpdates(feed: self, limit: limit, refresh: refresh)
    }
}

struct FeedUpdates<Item: Sendable>: AsyncSequence, Sendable {
    let feed: Feed<Item>
    let limit: Int?
    let refresh: RefreshPolicy

    func makeAsyncIterator() -> Iterator {
        Iterator(follower: FeedFollower(feed, limit: limit), refresh: refresh)
    }

    struct Iterator: AsyncIteratorProtocol {
        let follower: FeedFollower<Item>
        let refresh: RefreshPolicy
        private var last: FeedSnapshot<Item>?
        private var watcher: Refresher.Watcher?

        init(follower: FeedFollower<Item>, refresh: RefreshPolicy) {
            self.follower = follower
            self.refresh = refresh
        }

        mutating func next() async -> FeedSnapshot<Item>? {
            guard let last else {
                guard !Task.isCancelled, !follower.isEnded else { return nil }
                let frame = follower.look()
                let (watcher, isAsking) = follower.watch(refresh)
                self.watcher = watcher
                return step(to: frame, activity: isAsking ? .loading : frame.activity)
            }
            while let frame = await follower.next() {
                let snapshot = step(to: frame, activity: frame.activity)
                if snapshot.differs(from: last) { return snapshot }
            }
            return nil
        }

        private mutating func step(to frame: FeedFollower<Item>.Frame, activity: Activity) -> FeedSnapshot<Item> {
            let rows = frame.timeline?.value ?? Timeline()
            let snapshot = FeedSnapshot(
                timeline: frame.timeline, changes: rows.changes(since: last?.timeline?.value ?? Timeline()),
                activity: activity, error: frame.error)
            last = snapshot
            return snapshot
        }
    }
}

extension FeedSnapshot {
    /// Whether anything of it is new to one who has seen `other`.
    func differs(from other: FeedSnapshot) -> Bool {
        !changes.isEmpty || activity != other.activity || (error == nil) != (other.error == nil)
            || (timeline == nil) != (other.timeline == nil) || timeline?.storedAt != other.timeline?.storedAt
            || timeline?.isStale != other.timeline?.isStale || timeline?.value.isAtEnd != other.timeline?.value.isAtEnd
            || timeline?.value.stall != other.timeline?.value.stall
    }
}

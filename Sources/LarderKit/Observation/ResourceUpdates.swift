/// A resource as it is, and what the network does for it.
public struct Snapshot<Value: Sendable>: Sendable {
    /// What is stored; `nil` when nothing is.
    public let reading: Reading<Value>?
    public let activity: Activity
    /// Why the value could not be read. The reading is then that of the element before.
    public let error: LarderError?

    public var value: Value? { reading?.value }
}

extension Resource {
    /// The resource from now on: what is stored, at once, and then after each change, whichever handle of it caused it.
    ///
    /// To a consumer that is slow the latest state comes next. Failures do not end the sequence and take no value away; it
    /// ends when the larder is closed or the partition signed out of, and for a task that is cancelled.
    ///
    /// - Parameter refresh: When to ask the server, for as long as the sequence is iterated.
    public func updates(
        refresh: RefreshPolicy = .whenStale
    ) -> some AsyncSequence<Snapshot<Value>, Never> & Sendable {
        ResourceUpdates(resource: self, refresh: refresh)
    }
}

struct ResourceUpdates<Value: Sendable>: AsyncSequence, Sendable {
    let resource: Resource<Value>
    let refresh: RefreshPolicy

    func makeAsyncIterator() -> Iterator {
        Iterator(follower: ResourceFollower(resource), refresh: refresh)
    }

    struct Iterator: AsyncIteratorProtocol {
        let follower: ResourceFollower<Value>
        let refresh: RefreshPolicy
        private var last: Activity?
        private var watcher: Refresher.Watcher?

        init(follower: ResourceFollower<Value>, refresh: RefreshPolicy) {
            self.follower = follower
            self.refresh = refresh
        }

        mutating func next() async -> Snapshot<Value>? {
            guard last != nil else {
                guard !Task.isCancelled, !follower.isEnded else { return nil }
                let frame = follower.look()
                let (watcher, isAsking) = follower.watch(refresh)
                self.watcher = watcher
                return step(to: frame, activity: isAsking ? .loading : frame.activity)
            }
            while let frame = await follower.next() {
                if frame.isFresh || frame.activity != last { return step(to: frame, activity: frame.activity) }
            }
            return nil
        }

        private mutating func step(to frame: ResourceFollower<Value>.Frame, activity: Activity) -> Snapshot<Value> {
            last = activity
            return Snapshot(reading: frame.reading, activity: activity, error: frame.error)
        }
    }
}

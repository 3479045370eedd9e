import Synchronization

/// Tells those who follow a feed or a resource that it has changed, and what the network does for it.
///
/// It is told after each commit. Whoever follows begins to do so before the first look, so that every change is seen: by
/// that look, or by the next one. What is posted is added up in each ``ChangeFollower`` and never queued.
final class ChangeHub: Sendable {
    /// What may be followed.
    enum Topic: Hashable, Sendable {
        case feed(StoreKey)
        case resource(StoreKey)

        var key: StoreKey {
            switch self {
            case .feed(let key), .resource(let key): key
            }
        }

        var partition: String { key.partition }

        var subject: LarderChange.Subject {
            switch self {
            case .feed(let key): .feed(key)
            case .resource(let key): .resource(key)
            }
        }
    }

    private struct Weak {
        weak var follower: ChangeFollower?
    }

    /// Kept as long as somebody follows or a request is under way.
    private struct Entry {
        var followers: [ObjectIdentifier: Weak] = [:]
        var requests = 0
        var failure: FetchFailure?
        /// A request is wanted, and is not to be made now.
        var isHeldBack = false

        var isIdle: Bool { followers.isEmpty && requests == 0 }
    }

    private struct State {
        var entries: [Topic: Entry] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Called when anybody begins to follow anything, or ends to.
    let attention: AttentionRelay
    let journal: ChangeJournal

    init() {
        let attention = AttentionRelay()
        self.attention = attention
        journal = ChangeJournal { attention.call() }
    }

    // MARK: Following

    /// Follows `topic` from now on, until the follower is let go.
    func follow(_ topic: Topic) -> ChangeFollower {
        let follower = ChangeFollower(self, topic)
        let isClosed = state.withLock { state in
            if !state.isClosed {
                state.entries[topic, default: Entry()].followers[ObjectIdentifier(follower)] = Weak(follower: follower)
            }
            return state.isClosed
        }
        if isClosed { follower.end() } else { attention.call() }
        return follower
    }

    func forget(_ follower: ObjectIdentifier, _ topic: Topic) {
        state.withLock { state in
            state.entries[topic]?.followers[follower] = nil
            if state.entries[topic]?.isIdle == true { state.entries[topic] = nil }
        }
        attention.call()
    }

    func activity(of topic: Topic) -> Activity {
        state.withLock { state in
            guard let entry = state.entries[topic] else { return .idle }
            if entry.requests > 0 { return .loading }
            if entry.isHeldBack { return .waitingForNetwork(entry.failure) }
            return entry.failure.map { .failed($0) } ?? .idle
        }
    }

    /// Whether anybody follows anything now.
    var isAttended: Bool {
        journal.isHeard || state.withLock { $0.entries.contains { !$0.value.followers.isEmpty } }
    }

    /// How many follow anything now.
    var followerCount: Int {
        state.withLock { $0.entries.values.reduce(0) { $0 + $1.followers.count } }
    }

    // MARK: Posting

    /// Says that a change is committed. Costs a look into a table where nobody follows.
    ///
    /// - Parameter touched: Where in a feed; `nil` for anywhere.
    func post(_ topic: Topic, touched: [Span]? = nil) {
        journal.note(topic.subject)
        for follower in followers(of: topic) { follower.note(.changed(touched)) }
    }

    /// Says that another process has committed something, which may have changed this.
    func post(elsewhere topic: Topic) {
        for follower in followers(of: topic) { follower.note(.supposed) }
    }

    /// The same operation, with its followers told when it begins and how it ends.
    func tracking<Value>(
        _ topic: Topic, _ operation: @escaping @Sendable () async -> Result<Value, FetchFailure>
    ) -> @Sendable () async -> Result<Value, FetchFailure> {
        { [self] in
            change(topic) { entry in
                entry.requests += 1
                entry.isHeldBack = false
            }
            let result = await operation()
            let isGivenUp = Task.isCancelled
            change(topic) { entry in
                entry.requests -= 1
                // A request that nobody wanted any more tells nothing of the network.
                guard !isGivenUp else { return }
                if case .failure(let failure) = result { entry.failure = failure } else { entry.failure = nil }
            }
            return result
        }
    }

    /// Says that a request is wanted, and is not to be made now.
    func holdBack(_ topic: Topic, _ failure: FetchFailure) {
        change(topic) { entry in
            entry.isHeldBack = true
            entry.failure = failure
        }
    }

    /// What is followed now.
    var topics: [Topic] {
        state.withLock { state in state.entries.filter { !$0.value.followers.isEmpty }.map(\.key) }
    }

    private func change(_ topic: Topic, _ body: (inout Entry) -> Void) {
        state.withLock { state in
            body(&state.entries[topic, default: Entry()])
            if state.entries[topic]?.isIdle == true { state.entries[topic] = nil }
        }
        for follower in followers(of: topic) { follower.note(ChangeFollower.News()) }
    }

    /// Taken out of the lock before they are told and let go: the last reference to one takes the lock again.
    private func followers(of topic: Topic) -> [ChangeFollower] {
        state.withLock { state in
            guard !state.entries.isEmpty, let entry = state.entries[topic] else { return [] }
            return entry.followers.values.compactMap(\.follower)
        }
    }

    // MARK: Ending

    /// Ends all following of what is in a partition, for good: what was followed there is gone.
    func end(partition: String) {
        journal.note(.partition(partition))
        end { $0.partition.utf8.elementsEqual(partition.utf8) }
    }

    /// Ends all following, now and later.
    func close() {
        state.withLock { $0.isClosed = true }
        end { _ in true }
        journal.close()
    }

    private func end(_ isMeant: (Topic) -> Bool) {
        let followers = state.withLock { state in
            state.entries.filter { isMeant($0.key) }.values.flatMap { $0.followers.values.compactMap(\.follower) }
        }
        for follower in followers { follower.end() }
    }
}

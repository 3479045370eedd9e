import Synchronization

/// One who follows a feed or a resource: what has changed since the last look, added up, and whether to look again.
///
/// Holds no more than a few spans, however much is posted. Following ends with the object.
final class ChangeFollower: Sendable {
    private struct State {
        var news = News()
        var isPending = false
        var isEnded = false
        var nextTicket = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            defer { waiting = [:] }
            return Array(waiting.values)
        }
    }

    /// With more spans than this, everything is looked at.
    static let spanLimit = 64

    private let hub: ChangeHub
    private let topic: ChangeHub.Topic
    private let state = Mutex(State())

    init(_ hub: ChangeHub, _ topic: ChangeHub.Topic) {
        self.hub = hub
        self.topic = topic
    }

    deinit { hub.forget(ObjectIdentifier(self), topic) }

    var activity: Activity { hub.activity(of: topic) }

    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// What has changed since it was last taken. To be taken before looking.
    func takeNews() -> News {
        state.withLock { state in
            defer {
                state.news = News()
                state.isPending = false
            }
            return state.news
        }
    }

    /// Gives back what was taken, when looking failed: it has to be looked at the next time.
    func giveBack(_ news: News) {
        state.withLock { $0.news.add(news) }
    }

    /// Waits until something has been posted since the last look.
    ///
    /// - Returns: `false` when there is nothing more to come, or the task is cancelled.
    func changed() async -> Bool {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isPending, !state.isEnded, !Task.isCancelled else { return true }
                    state.waiting[ticket] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
        }
        return !Task.isCancelled && !isEnded
    }

    // MARK: Told by the hub

    func note(_ news: News) {
        let waiting = state.withLock { state in
            state.news.add(news)
            state.isPending = true
            return state.takeWaiting()
        }
        for task in waiting { task.resume() }
    }

    func end() {
        let waiting = state.withLock { state in
            state.isEnded = true
            return state.takeWaiting()
        }
        for task in waiting { task.resume() }
    }
}

extension ChangeFollower {
    /// What has changed of the thing that is followed: nothing, when there is only another activity to be told of.
    struct News: Sendable, Hashable {
        var isChanged = false
        /// Another process has committed something, perhaps to something else.
        var isSupposed = false
        /// Where a feed has changed; `nil` for anywhere.
        var touched: [Span]? = []

        static func changed(_ touched: [Span]?) -> News { News(isChanged: true, touched: touched) }

        static var supposed: News { News(isSupposed: true, touched: nil) }

        mutating func add(_ other: News) {
            isChanged = isChanged || other.isChanged
            isSupposed = isSupposed || other.isSupposed
            guard let known = touched, let more = other.touched else {
                touched = nil
                return
            }
            touched = known + more
            guard known.count + more.count > ChangeFollower.spanLimit else { return }
            let hulls = SegmentTable.windows(of: known + more).map(\.hull)
            touched = hulls.count > ChangeFollower.spanLimit ? nil : hulls
        }
    }
}

import Synchronization

/// One who follows a feed or a resource: what has changed since the last look, added up, and whether to look again.
///
/// Holds no more than a few spans, however much is posted. Following ends with the object.
final class ChangeFollower: Sendable {
    private struct State {
        /// Where a feed has changed since the last look; `nil` for anywhere.
        var touched: [Span]? = []
        var isPending = false
        var isEnded = false
        var nextTicket = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            defer { waiting = [:] }
            return Array(waiting.values)
        }

        mutating func add(_ more: [Span]?) {
            guard let known = touched, let more else {
                touched = nil
                return
            }
            touched = known + more
            guard known.count + more.count > ChangeFollower.spanLimit else { return }
            let hulls = SegmentTable.windows(of: known + more).map(\.hull)
            touched = hulls.count > ChangeFollower.spanLimit ? nil : hulls
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
    func takeTouched() -> [Span]? {
        state.withLock { state in
            defer {
                state.touched = []
                state.isPending = false
            }
            return state.touched
        }
    }

    /// Gives back what was taken, when looking failed: it has to be looked at the next time.
    func giveBack(_ touched: [Span]?) {
        state.withLock { $0.add(touched) }
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

    /// - Parameter touched: Nothing when only the activity has changed.
    func note(touched: [Span]?) {
        let waiting = state.withLock { state in
            state.add(touched)
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

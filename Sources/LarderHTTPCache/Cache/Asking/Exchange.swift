import LarderKit
import Synchronization

/// One request to the origin, with all who wait for its answer.
///
/// It ends when nobody waits any more, unless the cache itself does: since it is in the background, or the answer is being stored.
final class Exchange: Sendable {
    /// What has become of it, when the head of the answer is there.
    enum Outcome: Sendable {
        /// An answer is on its way. `stored` is what is being stored of it, if anything is.
        case answer(HTTPResponseHead, BodySpool, stored: StoredAnswer?, notStored: StorePlan.Reason?)
        /// What was stored holds, as this says now.
        case confirmed(AnswerRecord, HTTPResponseHead)
    }

    typealias Result = Swift.Result<Outcome, FetchFailure>

    private struct State {
        var outcome: Result?
        var isFinished = false
        var waiters: [Int: CheckedContinuation<Result, Never>] = [:]
        var finishers: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter = 0
        /// How many want it.
        var interest = 0
        var isWantedAnyway: Bool
        var task: Task<Void, Never>?
        weak var spool: BodySpool?
        /// Nobody wanted it any more.
        var isGivenUp = false
    }

    let request: HTTPRequestHead
    /// The answer was asked for before this; see ``AnswerStorage/stamp(after:)``.
    let stamp: Int64
    private let state: Mutex<State>

    init(_ request: HTTPRequestHead, stamp: Int64, isInBackground: Bool) {
        self.request = request
        self.stamp = stamp
        state = Mutex(State(isWantedAnyway: isInBackground))
    }

    /// Begins, once.
    func begin(_ body: @escaping @Sendable () async -> Void) {
        let task = Task.detached {
            await body()
            self.finish()
        }
        let isOver = state.withLock { state in
            state.task = task
            return state.interest == 0 && !state.isWantedAnyway
        }
        if isOver { task.cancel() }
    }

    /// One more who wants it; to be matched by ``leave()`` where it returns `true`. It may have been given up already.
    @discardableResult
    func join() -> Bool {
        state.withLock { state in
            guard !state.isGivenUp else { return false }
            state.interest += 1
            return true
        }
    }

    func leave() {
        let (task, spool) = state.withLock { state -> (Task<Void, Never>?, BodySpool?) in
            state.interest -= 1
            guard state.interest <= 0 else { return (nil, nil) }
            state.isGivenUp = !state.isWantedAnyway
            return (state.isWantedAnyway ? nil : state.task, state.spool)
        }
        task?.cancel()
        spool?.wasDeserted()
    }

    /// The body has begun to come.
    func begins(_ spool: BodySpool) {
        let isDeserted = state.withLock { state in
            state.spool = spool
            return state.interest <= 0
        }
        if isDeserted { spool.wasDeserted() }
    }

    /// Whether anybody wants it now.
    var isWanted: Bool { state.withLock { $0.interest > 0 || $0.isWantedAnyway } }

    /// It goes on, whoever leaves.
    func keepGoing() { state.withLock { $0.isWantedAnyway = true } }

    func settle(_ outcome: Result) {
        let waiters = state.withLock { state -> [CheckedContinuation<Result, Never>] in
            guard state.outcome == nil else { return [] }
            state.outcome = outcome
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    private func finish() {
        settle(.failure(FetchFailure(.other, "the request was cancelled")))
        let finishers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.isFinished = true
            state.task = nil
            defer { state.finishers = [:] }
            return Array(state.finishers.values)
        }
        for finisher in finishers { finisher.resume() }
    }

    var outcomeSoFar: Result? { state.withLock { $0.outcome } }

    /// Waits for the head of the answer.
    func outcome() async -> Result {
        let id = nextWaiter()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state -> Result? in
                    if let outcome = state.outcome { return outcome }
                    if Task.isCancelled { return .failure(Self.cancelled) }
                    state.waiters[id] = continuation
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: .failure(Self.cancelled))
        }
    }

    /// Waits until everything of it is stored, or will not be.
    func finished() async {
        let id = nextWaiter()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state -> Bool in
                    if state.isFinished || Task.isCancelled { return true }
                    state.finishers[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.finishers.removeValue(forKey: id) }?.resume()
        }
    }

    /// Waits for all there is to wait for, at most so long: for the head of an answer that is not stored, for the end of the rest.
    func isOver(within patience: Duration, on clock: any LarderClock) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                if case .success(.answer(_, _, stored: nil, _)) = await self.outcome() { return true }
                await self.finished()
                return true
            }
            group.addTask {
                try? await clock.sleep(for: patience)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    /// Waits for the head of the answer, at most so long.
    func hasHead(within patience: Duration, on clock: any LarderClock) async -> Bool {
        if outcomeSoFar != nil { return true }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                _ = await self.outcome()
                return true
            }
            group.addTask {
                try? await clock.sleep(for: patience)
                // Who is cancelled has not lost patience.
                return Task.isCancelled
            }
            defer { group.cancelAll() }
            return await group.next() ?? true
        }
    }

    private func nextWaiter() -> Int {
        state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
    }

    private static var cancelled: FetchFailure { FetchFailure(.other, "the request was cancelled") }
}

import Synchronization

/// Runs `operation`, and gives up on it after `limit`: with a failure, even when it ignores its cancellation. In a task
/// that is cancelled already, it does not begin.
func withDeadline<Value: Sendable>(
    _ limit: Duration, clock: any LarderClock, _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let race = Race<Value>()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            guard race.begin(continuation) else { return }
            race.enter(
                Task {
                    do { race.finish(.success(try await operation())) } catch { race.finish(.failure(error)) }
                })
            race.enter(
                Task {
                    do { try await clock.sleep(for: limit) } catch { return }
                    race.finish(.failure(FetchFailure(.timedOut, "the request did not end within \(limit)")))
                })
        }
    } onCancel: {
        race.finish(.failure(CancellationError()))
    }
}

/// The first result counts; the tasks that bring the others are cancelled.
private final class Race<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value, any Error>?
        var tasks: [Task<Void, Never>] = []
        var result: Result<Value, any Error>?
    }

    private let state = Mutex(State())

    /// - Returns: Whether there is anything to run for: not when it was over before it began.
    func begin(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let early = state.withLock { state -> Result<Value, any Error>? in
            if let result = state.result { return result }
            state.continuation = continuation
            return nil
        }
        if let early { continuation.resume(with: early) }
        return early == nil
    }

    func enter(_ task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            if state.result == nil { state.tasks.append(task) }
            return state.result != nil
        }
        if isOver { task.cancel() }
    }

    func finish(_ result: Result<Value, any Error>) {
        let (continuation, tasks) = state.withLock {
            state -> (CheckedContinuation<Value, any Error>?, [Task<Void, Never>]) in
            guard state.result == nil else { return (nil, []) }
            state.result = result
            defer {
                state.continuation = nil
                state.tasks = []
            }
            return (state.continuation, state.tasks)
        }
        for task in tasks { task.cancel() }
        continuation?.resume(with: result)
    }
}

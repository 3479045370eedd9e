/// Does `operation`, and does it again for as long as the policy says. A task that is cancelled begins nothing more.
///
/// - Parameter onRetry: Told of the failure and the delay before each further attempt.
/// - Throws: What the last attempt threw; `CancellationError` in a task that is cancelled.
func retrying<Value: Sendable>(
    _ policy: RetryPolicy, environment: LarderEnvironment,
    onRetry: @Sendable (FetchFailure, Duration) -> Void = { _, _ in },
    _ operation: @Sendable () async throws -> Value
) async throws -> Value {
    let start = environment.clock.elapsed
    var attempt = 1
    while true {
        try Task.checkCancellation()
        do {
            return try await operation()
        } catch {
            try Task.checkCancellation()
            let failure = FetchFailure.wrapping(error)
            guard
                let delay = policy.delay(
                    after: failure, attempt: attempt, elapsed: environment.clock.elapsed - start,
                    random: environment.random)
            else { throw error }
            onRetry(failure, delay)
            try await environment.clock.sleep(for: delay)
            attempt += 1
        }
    }
}

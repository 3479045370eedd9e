import Dispatch

extension Database {
    /// Runs `body` on `queue`, and tells it when the calling task is cancelled. A task cancelled before its turn is
    /// woken at once, and `body` then never runs.
    nonisolated(nonsending) func onQueue<R: Sendable>(
        _ queue: DispatchQueue, _ body: @escaping @Sendable (Cancellation) throws -> R
    ) async throws -> R {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isQueued = cancellation.enqueue { continuation.resume(throwing: CancellationError()) }
                guard isQueued else { return continuation.resume(throwing: CancellationError()) }
                queue.async {
                    guard cancellation.dequeue() else { return }
                    continuation.resume(with: Result { try body(cancellation) })
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}

package import Dispatch

/// Runs `body` on `queue` when `gate` is open, and tells it when the calling task is cancelled. A task cancelled before its
/// turn is woken at once, and `body` then never runs.
///
/// Where `body` stops since the gate was shut, it runs anew when that is open again.
package nonisolated(nonsending) func onQueue<R: Sendable>(
    _ queue: DispatchQueue, _ gate: SuspensionGate, _ body: @escaping @Sendable (Cancellation) throws -> R
) async throws -> R {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            let wake: @Sendable () -> Void = { continuation.resume(throwing: CancellationError()) }
            guard cancellation.enqueue(wake: wake) else { return wake() }
            queue.async {
                var result: Result<R, any Error>?
                while result == nil {
                    gate.enter(cancellation)
                    defer { gate.leave(cancellation) }
                    guard cancellation.dequeue() else { return }
                    do { result = .success(try body(cancellation)) } catch is Suspended {
                        guard cancellation.enqueue(wake: wake) else { return wake() }
                    } catch {
                        result = .failure(error)
                    }
                }
                if let result { continuation.resume(with: result) }
            }
        }
    } onCancel: {
        cancellation.cancel()
    }
}

/// An operation stopped before it had any effect, because the gate was shut.
struct Suspended: Error {}

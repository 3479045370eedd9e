import Foundation

/// The user's wish to end: Ctrl-C, or a polite kill.
///
/// From its creation until its release the signals no longer end the process; a second one does, so that nobody is kept
/// by work that does not end. One at a time for each signal.
final class Interruption: Sendable {
    /// The signals that came, at most one.
    private let arrivals: AsyncStream<Int32>
    private let signals: [Int32]

    init(_ signals: [Int32] = [SIGINT, SIGTERM]) {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(1))
        self.arrivals = arrivals
        self.signals = signals
        for number in signals {
            SignalPipe.shared?.listen(to: number) { number in
                continuation.yield(number)
                signals.forEach { SignalPipe.shared?.stopListening(to: $0) }
            }
        }
    }

    deinit {
        signals.forEach { SignalPipe.shared?.stopListening(to: $0) }
    }

    /// Waits for a signal and gives its number, or `nil` once the task is cancelled. For one waiter.
    func wait() async -> Int32? {
        await arrivals.first { _ in true }
    }

    /// Runs `work` in a task that a signal cancels. Clean-ups go where they go for any cancellation: into `defer`, or
    /// behind what throws.
    ///
    /// - Returns: What `work` returns, or 128 and the signal's number if it ended, in whatever way, after a signal.
    static func cancelling(
        _ signals: [Int32] = [SIGINT, SIGTERM], _ work: @escaping @Sendable () async throws -> ExitCode
    ) async throws -> ExitCode {
        let interruption = Interruption(signals)
        enum Event: Sendable {
            case signal(Int32?)
            case end(Result<ExitCode, any Error>)
        }
        return try await withThrowingTaskGroup(of: Event.self) { group in
            group.addTask { .signal(await interruption.wait()) }
            group.addTask {
                do { return .end(.success(try await work())) } catch { return .end(.failure(error)) }
            }
            var caught: Int32?
            for try await event in group {
                switch event {
                case .signal(let number):
                    caught = number
                    group.cancelAll()
                case .end(let result):
                    group.cancelAll()
                    return try caught.map(ExitCode.signal) ?? result.get()
                }
            }
            return .failure
        }
    }
}

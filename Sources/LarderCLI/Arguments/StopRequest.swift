import Foundation
import Synchronization

/// The user's wish that work ends where it can be gone on with.
///
/// State: `number`, under its lock.
final class StopRequest: Sendable {
    private let number = Mutex<Int32?>(nil)

    /// The signal that came, if one has.
    var signal: Int32? { number.withLock { $0 } }

    fileprivate func make(by signal: Int32) { number.withLock { $0 = signal } }
}

extension Interruption {
    /// Runs `work`, which looks at the request between its steps. A first signal makes the request; a second one ends the
    /// process.
    static func asking(
        _ signals: [Int32] = [SIGINT, SIGTERM],
        _ work: @escaping @Sendable (StopRequest) async throws -> ExitCode
    ) async throws -> ExitCode {
        let interruption = Interruption(signals)
        let request = StopRequest()
        return try await withThrowingTaskGroup(of: ExitCode?.self) { group in
            group.addTask {
                guard let signal = await interruption.wait() else { return nil }
                request.make(by: signal)
                if Terminal.error.isTerminal {
                    try StandardStream.error.write("\r\u{1B}[KStopping after this step; Ctrl-C again ends at once.\n")
                }
                return nil
            }
            group.addTask { try await work(request) }
            while let code = try await group.next() {
                guard let code else { continue }
                group.cancelAll()
                return code
            }
            return .failure
        }
    }
}

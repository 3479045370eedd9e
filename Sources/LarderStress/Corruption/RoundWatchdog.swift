import Dispatch
import Foundation
import Synchronization

/// Ends the program when a round does not end.
final class RoundWatchdog: Sendable {
    private let state = Mutex<(round: Int, began: ContinuousClock.Instant, seed: UInt64)?>(nil)
    private static let limit = Duration.seconds(60)

    init() {
        let thread = Thread { [weak self] in
            while let self {
                if let late = self.late {
                    let text = "round \(late.round) of seed \(late.seed) has not ended\n"
                    FileHandle.standardError.write(Data(text.utf8))
                    exit(StressCommand.Exit.hang.rawValue)
                }
                Thread.sleep(forTimeInterval: 1)
            }
        }
        thread.start()
    }

    func begins(_ round: Int, seed: UInt64) { state.withLock { $0 = (round, .now, seed) } }

    func end() { state.withLock { $0 = nil } }

    private var late: (round: Int, seed: UInt64)? {
        state.withLock { state in
            guard let state, state.began.duration(to: .now) > Self.limit else { return nil }
            return (state.round, state.seed)
        }
    }
}

import Foundation
import LarderKit
import LarderTestKit
import Synchronization

/// The server of a `steps/1`: every request ends in the same way, until the case says otherwise.
final class StepsOrigin: ScenarioNetwork {
    private struct State {
        var ending: RequestEnding = .answered
        var requests: [String] = []
        var returned = 0
        /// How many are under way now, and were at most.
        var together = 0
        var mostTogether = 0
    }

    private let state = Mutex(State())
    private let clock: ManualClock

    init(clock: ManualClock) {
        self.clock = clock
    }

    func prepare(_ ending: RequestEnding) {
        state.withLock { $0.ending = ending }
    }

    /// What was asked for, in order.
    var requests: [String] { state.withLock { $0.requests } }
    var mostTogether: Int { state.withLock { $0.mostTogether } }
    var signs: [Int] { state.withLock { [$0.requests.count, $0.returned] } }

    /// - Returns: A text that no other answer has.
    func answer(to name: String, after delay: Duration = .zero) async throws -> String {
        let (ending, number) = state.withLock { state in
            state.requests.append(name)
            state.together += 1
            state.mostTogether = max(state.mostTogether, state.together)
            return (state.ending, state.requests.count)
        }
        defer {
            state.withLock { state in
                state.together -= 1
                state.returned += 1
            }
        }
        switch ending {
        case .answered:
            try await clock.sleep(for: delay)
            return "answer \(number)"
        case .failed(let failure):
            throw failure
        case .timedOut:
            try await clock.sleep(for: .seconds(60))
            throw FetchFailure(.timedOut, "scripted: timeout")
        }
    }
}

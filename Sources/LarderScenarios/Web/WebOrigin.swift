import Foundation
import LarderHTTPCache
import LarderKit
import LarderTestKit
import Synchronization

/// All origins of a case: says what the step has for a request, when its time has come, and remembers who asked.
final class WebOrigin: ScenarioNetwork {
    private struct State {
        var answers = WebAnswers.none
        /// Between two steps: whoever asks then was sent by one that is over, and hears what the origin said last.
        var isBetween = false
        var last: WebAnswer?
        var requests: [HTTPOrigin.Sent] = []
        var returned = 0
        /// How many answers wait for the clock, or for ever.
        var held = 0
        /// A request that the step has no answer for.
        var objection: CaseFailure?
        var exchanges: @Sendable () -> Int = { 0 }

        mutating func take(_ url: String) -> WebAnswer? {
            if isBetween { return last }
            switch answers {
            case .none:
                objection = CaseFailure("the origin was asked for \(url), and must not be")
            case .always(let answer):
                last = answer
                return answer
            case .inTurn(let list):
                answers = .inTurn(Array(list.dropFirst()))
                if let first = list.first {
                    last = first
                    return first
                }
                objection = CaseFailure("the origin was asked for \(url) more often than it has answers")
            }
            return nil
        }
    }

    let clock: ManualClock
    private let state = Mutex(State())

    /// Answers take a journey through sockets.
    let isRemote: Bool
    var slowness: Int { isRemote ? 5 : 1 }

    init(clock: ManualClock, isRemote: Bool) {
        self.clock = clock
        self.isRemote = isRemote
    }

    /// What is answered in the step that begins.
    func prepare(_ answers: WebAnswers) {
        state.withLock { state in
            state.answers = answers
            state.isBetween = false
        }
    }

    /// The step is over.
    func rest() { state.withLock { $0.isBetween = true } }

    /// How many exchanges the caches have under way.
    func count(exchanges: @escaping @Sendable () -> Int) { state.withLock { $0.exchanges = exchanges } }

    var requests: [HTTPOrigin.Sent] { state.withLock { $0.requests } }
    var objection: CaseFailure? { state.withLock { $0.objection } }

    var signs: [Int] {
        let (counts, exchanges) = state.withLock { ([$0.requests.count, $0.returned, $0.held], $0.exchanges) }
        return counts + [exchanges()]
    }

    var isHolding: Bool { state.withLock { $0.held > 0 } }

    var isWorking: Bool {
        let (busy, held, exchanges) = state.withLock { ($0.requests.count - $0.returned, $0.held, $0.exchanges) }
        return busy > held || exchanges() > held
    }

    // MARK: For who brings the answer

    /// Takes note of a request, which ends with ``end()``.
    func begin(_ request: HTTPRequestHead) -> WebAnswer? {
        state.withLock { state in
            state.requests.append(HTTPOrigin.Sent(url: request.url, account: nil, headers: request.headers))
            return state.take(request.url)
        }
    }

    func end() { state.withLock { $0.returned += 1 } }

    /// Returns when so much of the case's time has passed.
    func wait(_ delay: Duration) async throws {
        guard delay > .zero else { return }
        state.withLock { $0.held += 1 }
        defer { state.withLock { $0.held -= 1 } }
        try await clock.sleep(for: delay)
    }

    func waitForEver() async throws {
        state.withLock { $0.held += 1 }
        defer { state.withLock { $0.held -= 1 } }
        try await Gate().wait()
    }
}

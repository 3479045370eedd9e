import Foundation
import LarderKit
import LarderTestKit
import Synchronization

/// The origin of a case: answers as the step says, when its time has come, and remembers who asked.
final class HTTPOrigin: ScenarioNetwork {
    struct Sent: Sendable {
        let url: String
        let account: String?
        /// The typed layer says only conditional ones.
        let headers: HeaderFields

        var isConditional: Bool { headers.fields.contains { $0.name.lowercased().hasPrefix("if-") } }
    }

    private struct State {
        var answers = HTTPAnswers.none
        /// Between two steps: whoever asks then was sent by one that is over, and hears what the origin said last.
        var isBetween = false
        var last: HTTPAnswer?
        var requests: [Sent] = []
        var returned = 0
        /// A request that the step has no answer for.
        var objection: CaseFailure?

        mutating func take(_ url: String) -> HTTPAnswer? {
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

    private let state = Mutex(State())

    /// What is answered in the step that begins.
    func prepare(_ answers: HTTPAnswers) {
        state.withLock { state in
            state.answers = answers
            state.isBetween = false
        }
    }

    /// The step is over.
    func rest() {
        state.withLock { $0.isBetween = true }
    }

    var requests: [Sent] { state.withLock { $0.requests } }
    var signs: [Int] { state.withLock { [$0.requests.count, $0.returned] } }
    var objection: CaseFailure? { state.withLock { $0.objection } }

    func answer(
        _ request: ResourceRequest, account: String?, clock: ManualClock
    ) async throws -> RawAnswer {
        let sent = Sent(
            url: request.key, account: account, headers: request.validators?.conditionalHeaders ?? HeaderFields())
        let answer = state.withLock { state in
            state.requests.append(sent)
            return state.take(request.key)
        }
        defer { state.withLock { $0.returned += 1 } }
        guard let answer else { throw FetchFailure(.other, "unscripted") }
        if answer.isStubborn {
            try? await Task { try await clock.sleep(for: answer.delay) }.value
        } else {
            try await clock.sleep(for: answer.delay)
        }
        switch answer.content {
        case .answer(let status, let headers, let body):
            return RawAnswer(status: status, headers: headers, body: body, url: URL(string: request.key))
        case .failure(let failure):
            throw failure
        case .silence:
            try await Gate().wait()
            throw CancellationError()
        }
    }
}

import LarderKit
import Synchronization

/// What a step showed, and what is expected of that.
struct StepsRecord {
    /// `nil` where nothing was read, or nothing is stored.
    var outcome: HTTPOutcome?
    var requests = 0
    var state: Connectivity?
    var states: [Connectivity] = []
    /// Of each followed feed, since the first event.
    var refreshes: [Int] = []
    var mostTogether = 0

    /// What is wrong, or `nil`.
    func failure(of expectation: StoreExpectation) -> String? {
        let (isRight, wanted, got) = comparison(expectation.kind)
        return isRight ? nil : "\(expectation.name): expected \(wanted), got \(got)"
    }

    private func comparison(_ kind: StoreExpectation.Kind) -> (Bool, String, String) {
        let shown = outcome?.shown ?? "nothing"
        switch kind {
        case .value(let value):
            let isRight =
                switch value {
                case .present: outcome?.body != nil
                case .absent: outcome?.body == nil
                case .cached: outcome?.source == .cache
                case .fetched: outcome?.source == .network
                }
            return (isRight, value.rawValue, shown)
        case .stale(let truth):
            return (outcome?.body != nil && outcome?.isStale == truth, truth ? "a stale value" : "a fresh value", shown)
        case .age(let seconds):
            let age = outcome?.age
            return (age == .seconds(seconds), "\(seconds) s", age.map { "\($0)" } ?? "none")
        case .failed(let truth):
            return ((outcome?.failure != nil) == truth, truth ? "a failure" : "no failure", shown)
        case .within(let seconds):
            let wait = outcome?.wait ?? .zero
            return (wait.inSeconds <= seconds, "at most \(seconds) s", "\(wait)")
        case .sent(let truth):
            return ((requests > 0) == truth, truth ? "a request" : "no request", "\(requests)")
        case .requests(let count):
            return (requests == count, "\(count)", "\(requests)")
        case .state(let wanted):
            return (state == wanted, wanted.rawValue, state?.rawValue ?? "nothing")
        case .states(let wanted):
            return (states == wanted, "\(wanted.map(\.rawValue))", "\(states.map(\.rawValue))")
        case .refreshesPerFeed(let range):
            return (refreshes.allSatisfy(range.contains), "\(range)", "\(refreshes)")
        case .refreshesTogetherAtMost(let count):
            return (mostTogether <= count, "at most \(count)", "\(mostTogether)")
        case .unchecked:
            return (true, "", "")
        }
    }
}

/// The states that somebody has heard.
final class HeardStates: Sendable {
    private let states = Mutex<[Connectivity]>([])

    var all: [Connectivity] { states.withLock { $0 } }

    func append(_ state: Connectivity) { states.withLock { $0.append(state) } }
}

/// What the requests since some moment say about the network, over all origins.
struct RequestEvidence: Sendable, Hashable {
    /// So many that reached nobody, with no answer between them, are more than chance.
    static let missesThatCount = 2

    private enum Verdict {
        case reached
        case failing
    }

    private var verdict: Verdict?
    private var misses = 0
    /// The last that reached nobody was waited for in vain. One that fails at once, or meets a sign-in page, was not.
    private(set) var isSlow = false

    mutating func note(_ outcome: RequestOutcome) {
        if outcome.showsNetwork {
            verdict = .reached
            misses = 0
            isSlow = false
            return
        }
        switch outcome {
        case .unreachable(let failure):
            misses = min(misses + 1, Self.missesThatCount)
            isSlow = failure.tookLong
        case .intercepted(let failure):
            misses = Self.missesThatCount
            isSlow = failure.tookLong
        case .answered, .ill, .throttled, .givenUp: return
        }
        if misses == Self.missesThatCount { verdict = .failing }
    }

    /// The state, given what the link says.
    func connectivity(link: Connectivity) -> Connectivity {
        switch verdict {
        case nil: link
        case .reached: .online
        case .failing: link == .offline ? .offline : .suspect
        }
    }
}

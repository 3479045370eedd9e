/// How a request to an origin ended, as far as it tells something of the network or of the origin.
enum RequestOutcome: Sendable, Hashable {
    /// The server itself spoke about what it was asked for: a value, "not modified", or a status such as 404.
    case answered
    /// Nobody was reached, or nobody answered in time.
    case unreachable(FetchFailure)
    /// Somebody else answered, or so it looks: a sign-in page, a redirect, another shape.
    case intercepted(FetchFailure)
    /// The origin was reached and cannot serve now.
    case ill(FetchFailure)
    /// The origin wants to be left alone for that long.
    case throttled(FetchFailure, Duration)
    /// Says nothing: the request was cancelled, or failed for a reason of its own.
    case givenUp
}

extension RequestOutcome {
    init<Success>(_ result: Result<Success, FetchFailure>) {
        switch result {
        case .success: self = .answered
        case .failure(let failure): self.init(failure)
        }
    }

    init(_ failure: FetchFailure) {
        switch failure.kind {
        case _ where failure.isOfAnother:
            self = .givenUp
        case .offline, .timedOut:
            self = .unreachable(failure)
        case .wrongAnswer:
            self = failure.isInterception ? .intercepted(failure) : .ill(failure)
        case .unauthorised, .forbidden, .gone:
            self = .answered
        case .throttled, .server:
            self = .refused(failure)
        case .unexpectedStatus(let status):
            switch status {
            // A redirect that leads to another server is no status any more, but a wrong answer.
            case 200..<500: self = .answered
            default: self = .givenUp
            }
        case .circular, .other:
            self = .givenUp
        }
    }

    /// 429 and 5xx.
    private static func refused(_ failure: FetchFailure) -> RequestOutcome {
        if failure.kind == .server(status: 511) { return .intercepted(failure) }  // RFC 6585 section 6
        let mayAskLater = failure.kind == .throttled || failure.kind == .server(status: 503)
        // Now, or in the past: says no more than the status.
        guard mayAskLater, let wait = failure.retryAfter, wait > .zero else { return .ill(failure) }
        return .throttled(failure, wait)
    }

    /// Whether it shows that the network is there. A 5xx may be the word of some machine on the way.
    var showsNetwork: Bool {
        switch self {
        case .answered: true
        case .ill(let failure), .throttled(let failure, _): failure.kind == .throttled
        case .unreachable, .intercepted, .givenUp: false
        }
    }
}

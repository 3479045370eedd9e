extension FetchFailure.Kind {
    /// One word for a log or a table: what ``Metrics/failures`` counts under.
    public var name: String {
        switch self {
        case .offline: "offline"
        case .timedOut: "timedOut"
        case .unauthorised: "unauthorised"
        case .forbidden: "forbidden"
        case .gone: "gone"
        case .throttled: "throttled"
        case .server: "server"
        case .unexpectedStatus: "unexpectedStatus"
        case .wrongAnswer: "wrongAnswer"
        case .circular: "circular"
        case .other: "other"
        }
    }
}

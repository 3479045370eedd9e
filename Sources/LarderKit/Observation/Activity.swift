/// What the network does for something that is watched.
public enum Activity: Sendable, Hashable {
    /// No request is under way, and none has failed since watching began; or the last one was answered.
    case idle
    /// A request is under way, whoever asked.
    case loading
    /// The server would be asked, and is left alone until the network is back, or the server: with what failed last, if
    /// anything has.
    case waitingForNetwork(FetchFailure?)
    /// The last request failed. What is stored is shown all the same.
    case failed(FetchFailure)
}

extension Activity {
    /// What failed last, if it has not gone right since.
    public var failure: FetchFailure? {
        switch self {
        case .idle, .loading: nil
        case .waitingForNetwork(let failure): failure
        case .failed(let failure): failure
        }
    }
}

extension LarderError {
    /// Whether nothing but the call that threw it tells of it. That a task was cancelled is no trouble to show, and what the
    /// network did is told by the ``Activity``, until it does better for whoever asks.
    var isOfTheCallAlone: Bool {
        switch self {
        case .cancelled, .fetch: false
        default: true
        }
    }
}

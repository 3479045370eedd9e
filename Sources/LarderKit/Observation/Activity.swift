/// What the network does for something that is watched.
public enum Activity: Sendable, Hashable {
    /// No request is under way, and none has failed since watching began; or the last one was answered.
    case idle
    /// A request is under way, whoever asked.
    case loading
    /// The last request failed. What is stored is shown all the same.
    case failed(FetchFailure)
}

/// Whether beginning to watch asks the server. What is stored is shown at once in any case, and later changes are seen
/// whoever caused them.
public struct RefreshPolicy: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case whenStale
        case never
        case always
    }

    let kind: Kind

    /// Once, when what is stored is stale or nothing is; of a feed, its newest page. The default.
    public static let whenStale = RefreshPolicy(kind: .whenStale)
    /// Not at all.
    public static let never = RefreshPolicy(kind: .never)
    /// Once, whatever the age of what is stored.
    public static let always = RefreshPolicy(kind: .always)
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

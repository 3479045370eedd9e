/// What the system says of the link, without its flapping: the first word counts at once, later ones when the link has
/// been quiet.
struct LinkHint: Sendable, Hashable {
    static let quietTime = Duration.milliseconds(500)

    private struct Pending: Hashable {
        var hint: Connectivity
        var settlesAt: Duration
    }

    /// What counts.
    private(set) var settled = Connectivity.unknown
    private var hasSettled = false
    private var pending: Pending?

    /// When a word that waits begins to count.
    var settlesAt: Duration? { pending?.settlesAt }

    enum Hearing {
        /// Said already.
        case nothingNew
        case counts
        /// Counts when the link stays quiet.
        case waits
    }

    /// - Parameter isFlapping: Whether changes may follow each other unseen. A look now and then that finds another state
    ///   is no flapping, and counts at once.
    mutating func hear(_ hint: Connectivity, at now: Duration, isFlapping: Bool = true) -> Hearing {
        guard hint != pending?.hint ?? settled else { return .nothingNew }
        guard hasSettled, isFlapping || pending != nil else {
            settled = hint
            hasSettled = true
            return .counts
        }
        pending = Pending(hint: hint, settlesAt: now + Self.quietTime)
        return .waits
    }

    /// - Returns: Whether a word that waited counts from now on. It may be the one that counted before: the link went and
    ///   came back, maybe another one.
    mutating func settle(at now: Duration) -> Bool {
        guard let pending, pending.settlesAt <= now else { return false }
        settled = pending.hint
        self.pending = nil
        return true
    }
}

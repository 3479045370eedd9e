/// Whether watching asks the server: to begin with, and again when there is reason to. What is stored is shown at once in
/// any case, and later changes are seen whoever caused them.
///
/// However many watch one thing, it is asked for once.
public struct RefreshPolicy: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case whenStale
        case never
        case always
    }

    let kind: Kind
    /// When the network is back, the app comes to the foreground, or says that something has changed.
    var isOnEvents: Bool
    var interval: Duration?

    /// When what is stored is stale or nothing is (of a feed, its newest page): to begin with, and again when the network is
    /// back and when the app comes to the foreground (``Larder/enteredForeground()``). The default.
    public static let whenStale = RefreshPolicy(kind: .whenStale, isOnEvents: true)
    /// Not at all.
    public static let never = RefreshPolicy(kind: .never, isOnEvents: false)
    /// At the same times, whatever the age of what is stored.
    public static let always = RefreshPolicy(kind: .always, isOnEvents: true)

    /// To begin with, and not again.
    public var once: RefreshPolicy {
        var policy = self
        policy.isOnEvents = false
        policy.interval = nil
        return policy
    }

    /// Besides, each time that `interval` has passed since the server was last asked for it by watching; no more often than
    /// once a second.
    public func every(_ interval: Duration) -> RefreshPolicy {
        var policy = self
        policy.interval = max(.seconds(1), interval.asWait)
        return policy
    }
}

/// What to try, in which order, to answer a read. Every policy gives exactly one answer.
public struct ReadPolicy: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case cacheFirst
        case staleWhileRevalidate(window: Duration?)
        case networkFirst(patience: Patience?)
        case cacheOnly
        case networkOnly
    }

    let kind: Kind

    /// What is fresh is served without asking. What is stale is asked for again, and served when the network fails or is
    /// slow. The default.
    public static let cacheFirst = ReadPolicy(kind: .cacheFirst)

    /// What is stored is served at once; when stale, a new value is fetched in the background (RFC 5861 section 3).
    public static let staleWhileRevalidate = ReadPolicy(kind: .staleWhileRevalidate(window: nil))

    /// The same, as long as the value has not been stale for longer than `window`; then as ``cacheFirst``.
    public static func staleWhileRevalidate(within window: Duration) -> ReadPolicy {
        ReadPolicy(kind: .staleWhileRevalidate(window: window))
    }

    /// The network is asked each time. What is stored is served when it fails, or has not answered after a few seconds.
    public static let networkFirst = ReadPolicy(kind: .networkFirst(patience: nil))

    /// The same, with a patience of one's own. With nothing stored it waits for as long as the network takes.
    public static func networkFirst(patience: Duration) -> ReadPolicy {
        ReadPolicy(kind: .networkFirst(patience: .fixed(patience)))
    }

    /// The same, with a patience that may be learned from how long the host's answers take: ``Patience/learned``.
    public static func networkFirst(patience: Patience) -> ReadPolicy {
        ReadPolicy(kind: .networkFirst(patience: patience))
    }

    /// What is stored, however old, and never a request.
    public static let cacheOnly = ReadPolicy(kind: .cacheOnly)

    /// The network, and never what is stored. What it gives is stored.
    public static let networkOnly = ReadPolicy(kind: .networkOnly)

    /// The patience that the policy names.
    var patience: Patience? {
        if case .networkFirst(let patience) = kind { patience } else { nil }
    }
}

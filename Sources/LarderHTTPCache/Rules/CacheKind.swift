/// Whose answers a cache holds (RFC 9111 section 1).
public enum CacheKind: String, Sendable, Hashable, CaseIterable {
    /// Those of one user: under URLSession.
    case `private`
    /// Those of many: a proxy.
    case shared
}

/// A permission to go further than RFC 9111 where an answer can be had no other way; off unless the user says so.
///
/// What it lets through says so in `Cache-Status`.
public struct OfflineRule: Sendable, Hashable {
    /// `api.example.com`, or `*.example.com` for all hosts below one, or `*`; with `:8080`, on that port only.
    public var host: String
    /// What the path begins with, up to the end of a segment: `/api` fits `/api` and `/api/1`, not `/apis`; `/` for all.
    public var path: String
    /// Answers marked `no-store` are stored, for use when the origin cannot be reached, whatever else they are marked.
    public var keepsNoStore: Bool
    /// When the origin cannot be reached, answers are served that `must-revalidate`, `no-cache` and their kind forbid to
    /// serve unvalidated.
    public var servesUnvalidated: Bool
    /// For how long after an answer was received this holds; `nil` for as long as it is stored.
    public var limit: Duration?

    public init(
        host: String = "*", path: String = "/", keepsNoStore: Bool = false, servesUnvalidated: Bool = false,
        limit: Duration? = nil
    ) {
        self.host = host
        self.path = path
        self.keepsNoStore = keepsNoStore
        self.servesUnvalidated = servesUnvalidated
        self.limit = limit
    }
}

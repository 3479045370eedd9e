/// Something that was committed to a cache, by this process or another one (``Larder/changes()``).
public struct LarderChange: Sendable, Hashable {
    /// What it happened to. What is there now is to be looked at: it may have been removed.
    public enum Subject: Sendable, Hashable {
        case resource(StoreKey)
        /// A feed, by its name.
        case feed(StoreKey)
        /// Many things of one partition, which may have been signed out of.
        case partition(String)
        /// Anything in the cache.
        case everything
    }

    /// Who has committed it.
    public enum Origin: String, Sendable, Hashable {
        case thisProcess
        case otherProcess
    }

    public let subject: Subject
    public let origin: Origin

    public init(_ subject: Subject, by origin: Origin) {
        self.subject = subject
        self.origin = origin
    }
}

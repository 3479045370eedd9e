/// What counts where something is in a snapshot and in the cache.
public enum SnapshotPolicy: String, Sendable, Hashable {
    /// Of a value the later answer; of a feed what is stored, if anything is. What the app has said to have changed or removed
    /// since stays so.
    case keepNewer
    /// What is in the snapshot.
    case replace
}

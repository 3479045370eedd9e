/// What an export has written, or an import has stored.
public struct SnapshotReport: Sendable, Hashable {
    public internal(set) var values = 0
    public internal(set) var feeds = 0
    public internal(set) var items = 0
    /// Of values and items, without what is told of them.
    public internal(set) var bytes = 0
    /// What was not taken, by reason: values, feeds, and the items of those feeds that were taken.
    public internal(set) var leftOut: [SnapshotOmission: Int] = [:]

    mutating func leaveOut(_ reason: SnapshotOmission, count: Int = 1) {
        if count > 0 { leftOut[reason, default: 0] += count }
    }
}

/// Why something did not go into a snapshot, or out of one.
public enum SnapshotOmission: String, Sendable, Hashable, CaseIterable {
    /// Its bytes are not the ones that were stored. Where items of a feed are, what is left of it is known as pieces with gaps
    /// between them.
    case damaged
    /// Its key is a URL with a user's name, a password, a token or the like in it. It is not told which: that would tell it.
    case holdsCredentials
    /// It is larger than a snapshot can hold, or than all that the cache may.
    case tooLarge
    /// What is stored is later, or was said to have changed or gone since.
    case isNewerHere
    /// It is stored already.
    case isThereAlready
    /// Its account was signed out of meanwhile.
    case signedOut
}

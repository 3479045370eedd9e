/// What an answer changed in a feed.
public struct FeedChange: Sendable, Hashable {
    /// New items, newest first.
    public internal(set) var inserted: [ItemID] = []
    /// Items whose bytes have changed, newest first.
    public internal(set) var updated: [ItemID] = []
    /// Items the server showed to be gone from what it answered about, newest first.
    public internal(set) var removed: [ItemID] = []
    /// Items that stand in another place than before.
    public internal(set) var moved: [ItemID] = []

    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && removed.isEmpty && moved.isEmpty }

    /// The feed's row.
    let feed: Int64
    var oddities = PageOddities()
    var distrustsEmptyAnswer = false
    /// How many items were not taken, since nothing tells where they belong.
    var unplaced = 0
    /// The gap that the answer has left below itself, if it does not reach down to what was stored.
    public internal(set) var remaining: Gap?

    init(feed: Int64 = 0, oddities: PageOddities = PageOddities()) {
        self.feed = feed
        self.oddities = oddities
    }
}

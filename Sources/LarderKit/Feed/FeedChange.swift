/// What an answer changed in a feed.
public struct FeedChange: Sendable {
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
    /// The stretches in which something may have changed, be it an item or what is known of a gap.
    var touched: [Span] = []
    /// What has changed in other feeds that share items with this one.
    var shared: [SharedChange] = []
    /// The places of ``inserted``, in the same order.
    var insertedKeys: [SortKey] = []
    /// The place of an item as it is stored now.
    var place: (@Sendable (ItemID) -> SortKey?)?
    var oddities = PageOddities()
    var distrustsEmptyAnswer = false
    /// How many items were not taken, since nothing tells where they belong.
    var unplaced = 0
    /// How many items were left out, since the page was far larger than asked for.
    var leftOut = 0
    /// The gap that is left: of a refresh the one below the page that came, if it does not reach down to what was stored; of
    /// a step of filling what is still missing.
    public internal(set) var remaining: Gap?
    /// Of reading on: the feed is known to end below what is stored now.
    public internal(set) var isAtEnd = false
    /// What went wrong beside the answer.
    var troubles: [ReadingWarning] = []

    init(
        feed: Int64 = 0, oddities: PageOddities = PageOddities(), place: (@Sendable (ItemID) -> SortKey?)? = nil
    ) {
        self.feed = feed
        self.place = place
        self.oddities = oddities
    }
}

extension FeedChange {
    /// Takes in what an earlier answer of the same step has changed.
    mutating func add(_ earlier: FeedChange) {
        inserted = earlier.inserted + inserted
        insertedKeys = earlier.insertedKeys + insertedKeys
        updated = earlier.updated + updated
        removed = earlier.removed + removed
        moved = earlier.moved + moved
        touched = earlier.touched + touched
        shared = earlier.shared + shared
        oddities.duplicates += earlier.oddities.duplicates
        oddities.withoutID += earlier.oddities.withoutID
        oddities.isOutOfOrder = oddities.isOutOfOrder || earlier.oddities.isOutOfOrder
        unplaced += earlier.unplaced
        leftOut += earlier.leftOut
    }

    /// How many of the new items stand above an item, and how many below it: by how much a view has to move to keep showing
    /// that item. Both are 0 when the item is not stored, or cannot be looked at.
    public func inserted(around anchor: ItemID) -> (above: Int, below: Int) {
        guard let key = place?(anchor) else { return (0, 0) }
        return (insertedKeys.count { $0 > key }, insertedKeys.count { $0 < key })
    }
}

public import Foundation

/// What a feed holds at a position: items that were neighbours on the server, newest first.
public struct FeedPage<Item: Sendable>: Sendable {
    /// One item of a page.
    public struct Entry: Sendable {
        public let id: ItemID
        public let item: Item
    }

    /// The items. One that does not decode is left out, and named in the reading's warnings.
    public let items: [Item]
    /// The ids of ``items``, in the same order.
    public let ids: [ItemID]
    /// Whether this is all that was asked for: the limit is reached, or the feed ends here. Where it is `false`, what
    /// follows is not known; it is never skipped.
    public let isComplete: Bool
    /// Whether the feed is known to end here, in the direction of reading. A page as large as the limit does not look beyond it:
    /// where the feed ends just there, the page after it says so, which is empty, and costs no request while it is fresh.
    public let isAtEnd: Bool
    /// Where to go on reading older items, also when the last of them did not decode.
    public let oldest: ItemID?
    /// Where to go on reading newer items.
    public let newest: ItemID?

    /// What stood around the items in the answers that this rests on, newest first, each with an empty array in the items'
    /// place: side objects such as `included` or `accounts`. Empty unless the feed keeps them
    /// (``JSONItems/keepsEnvelope``).
    public let envelopes: [Data]

    /// The items with their ids.
    public var entries: [Entry] { zip(ids, items).map { Entry(id: $0, item: $1) } }
}

/// A hole between two neighbouring runs: what lies there is unknown, not empty.
public struct Gap: Sendable, Hashable, Identifiable {
    /// The item above the hole.
    public let above: ItemID
    /// The item below the hole.
    public let below: ItemID

    public init(above: ItemID, below: ItemID) {
        self.above = above
        self.below = below
    }

    public var id: Gap { self }
}

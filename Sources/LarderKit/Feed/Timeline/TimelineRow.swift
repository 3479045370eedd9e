/// A row of a feed as a whole.
public enum TimelineRow<Item: Sendable>: Sendable {
    case item(ItemID, Item)
    case gap(Gap)
    /// An item whose bytes are stored and do not decode, or cannot be read at the moment (``Timeline/row(at:)`` says why).
    case undecodable(ItemID)
    /// An item that has gone since the timeline was read.
    case vanished(ItemID)
}

extension TimelineRow: Identifiable {
    public var id: TimelineRowID {
        switch self {
        case .item(let id, _), .undecodable(let id), .vanished(let id): .item(id)
        case .gap(let gap): .gap(gap)
        }
    }

    /// The item that the row is of, whether it can be shown or not; `nil` for a gap.
    public var itemID: ItemID? { id.itemID }
}

/// What a row is of, whatever is shown in it.
public enum TimelineRowID: Sendable, Hashable {
    case item(ItemID)
    case gap(Gap)

    public var itemID: ItemID? {
        if case .item(let id) = self { id } else { nil }
    }
}

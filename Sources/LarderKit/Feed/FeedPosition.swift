public import Foundation

/// Where in a feed the app wants to read.
public enum FeedPosition: Sendable, Hashable {
    /// The newest items.
    case newest
    /// The items next below this one.
    case older(than: ItemID)
    /// The items next above this one.
    case newer(than: ItemID)
}

/// The same with an id as the app's model has it.
extension FeedPosition {
    public static func older(than id: String) -> FeedPosition { .older(than: ItemID(id)) }
    public static func older(than id: some BinaryInteger) -> FeedPosition { .older(than: ItemID(id)) }
    public static func older(than id: UUID) -> FeedPosition { .older(than: id.itemID) }

    public static func newer(than id: String) -> FeedPosition { .newer(than: ItemID(id)) }
    public static func newer(than id: some BinaryInteger) -> FeedPosition { .newer(than: ItemID(id)) }
    public static func newer(than id: UUID) -> FeedPosition { .newer(than: id.itemID) }
}

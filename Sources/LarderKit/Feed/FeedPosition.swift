/// Where in a feed the app wants to read.
public enum FeedPosition: Sendable, Hashable {
    /// The newest items.
    case newest
    /// The items next below this one.
    case older(than: ItemID)
    /// The items next above this one.
    case newer(than: ItemID)
}

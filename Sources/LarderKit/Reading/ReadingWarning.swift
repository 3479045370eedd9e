/// Something that went wrong beside a value that is there.
///
/// Printed, it tells nothing private: no key, no id, and of an error its type alone. All of that is in the payloads.
public enum ReadingWarning: Sendable {
    /// The value was fetched and could not be kept.
    case notKept(StorageError)
    /// A later answer is stored already; this one is shown and not kept.
    case superseded
    /// Items that do not decode. Their bytes stay until they are replaced.
    case undecodableItems([UndecodableItem])
    /// The page held items without an id. Its other items are kept, not as neighbours across those.
    case itemsWithoutID(count: Int)
    /// The page held items twice. The first place counts.
    case duplicates(count: Int)
    /// The page held items outside the interval asked for. They are kept, and prove nothing.
    case outsideInterval(count: Int)
    /// Nothing tells where the page's items belong, so they are shown and not kept. Reading on from an item that is stored
    /// has a place.
    case notPlaced(count: Int)
    /// The page was not in the feed's order, so its items prove no neighbours.
    case outOfOrder
    /// The server showed an empty page over stored items. They go if it does so once more.
    case emptyAnswerDistrusted
    /// The page was far larger than asked for. So many items were left out at its far end; they are not known.
    case cutToSize(leftOut: Int)
    /// So many times two pages are shown as neighbours since the app takes them to be (``Paging/Neighbours/areAssumed``).
    case assumedNeighbours(count: Int)
    /// Reading on was given up until the next refresh, and why.
    case stalled(StallReason)
}

/// Why there is no way to read on, although the end is not known.
public enum StallReason: String, Sendable, Hashable {
    /// Answer after answer brought nothing new: empty pages, or the same ones again.
    case nothingNew
    /// The server gave nothing to go on with and did not say that this is the end; or something longer than 64 KB, which is
    /// not kept. Where a ranked list ends above what it showed earlier: the end of the list is not that of the feed.
    case noContinuation
    /// The next page would be at another origin than the list, where credentials must not go.
    case foreignLink
}

extension ReadingWarning: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notKept(let error): "the value could not be kept: \(error)"
        case .superseded: "a later answer is stored already"
        case .undecodableItems(let items): "stored items that do not decode: \(items.count)"
        case .itemsWithoutID(let count): "items without an id: \(count)"
        case .duplicates(let count): "items that came twice: \(count)"
        case .outsideInterval(let count): "items outside the interval asked for: \(count)"
        case .notPlaced(let count): "items whose place is not known: \(count)"
        case .outOfOrder: "the page was not in the feed's order"
        case .cutToSize(let count): "items left out of a page far larger than asked for: \(count)"
        case .assumedNeighbours(let count): "pages shown as neighbours without proof: \(count)"
        case .stalled(.nothingNew): "the server's pages have brought nothing new for so long that asking was given up"
        case .stalled(.noContinuation): "the server gave nothing to go on with"
        case .stalled(.foreignLink): "the link to the next page leads to another server"
        case .emptyAnswerDistrusted: "an empty page over stored items was not believed yet"
        }
    }
}

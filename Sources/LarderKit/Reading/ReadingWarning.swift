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
        case .emptyAnswerDistrusted: "an empty page over stored items was not believed yet"
        }
    }
}

public import LarderKit

/// Each change is one version, whose number it returns. A change the order does not allow is refused as ``Misuse`` and
/// changes nothing.
extension SimulatedFeedServer {
    /// Adds an item: by its id where ids tell the order, even below others; on top otherwise.
    @discardableResult
    public func insert(_ id: ItemID, text: String? = nil) throws(Misuse) -> Int {
        try change { list throws(Misuse) in try list.insert(Item(id, text: text)) }
    }

    /// Adds many items at once, newest first.
    @discardableResult
    public func insert(_ ids: [ItemID]) throws(Misuse) -> Int {
        try change { list throws(Misuse) in
            for id in ids.reversed() { try list.insert(Item(id)) }
        }
    }

    /// Adds numbered items at once, the highest number on top.
    @discardableResult
    public func insert(_ numbers: ClosedRange<Int>) throws(Misuse) -> Int {
        try insert(numbers.reversed().map { ItemID($0) })
    }

    /// Adds an item at a place of a ranked list, 0 being the top.
    @discardableResult
    public func insert(_ id: ItemID, text: String? = nil, at place: Int) throws(Misuse) -> Int {
        try change { list throws(Misuse) in try list.insert(Item(id, text: text), at: place) }
    }

    @discardableResult
    public func delete(_ id: ItemID) throws(Misuse) -> Int {
        try change { list throws(Misuse) in try list.delete(id) }
    }

    /// Gives an item another text, at its place.
    @discardableResult
    public func edit(_ id: ItemID, text: String) throws(Misuse) -> Int {
        try change { list throws(Misuse) in try list.edit(id, text: text) }
    }

    /// Deletes an item of a list by position and inserts it again on top.
    @discardableResult
    public func bump(_ id: ItemID) throws(Misuse) -> Int {
        try change { list throws(Misuse) in try list.bump(id) }
    }

    /// Moves an item of a ranked list so that it stands at `place`, 0 being the top.
    @discardableResult
    public func move(_ id: ItemID, to place: Int) throws(Misuse) -> Int {
        try change { list throws(Misuse) in try list.move(id, to: place) }
    }

    /// Hides an item from the reader, as a server does that filters after it limits: the item keeps its place, counts
    /// against the limit, and never shows, so that pages are shorter than asked though more follows. For
    /// ``list(at:)`` it is gone.
    @discardableResult
    public func hide(_ id: ItemID) throws(Misuse) -> Int {
        try change { list throws(Misuse) in try list.hide(id) }
    }
}

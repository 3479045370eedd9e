/// A feed as it stood at one time: which items in which order, and the gaps between them. No bytes of items, and no hold on
/// the database.
///
/// The rows lie in chunks that snapshots share, so that the next snapshot costs what has changed and not what there is.
struct TimelineRows: Sendable {
    /// The feed's number in the tables.
    let feed: Int64
    let order: Paging.Order
    private(set) var chunks: [TimelineChunk] = []
    /// The first row of each chunk, and after them the number of all rows.
    private(set) var starts: [Int] = [0]
    /// The first entry of each chunk, and after them the number of all entries.
    private(set) var entryStarts: [Int] = [0]
    /// Where ids do not compare.
    var places: ItemPlaces?

    init(feed: Int64, order: Paging.Order) {
        self.feed = feed
        self.order = order
        if case .byPosition = order { places = ItemPlaces() }
    }

    var count: Int { starts[chunks.count] }
    var itemCount: Int { entryStarts[chunks.count] }
    var isEmpty: Bool { chunks.isEmpty }
    var lowest: TimelineEntry? { chunks.last?.entries.last }

    func row(at index: Int) -> (id: TimelineRowID, entry: TimelineEntry?) {
        let chunk = starts.partitioningIndex(where: { $0 > index }) - 1
        return chunks[chunk].row(at: index - starts[chunk])
    }

    /// The row of an item.
    ///
    /// - Complexity: O(log n).
    func index(of id: ItemID) -> Int? {
        let key: SortKey
        switch order {
        case .byID(let order):
            key = SortKey(id, order: order)
        case .byPosition:
            guard let place = places?[id] else { return nil }
            key = place
        }
        let entry = index { $0 <= key }
        guard entry < itemCount else { return nil }
        let chunk = chunk(ofEntry: entry)
        let place = entry - entryStarts[chunk]
        guard chunks[chunk].entries[place].id == id else { return nil }
        return starts[chunk] + chunks[chunk].offset(ofEntry: place)
    }

    /// The place among all entries of the first one for whose key `isAtOrBelow` holds; it must hold for all further down.
    func index(_ isAtOrBelow: (SortKey) -> Bool) -> Int {
        let chunk = chunks.partitioningIndex(where: { chunk in
            chunk.entries.last.map { isAtOrBelow($0.key) } ?? false
        })
        guard chunk < chunks.count else { return itemCount }
        return entryStarts[chunk] + chunks[chunk].entries.partitioningIndex(where: { isAtOrBelow($0.key) })
    }

    func entry(at place: Int) -> TimelineEntry {
        let chunk = chunk(ofEntry: place)
        return chunks[chunk].entries[place - entryStarts[chunk]]
    }

    /// The chunk that holds an entry; the last one for the place behind all entries.
    func chunk(ofEntry place: Int) -> Int {
        max(0, min(entryStarts.partitioningIndex(where: { $0 > place }), chunks.count) - 1)
    }

    func slots(in range: Range<Int>) -> [TimelineSlot] {
        guard !range.isEmpty else { return [] }
        let (first, last) = (chunk(ofEntry: range.lowerBound), chunk(ofEntry: range.upperBound - 1))
        let slots = chunks[first...last].flatMap(\.slots)
        return Array(slots[range.lowerBound - entryStarts[first]..<range.upperBound - entryStarts[first]])
    }

    /// Puts slots in the place of some chunks.
    ///
    /// - Complexity: O(number of slots, and of chunks).
    mutating func replace(_ range: Range<Int>, with slots: [TimelineSlot]) {
        var range = range
        var slots = slots
        // What has become small goes together with a neighbour.
        while !slots.isEmpty, slots.count < TimelineChunk.smallest {
            if range.upperBound < chunks.count {
                slots += chunks[range.upperBound].slots
                range = range.lowerBound..<range.upperBound + 1
            } else if range.lowerBound > 0 {
                slots = chunks[range.lowerBound - 1].slots + slots
                range = range.lowerBound - 1..<range.upperBound
            } else {
                break
            }
        }
        let pieces = (slots.count + TimelineChunk.largest - 1) / TimelineChunk.largest
        let fresh = (0..<pieces).map { piece in
            TimelineChunk(slots[slots.count * piece / pieces..<slots.count * (piece + 1) / pieces])
        }
        chunks.replaceSubrange(range, with: fresh)
        (starts, entryStarts) = ([0], [0])
        for (index, chunk) in chunks.enumerated() {
            starts.append(starts[index] + chunk.count)
            entryStarts.append(entryStarts[index] + chunk.entries.count)
        }
    }
}

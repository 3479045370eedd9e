/// The identity of a stored item in a snapshot of its feed: who it is and where, and which of its states.
struct TimelineEntry: Sendable, Hashable {
    let key: SortKey
    let id: ItemID
    /// When its bytes were stored; other bytes have another time (``StampSource/arrival(at:)``).
    let version: Int64
}

/// An entry with what stands right above it.
struct TimelineSlot: Sendable, Hashable {
    var entry: TimelineEntry
    /// The item above the gap that lies right above this one, if there is a gap.
    var gapAbove: ItemID?

    var gap: Gap? { gapAbove.map { Gap(above: $0, below: entry.id) } }
}

/// A few neighbouring rows of a snapshot, newest first. Never changes, so that snapshots share it.
final class TimelineChunk: Sendable {
    let entries: [TimelineEntry]
    /// The gaps, by the place of the entry that each lies right above.
    private let holes: [(place: Int, above: ItemID)]

    /// No chunk is larger, and none much smaller unless there is nothing to fill it with.
    static let largest = 256
    static let smallest = 64

    /// - Parameter slots: At least one, newest first.
    init(_ slots: ArraySlice<TimelineSlot>) {
        entries = slots.map(\.entry)
        holes = zip(0..., slots).compactMap { place, slot in slot.gapAbove.map { (place, $0) } }
    }

    /// The number of rows.
    var count: Int { entries.count + holes.count }

    var gaps: [Gap] { holes.map { Gap(above: $0.above, below: entries[$0.place].id) } }

    var slots: [TimelineSlot] {
        var slots = entries.map { TimelineSlot(entry: $0) }
        for hole in holes { slots[hole.place].gapAbove = hole.above }
        return slots
    }

    /// The row at `offset`: an entry, or the gap above one.
    func row(at offset: Int) -> (id: TimelineRowID, entry: TimelineEntry?) {
        let before = holeCount { $0.place + $0.number < offset }
        if before < holes.count, holes[before].place + before == offset {
            return (.gap(Gap(above: holes[before].above, below: entries[holes[before].place].id)), nil)
        }
        let entry = entries[offset - before]
        return (.item(entry.id), entry)
    }

    /// The row of the entry at `place`.
    func offset(ofEntry place: Int) -> Int {
        place + holeCount { $0.place <= place }
    }

    /// The number of gaps, from the top, for which `isBefore` holds.
    private func holeCount(_ isBefore: ((place: Int, number: Int)) -> Bool) -> Int {
        holes.indices.partitioningIndex(where: { !isBefore((holes[$0].place, $0)) })
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first index from which on `isAfter` holds, or the end; it must hold for all that follow one for which it does.
    func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

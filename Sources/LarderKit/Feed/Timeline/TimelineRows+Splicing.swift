/// What was read again of a feed: the items from the neighbour above a stretch to the neighbour below it.
struct TimelineWindow: Sendable {
    /// Newest first, the neighbours included.
    var entries: [TimelineEntry]
    /// The stretches without gaps that lie there, lowest first.
    var runs: [Span]

    /// The entries with the gaps between them.
    var slots: [TimelineSlot] {
        var slots: [TimelineSlot] = []
        slots.reserveCapacity(entries.count)
        var run = runs.count - 1
        var last: (id: ItemID, run: Int?)?
        for entry in entries {
            while run >= 0, runs[run].low >= .above(entry.key) { run -= 1 }
            // An item that no stretch holds is nobody's neighbour.
            let own = run >= 0 && runs[run].contains(entry.key) ? run : nil
            let isNeighbour = last.map { $0.run == own && own != nil } ?? true
            slots.append(TimelineSlot(entry: entry, gapAbove: isNeighbour ? nil : last?.id))
            last = (entry.id, own)
        }
        return slots
    }
}

extension TimelineRows {
    /// The entries next above and next below a stretch.
    func neighbours(of span: Span) -> (above: TimelineEntry?, below: TimelineEntry?) {
        let (first, end) = (index { .below($0) < span.high }, index { .above($0) <= span.low })
        return (first > 0 ? entry(at: first - 1) : nil, end < itemCount ? entry(at: end) : nil)
    }

    /// Puts what was read again in the place of what was known of a stretch and its neighbours.
    ///
    /// - Parameter isForeign: Whether an item of this key stands outside of all that is read again.
    /// - Returns: `false` when the two do not fit together, so that everything has to be read again.
    mutating func splice(_ window: TimelineWindow, over span: Span, isForeign: (SortKey) -> Bool) -> Bool {
        let (above, below) = neighbours(of: span)
        guard above.map({ window.entries.first?.isSame(as: $0) ?? false }) ?? true,
            below.map({ window.entries.last?.isSame(as: $0) ?? false }) ?? true
        else { return false }
        var start = above.map { above in index { $0 <= above.key } } ?? 0
        var end = below.map { below in index { $0 <= below.key } + 1 } ?? itemCount
        let old = slots(in: start..<end)
        var new = window.slots[...]
        // What stands above the upper neighbour was not read.
        if above != nil { new[new.startIndex].gapAbove = old.first?.gapAbove }

        let head = zip(old, new).prefix { $0 == $1 }.count
        new = new.dropFirst(head)
        let tail = zip(old.dropFirst(head).reversed(), new.reversed()).prefix { $0 == $1 }.count
        new = new.dropLast(tail)
        start += head
        end -= tail
        guard start < end || !new.isEmpty else { return true }
        return replaceEntries(start..<end, old: old[head..<old.count - tail], new: new, isForeign: isForeign)
    }

    /// Leaves out what is below the newest `limit` items.
    mutating func keepNewest(_ limit: Int) {
        guard itemCount > limit else { return }
        _ = replaceEntries(
            limit..<itemCount, old: slots(in: limit..<itemCount)[...], new: [], isForeign: { _ in false })
    }

    private mutating func replaceEntries(
        _ range: Range<Int>, old: ArraySlice<TimelineSlot>, new: ArraySlice<TimelineSlot>,
        isForeign: (SortKey) -> Bool
    ) -> Bool {
        if places != nil {
            for slot in old { places?.remove(slot.entry.id, at: slot.entry.key) }
            for slot in new {
                if let other = places?[slot.entry.id], isForeign(other) { return false }
                places?.insert(slot.entry.id, at: slot.entry.key)
            }
        }
        let first = chunk(ofEntry: range.lowerBound)
        let last = range.isEmpty ? first : chunk(ofEntry: range.upperBound - 1)
        guard first < chunks.count else {
            replace(chunks.count..<chunks.count, with: Array(new))
            return true
        }
        let head = Array(chunks[first].slots.prefix(range.lowerBound - entryStarts[first]))
        let tail = chunks[last].slots.dropFirst(range.upperBound - entryStarts[last])
        replace(first..<last + 1, with: head + new + tail)
        return true
    }
}

extension TimelineEntry {
    fileprivate func isSame(as other: TimelineEntry) -> Bool { key == other.key && id == other.id }
}

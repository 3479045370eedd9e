/// The proven stretches of a feed, as its items are walked past them, lowest first: each with the items in it. Pure.
///
/// An item that is lost is lost to the proof, too: nothing is claimed between the last item before it and the next one.
/// What its own place was is not known any more.
struct SnapshotSegments {
    private let feed: Int64
    private var coming: ArraySlice<Segment>
    /// Begun, and not ended yet.
    private var open: SnapshotSegment?
    /// Above the last item that was taken.
    private var reached = Cut.bottom
    /// An item was lost since.
    private var isBroken = false

    /// - Parameter segments: Disjoint, lowest first.
    init(of segments: [Segment], feed: Int64) {
        self.feed = feed
        coming = segments[...]
        openNext()
    }

    /// Goes on to an item that was written.
    ///
    /// - Returns: The stretches that have ended.
    mutating func take(_ item: SnapshotItem) -> [SnapshotSegment] {
        var ended: [SnapshotSegment] = []
        while let segment = open, segment.segment.span.high <= .below(item.key) {
            ended += closed
            openNext()
        }
        if let segment = open, segment.segment.span.contains(item.key) {
            if isBroken {
                ended += closed
                let span = Span(.below(item.key), segment.segment.span.high)
                open = SnapshotSegment(feed: feed, segment: Segment(span: span, stamp: segment.segment.stamp))
            }
            open?.items.add(item.checksum)
        }
        reached = .above(item.key)
        isBroken = false
        return ended
    }

    /// Goes past an item that could not be written.
    mutating func loseItem() { isBroken = true }

    /// - Returns: The stretches that are left.
    mutating func finish() -> [SnapshotSegment] {
        var ended: [SnapshotSegment] = []
        while open != nil {
            ended += closed
            openNext()
        }
        return ended
    }

    /// The open one, up to where something may be missing.
    private var closed: [SnapshotSegment] {
        guard let open else { return [] }
        let span = open.segment.span
        guard isBroken else { return [open] }
        let kept = Span(span.low, min(span.high, reached))
        guard !kept.isEmpty else { return [] }
        var segment = SnapshotSegment(feed: feed, segment: Segment(span: kept, stamp: open.segment.stamp))
        segment.items = open.items
        return [segment]
    }

    private mutating func openNext() {
        open = coming.popFirst().map { SnapshotSegment(feed: feed, segment: $0) }
    }
}

/// A stretch of a feed that one answer proved: the server held just these items there, at that time.
struct Segment: Sendable, Hashable {
    var span: Span
    let stamp: Stamp

    /// A segment that ends at the top says that there was nothing newer, then.
    var isHead: Bool { span.high == .top }
}

/// What is proven of a feed, or of a window of it: disjoint timed segments, lowest first.
///
/// The whole algebra is two verbs. ``claim(_:stamp:)`` writes an answer over what is older and nothing else;
/// ``release(_:before:)`` forgets. Segments that touch form a run; what lies between two runs is a gap.
struct Coverage: Sendable, Hashable {
    private(set) var segments: [Segment]

    /// - Parameter segments: Disjoint, lowest first.
    init(_ segments: [Segment] = []) {
        self.segments = segments
    }

    /// Takes the word of an answer about all that lies in `span`, save where a later answer has spoken.
    ///
    /// What lies above the newest item is the future: that it was empty once says nothing about it later. So a head
    /// segment that is cut leaves no remainder, whichever of the two answers comes first, and a page that does not reach
    /// down to the old head leaves a gap.
    ///
    /// - Parameter span: The place of the answer's items; or one up to the top, where it has none.
    /// - Returns: The parts of `span` in which this answer is now the latest word, lowest first.
    @discardableResult
    mutating func claim(_ span: Span, stamp: Stamp) -> [Span] {
        guard !span.isEmpty else { return [] }
        var settled = [span]
        for later in segments where stamp < later.stamp {
            settled = settled.flatMap { $0.subtracting(later.span) }
        }
        for part in settled {
            cut(part, before: stamp, orSame: true)
        }
        if span.high != .top || settled == [span] {
            segments += settled.map { Segment(span: $0, stamp: stamp) }
        }
        normalise()
        return settled
    }

    /// Forgets what is proven of `span`, save where an answer as late as `stamp` or later has spoken.
    mutating func release(_ span: Span, before stamp: Stamp) {
        cut(span, before: stamp, orSame: false)
    }

    private mutating func cut(_ span: Span, before stamp: Stamp, orSame: Bool) {
        guard !span.isEmpty else { return }
        segments = segments.flatMap { segment -> [Segment] in
            let isOlder = orSame ? segment.stamp <= stamp : segment.stamp < stamp
            guard isOlder, !segment.span.intersection(span).isEmpty else { return [segment] }
            guard !segment.isHead else { return [] }
            return segment.span.subtracting(span).map { Segment(span: $0, stamp: segment.stamp) }
        }
    }

    /// Sorts, and makes one of touching segments of one answer. A head stays apart: it is about the future.
    private mutating func normalise() {
        segments.sort { $0.span.low < $1.span.low }
        var merged: [Segment] = []
        for segment in segments {
            if let last = merged.last, last.span.high == segment.span.low, last.stamp == segment.stamp, !segment.isHead
            {
                merged[merged.count - 1].span = Span(last.span.low, segment.span.high)
            } else {
                merged.append(segment)
            }
        }
        segments = merged
    }
}

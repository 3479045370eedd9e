extension FeedDiff {
    /// Compares what is not shared, piece by piece between the chunks that are.
    init(from old: TimelineRows?, to new: TimelineRows?) {
        let old = old.map { Side($0) } ?? Side()
        let new = new.map { Side($0) } ?? Side()
        let pieces = Self.pieces(old, new)
        var kept: [(old: Int, new: Int)] = []
        var lost: [TimelineRowID: Int] = [:]
        var gained: [Int] = []

        for piece in pieces {
            var (rest, fresh) = (piece.old, piece.new)
            func keepEnds(_ next: (Range<Int>) -> Int?, _ drop: (inout Range<Int>) -> Void) {
                while let from = next(rest), let to = next(fresh), old[from].id == new[to].id {
                    kept.append((from, to))
                    drop(&rest)
                    drop(&fresh)
                }
            }
            keepEnds({ $0.first }, { $0.removeFirst() })
            keepEnds({ $0.last }, { $0.removeLast() })

            var places: [TimelineRowID: Int] = [:]
            for from in rest { places[old[from].id] = from }
            let common = fresh.compactMap { to in places[new[to].id].map { (old: $0, new: to) } }
            let inOrder = common.map(\.old).longestIncreasing().map { common[$0] }
            kept += inOrder
            for pair in inOrder { places[new[pair.new].id] = nil }
            let stay = Set(inOrder.map(\.new))
            gained += fresh.filter { !stay.contains($0) }
            lost.merge(places) { first, _ in first }
        }

        for to in gained {
            if let from = lost.removeValue(forKey: new[to].id) {
                moves.append(Move(from: from, to: to))
                kept.append((from, to))
            } else {
                insertions.insert(contentsOf: to..<to + 1)
            }
        }
        for from in lost.values.sorted() { removals.insert(contentsOf: from..<from + 1) }
        for pair in kept where old[pair.old].version != new[pair.new].version {
            updates.insert(contentsOf: pair.new..<pair.new + 1)
        }
    }

    /// The rows of both sides between chunks that they share, from the top.
    private static func pieces(_ old: Side, _ new: Side) -> [(old: Range<Int>, new: Range<Int>)] {
        let places = Dictionary(
            uniqueKeysWithValues: old.chunks.enumerated().map { (ObjectIdentifier($0.element), $0.offset) })
        var pieces: [(old: Range<Int>, new: Range<Int>)] = []
        var next = (old: 0, new: 0)
        for (index, chunk) in new.chunks.enumerated() {
            guard let place = places[ObjectIdentifier(chunk)], place >= next.old else { continue }
            pieces.append((old.rows(next.old..<place), new.rows(next.new..<index)))
            next = (place + 1, index + 1)
        }
        pieces.append((old.rows(next.old..<old.chunks.count), new.rows(next.new..<new.chunks.count)))
        return pieces
    }

    /// One of the two timelines, with the rows of the chunks at hand that were looked at.
    private struct Side {
        let chunks: [TimelineChunk]
        let starts: [Int]
        private let rows: TimelineRows?

        init(_ rows: TimelineRows) {
            self.rows = rows
            chunks = rows.chunks
            starts = rows.starts
        }

        init() {
            rows = nil
            chunks = []
            starts = [0]
        }

        func rows(_ range: Range<Int>) -> Range<Int> { starts[range.lowerBound]..<starts[range.upperBound] }

        subscript(index: Int) -> (id: TimelineRowID, version: Int64?) {
            guard let row = rows?.row(at: index) else { preconditionFailure("there are no rows") }
            return (row.id, row.entry?.version)
        }
    }
}

extension [Int] {
    /// The places of a longest part of the array, not necessarily in one piece, that grows from element to element.
    ///
    /// - Complexity: O(n log n) (Fredman 1975).
    func longestIncreasing() -> [Int] {
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: count)
        for index in indices {
            let length = ends.partitioningIndex(where: { self[$0] >= self[index] })
            previous[index] = length > 0 ? ends[length - 1] : nil
            if length < ends.count { ends[length] = index } else { ends.append(index) }
        }
        var result: [Int] = []
        var next = ends.last
        while let index = next {
            result.append(index)
            next = previous[index]
        }
        return result.reversed()
    }
}

/// How one timeline became another: what a view has to do to its rows.
///
/// Taken together: the rows at ``removals`` and at the old ends of ``moves`` leave, those at ``insertions`` and at the new
/// ends of ``moves`` come, and the rest stands between them in the order it had. A row that did not change is named nowhere.
public struct FeedDiff: Sendable, Hashable {
    /// A row that stands elsewhere.
    public struct Move: Sendable, Hashable {
        /// Where it stood, among the old rows.
        public let from: Int
        /// Where it stands, among the new ones.
        public let to: Int

        public init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }

    /// Rows that are gone, by their place among the old ones.
    public internal(set) var removals = RangeSet<Int>()
    /// Rows that were not there, by their place among the new ones.
    public internal(set) var insertions = RangeSet<Int>()
    /// By their place among the new rows, from the top.
    public internal(set) var moves: [Move] = []
    /// Items whose bytes have changed, by their place among the new rows. They may have moved as well.
    public internal(set) var updates = RangeSet<Int>()

    public init() {}

    public var isEmpty: Bool { removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty }
}

extension Timeline {
    /// What became of `old` to make this timeline of it.
    ///
    /// - Complexity: In proportion to what has changed where both come from one sequence of updates, and to their length
    ///   otherwise.
    public func changes(since old: Timeline) -> FeedDiff {
        FeedDiff(from: old.state?.rows, to: state?.rows)
    }
}

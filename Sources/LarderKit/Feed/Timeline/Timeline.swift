/// A feed as a whole, as it stood when it was read: its items from the newest on, with a row for each gap between runs.
///
/// Which rows there are, and in which order, never changes. What is in them is read and decoded when they are touched, and
/// is what is stored then: an item that has changed since shows its present state, and one that has gone is
/// ``TimelineRow/vanished(_:)``. No timeline holds on to the database, and timelines of one feed share what they have in
/// common.
///
/// Touching a row takes one indexed read and one decode, on the caller's thread, or neither when that was done lately.
public struct Timeline<Item: Sendable>: Sendable {
    let state: TimelineState?
    let contents: TimelineContents<Item>?

    /// A timeline of no feed, without rows.
    public init() {
        state = nil
        contents = nil
    }

    init(_ state: TimelineState, of feed: Feed<Item>) {
        self.state = state
        contents = TimelineContents(feed: feed)
    }

    /// The number of items, which is the number of rows without those of gaps.
    public var itemCount: Int { state?.rows.itemCount ?? 0 }

    /// Whether the feed is known to end with the last row.
    public var isAtEnd: Bool { state?.isAtEnd ?? false }

    /// The holes between the runs, newest first.
    public var gaps: [Gap] {
        (state?.rows.chunks ?? []).flatMap(\.gaps)
    }
}

extension Timeline: RandomAccessCollection {
    public typealias Index = Int
    public typealias Element = TimelineRow<Item>

    public var startIndex: Int { 0 }
    public var endIndex: Int { state?.rows.count ?? 0 }

    /// The row at `index`, as it is stored now.
    public subscript(index: Int) -> TimelineRow<Item> {
        do { return try row(at: index) } catch {
            guard case .item(let id) = rowID(at: index) else { preconditionFailure("gaps are not read") }
            return .undecodable(id)
        }
    }
}

extension Timeline {
    /// The row at `index`, as it is stored now.
    ///
    /// - Throws: When the database cannot be read, where the subscript gives ``TimelineRow/undecodable(_:)``.
    public func row(at index: Int) throws(LarderError) -> TimelineRow<Item> {
        guard let rows = state?.rows, let contents else { preconditionFailure("a timeline without rows has no index") }
        precondition(indices.contains(index), "a timeline of \(count) rows has no row \(index)")
        let row = rows.row(at: index)
        switch row.id {
        case .gap(let gap): return .gap(gap)
        case .item(let id): return try row.entry.map { entry throws(LarderError) in
            try contents.row(entry, in: rows) } ?? .vanished(id)
        }
    }

    /// What the row at `index` is of, without reading it.
    public func rowID(at index: Int) -> TimelineRowID {
        guard let rows = state?.rows else { preconditionFailure("a timeline without rows has no index") }
        precondition(indices.contains(index), "a timeline of \(count) rows has no row \(index)")
        return rows.row(at: index).id
    }

    /// The row of an item.
    ///
    /// - Complexity: O(log n).
    public func index(of id: ItemID) -> Int? { state?.rows.index(of: id) }

    /// The row of a gap.
    ///
    /// - Complexity: O(log n).
    public func index(of gap: Gap) -> Int? {
        guard let rows = state?.rows, let below = rows.index(of: gap.below), below > 0,
            rows.row(at: below - 1).id == .gap(gap)
        else { return nil }
        return below - 1
    }

    /// The row of an item or of a gap.
    public func index(of row: TimelineRowID) -> Int? {
        switch row {
        case .item(let id): index(of: id)
        case .gap(let gap): index(of: gap)
        }
    }
}

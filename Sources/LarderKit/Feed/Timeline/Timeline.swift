/// A feed as a whole, as it stood when it was read: its items from the newest on, with a row for each gap between runs.
///
/// Which rows there are, and in which order, never changes. What is in them is read and decoded when they are touched, and
/// is what is stored then: an item that has changed since shows its present state, and one that has gone is
/// ``TimelineRow/vanished(_:)``. No timeline holds on to the database, and timelines of one feed share what they have in
/// common.
///
/// Touching a row takes one indexed read and one decode, on the caller's thread, or neither when that was done lately. Who
/// needs to know only what the rows are of, as a list view does, takes ``ids``, which reads nothing:
///
/// ```swift
/// ForEach(model.rows.ids, id: \.self) { id in RowView(model.rows[id]) }
/// ```
public struct Timeline<Item: Sendable>: Sendable {
    let state: TimelineState?
    let contents: TimelineContents<Item>?

    /// A timeline of no feed, without rows.
    public init() {
        state = nil
        contents = nil
    }

    init(_ state: TimelineState, contents: TimelineContents<Item>) {
        self.state = state
        self.contents = contents
    }

    /// The number of items, which is the number of rows without those of gaps.
    public var itemCount: Int { state?.rows.itemCount ?? 0 }

    /// Whether the feed is known to end with the last row.
    public var isAtEnd: Bool { state?.isAtEnd ?? false }

    /// Why nothing below what is stored can be asked for until the head has been, although the end is not known; `nil` when
    /// it can be, or the feed is known to end.
    public var stall: StallReason? { state?.stall }

    /// Whether the two differ in nothing but their rows.
    func isAlike(_ other: Timeline) -> Bool {
        isAtEnd == other.isAtEnd && stall == other.stall && state?.rows.feed == other.state?.rows.feed
    }

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
            guard case .item(let id) = ids[index] else { preconditionFailure("gaps are not read") }
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
        case .item(let id):
            guard let entry = row.entry else { return .vanished(id) }
            return try contents.row(entry, in: rows)
        }
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

    /// The row with this identity, as it is stored now; `nil` when the timeline has none.
    public subscript(id: TimelineRowID) -> TimelineRow<Item>? {
        index(of: id).map { self[$0] }
    }

    /// What each row is of, without reading it.
    public var ids: TimelineIDs { TimelineIDs(rows: state?.rows) }

    /// The row of an item or of a gap.
    public func index(of row: TimelineRowID) -> Int? {
        switch row {
        case .item(let id): index(of: id)
        case .gap(let gap): index(of: gap)
        }
    }
}

/// What the rows of a timeline are of: nothing is read for it.
public struct TimelineIDs: RandomAccessCollection, Sendable {
    let rows: TimelineRows?

    public var startIndex: Int { 0 }
    public var endIndex: Int { rows?.count ?? 0 }

    public subscript(index: Int) -> TimelineRowID {
        guard let rows else { preconditionFailure("a timeline without rows has no index") }
        precondition(indices.contains(index), "a timeline of \(count) rows has no row \(index)")
        return rows.row(at: index).id
    }
}

/// Where in a feed a continuation was stored, and by which answer.
struct EdgeMark: Sendable, Hashable {
    let cut: Cut
    /// The order of the answer's stamp.
    let stamp: Int64
}

/// The place at which an answer ended, with what the server gave to go on from there.
///
/// Edges belong to cuts, not to items or runs: they stay where they are while runs join above and below them, and go when
/// a later answer speaks of what lies on both sides.
struct FeedEdge: Sendable, Hashable {
    var cut: Cut
    /// The order of the stamp of the answer that ended here.
    var stamp: Int64
    /// `nil` when the answer gave nothing to go on with.
    var continuation: Continuation?
    /// The limit that was asked with: a page's number means something to pages of one size.
    var size: Int
    /// How many items have come on top since, as far as is known: places counted from there have shifted by so many.
    var shift = 0
    /// How many answers in a row brought nothing new.
    var fruitless = 0
    var stall: StallReason?
    /// What came before the edge ended in an item without an id.
    var isApart = false
    /// What was taken to be the neighbour below was not proven to be.
    var isSeam = false
    /// Those of the page that ended here.
    var validators = Validators()

    var mark: EdgeMark { EdgeMark(cut: cut, stamp: stamp) }

    init(cut: Cut, stamp: Int64, continuation: Continuation?, size: Int) {
        self.cut = cut
        self.stamp = stamp
        self.continuation = continuation
        self.size = size
    }
}

extension FeedEdge {
    /// What to ask for, to have at most `limit` items beyond the edge, which lies right below the item `anchor`.
    ///
    /// By offset it is asked from one item earlier, which shows whether the place is still the same. By page number the
    /// size of pages cannot change.
    func request(from anchor: ItemID?, limit: Int, firstPage: Int) -> PageRequest? {
        let next: Continuation
        let size: Int
        switch continuation {
        case nil:
            return nil
        case .cursor, .link:
            guard let continuation else { return nil }
            (next, size) = (continuation, limit)
        case .page(let number):
            next = .page(max(firstPage, number + Int((Double(shift) / Double(max(1, self.size))).rounded(.down))))
            size = self.size
        case .offset(let offset):
            let overlap = anchor == nil ? 0 : 1
            next = .offset(max(0, offset + shift - overlap))
            size = limit + overlap
        }
        var request = PageRequest(below: anchor, limit: size, continuation: next)
        request.edge = mark
        return request
    }
}

extension Continuation {
    /// What follows a page of `count` items, where the server counts pages or items and need not say.
    func following(count: Int) -> Continuation? {
        switch self {
        case .page(let number): number < .max ? .page(number + 1) : nil
        case .offset(let offset): offset < .max - count ? .offset(offset + count) : nil
        case .cursor, .link: nil
        }
    }
}
